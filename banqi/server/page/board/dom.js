// Elements, made in one line. A style goes through `element.style`: the server's policy forbids the attribute.

const SVG = "http://www.w3.org/2000/svg";

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

/**
 * An element of HTML. Attributes that are null, undefined or false are left out; text among the children stays text.
 * @param {string} name
 * @param {Object<string, any>} [attributes]
 * @param {...(Node|string)} children
 * @returns {HTMLElement}
 */
export function html(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/**
 * An element of SVG, as `html` makes one of HTML.
 * @returns {SVGElement}
 */
export function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}
