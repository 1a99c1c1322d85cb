/** Attributes that every element also has as properties of the same name. */
import { OWN } from './bridge.js';
import { NODE } from './node.js';

const LINKED = {
  href: 1,
  src: 1,
  action: 1,
  download: 1,
  target: 1,
  type: 1,
  value: 1,
  name: 1,
  rel: 1,
  method: 1,
  title: 1,
  alt: 1,
  data: 1,
  content: 1,
  httpEquiv: 1,
  srcdoc: 1,
  placeholder: 1,
  formAction: 1,
};
for (const name in LINKED)
  Object.defineProperty(NODE, name, {
    get() {
      const v = this[OWN].attributes[name];
      return v === undefined ? '' : v;
    },
    set(v) {
      this.setAttribute(name, v);
    },
    configurable: true,
    enumerable: true,
  });
