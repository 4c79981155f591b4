// Puts elements of the page on an empty page, for tests.

import "/page/board/index.js";

const place = document.querySelector("#place");
const told = [];

/** Show elements: [name, properties] each; a `width` in pixels is the element's. */
function show(elements) {
  told.length = 0;
  place.replaceChildren(...elements.map(([name, { width, height, ...properties }]) => {
    const element = document.createElement(name);
    if (width) element.style.width = `${width}px`;
    if (height) element.style.height = `${height}px`;
    element.style.display = "block";
    for (const event of ["act", "look", "goto"]) {
      element.addEventListener(event, ({ detail }) => told.push([event, ...Object.values(detail)]));
    }
    return Object.assign(element, properties);
  }));
}

Object.assign(window, { show, told });
document.body.dataset.ready = "";
