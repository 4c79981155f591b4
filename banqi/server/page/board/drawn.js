// Elements that are given plain properties and draw themselves: what is set in one go is drawn in one go.

function equal(one, other) {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || !one || !other) return false;
  if (one instanceof Map || other instanceof Map) return false;
  return JSON.stringify(one) === JSON.stringify(other);
}

/** A subclass has `static defaults`, its properties, and `draw(stale)`; stale: the names of those that are new. */
export class Drawn extends HTMLElement {
  #values = { ...this.constructor.defaults };
  #stale = new Set(Object.keys(this.constructor.defaults));
  #isWaiting = false;

  connectedCallback() {
    for (const name of Object.keys(this.constructor.defaults)) {
      // What was set before the element was defined hides the accessor.
      if (!Object.hasOwn(this, name)) continue;
      const value = this[name];
      delete this[name];
      this[name] = value;
    }
    this.#flush();
  }

  /** What a property is. */
  read(name) {
    return this.#values[name];
  }

  /** Set a property. */
  assign(name, value) {
    if (equal(this.#values[name], value)) return;
    this.#values[name] = value;
    this.#stale.add(name);
    if (this.#isWaiting || !this.isConnected) return;
    this.#isWaiting = true;
    queueMicrotask(() => this.#flush());
  }

  #flush() {
    this.#isWaiting = false;
    const stale = this.#stale;
    this.#stale = new Set();
    this.draw(stale);
  }

  /** Tell people outside. @param {string} name @param {Object<string, any>} detail */
  tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }
}

/** Give a class of elements its properties and its name. @param {string} name @param {typeof Drawn} made */
export function define(name, made) {
  for (const property of Object.keys(made.defaults)) {
    Object.defineProperty(made.prototype, property, {
      get() { return this.read(property); },
      set(value) { this.assign(property, value); },
    });
  }
  customElements.define(name, made);
}
