/** The elements of the page, and how scripts find and make them. */
import { contentOf } from './blobs.js';
import { indexOf, layer, lower, OWN, push, Str, slice, split } from './bridge.js';
import { fire, listen } from './events.js';
import { navigate, refresh } from './navigation.js';
import { NODE } from './node.js';
import { define, hasOwn, THEIRS } from './realms.js';
import { request } from './requests.js';
import { realEval } from './script-global.js';
import { toScripts } from './to-scripts.js';

export const elements = [];
/** @type {any} */
export let document = null;
export const setDocument = (made) => {
  document = made;
};
// The selected text, which a copy takes.
/** @type {any} */
export let selected = null;
export const markSelected = (element) => {
  selected = element;
};
export const adopt = (facts) => {
  const e = element(facts.tag);
  if (facts.tag === 'meta') refresh(facts.attributes['http-equiv'], facts.attributes.content);
  for (const name in facts.attributes) e.setAttribute(name, facts.attributes[name]);
  e[OWN].text = facts.text || '';
  e[OWN].given = facts.attributes.href;
  push(elements, e);
  nameGlobal(e);
  return e;
};
// Elements are properties of the window under their ids and names, unless a script has set a property of that name (HTML, named access
// on the Window object).
export const named = Reflect.construct(THEIRS.objects.constructor, []);
export const nameGlobal = (e) => {
  const a = e[OWN].attributes;
  for (const name of [a.id, /^(EMBED|FORM|IMG|OBJECT|IFRAME|FRAME|A)$/.test(e.tagName) ? a.name : ''])
    if (name && !hasOwn(named, name))
      define(named, name, { value: toScripts(e), writable: true, enumerable: false, configurable: true });
};
export const classNames = (e) => split(Str(e[OWN].attributes.class || ''), ' ');
// Also holds elements that are not in the page, because an image loads without being there.
export const everyElement = [],
  workers = [],
  HANDLED = 500;
// A window that answers its own messages would never stop.
let messages = 20;
export const takeMessage = () => messages-- > 0;
export const element = (tag) => {
  const self = Object.create(NODE);
  const upper = Str(tag).toUpperCase();
  const own = {
    attributes: Object.create(null),
    text: '',
    done: false,
    load: (url) => {
      const text = Str(url);
      if (/^\s*(javascript|data|blob):/i.test(text)) {
        if (/^(IFRAME|EMBED|OBJECT|FRAME)$/.test(upper)) navigate(text, lower(upper));
        else if (upper === 'SCRIPT') {
          const code = contentOf(text);
          if (code !== null) realEval(layer(code, 'script element'));
        }
      } else if (text !== '' && /^(IFRAME|FRAME|IMG|EMBED|SCRIPT|OBJECT|AUDIO|VIDEO)$/.test(upper))
        request('GET', text);
    },
    runText: () => {
      if (upper === 'SCRIPT' && own.text !== '' && !own.ran) {
        own.ran = true;
        realEval(layer(own.text, 'script element'));
      }
    },
    insert: () => {
      if (own.done) return;
      own.done = true;
      push(elements, self);
      nameGlobal(self);
      own.runText();
      if (
        upper === 'LINK' &&
        /stylesheet|load|fetch|prerender|icon/i.test(own.attributes.rel || '') &&
        /^\s*(https?:|\/\/)/i.test(own.attributes.href || '')
      )
        request('GET', own.attributes.href);
      if (upper === 'META') refresh(own.attributes['http-equiv'], own.attributes.content);
      fire(self, 'load');
    },
  };
  Object.defineProperty(self, OWN, { value: own });
  if (everyElement.length < HANDLED) push(everyElement, self);
  return Object.assign(
    self,
    {
      tagName: upper,
      nodeName: upper,
      localName: lower(upper),
      style: { setProperty: () => {} },
      childNodes: [],
      parentNode: null,
      classList: { add: () => {}, remove: () => {}, toggle: () => {}, contains: (c) => classNames(self).includes(c) },
    },
    listen(self),
  );
};
export const select = (query) => {
  const text = Str(query);
  const found = [];
  const m = /^\s*([\w-]*)(#[\w-]+)?(\.[\w-]+)?(?:\[([\w-]+)(?:[~^$*|]?=["']?([^"'\]]*)["']?)?\])?\s*$/.exec(text);
  if (!m) return found;
  for (const e of elements) {
    if (m[1] && e.tagName !== m[1].toUpperCase()) continue;
    if (m[2] && e.id !== slice(m[2], 1)) continue;
    if (m[3] && !classNames(e).includes(slice(m[3], 1))) continue;
    if (m[4] && !e.hasAttribute(m[4])) continue;
    if (m[5] && indexOf(Str(e.getAttribute(m[4])), m[5]) < 0) continue;
    push(found, e);
  }
  return found;
};
