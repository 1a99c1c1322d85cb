/** `document` and `location`. */
import { answering } from './automation.js';
import { join, OWN, rec, Str } from './bridge.js';
import { classNames, document, element, elements, select, selected, setDocument } from './elements.js';
import { listen, listeners } from './events.js';
import { asked } from './machine.js';
import { navigate, writePiece, writeRest } from './navigation.js';
import { NODE } from './node.js';
import { scriptGlobal } from './script-global.js';

const partOf = (address, key) => {
  const m = /^(\w+:)\/\/\/?([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/.exec(address) || [];
  return { protocol: m[1], host: m[2], hostname: m[2], pathname: m[3], search: m[4], hash: m[5] }[key] || '';
};
const LOCATION_KEYS = /^(href|protocol|host|hostname|port|pathname|search|hash|origin|assign|replace|reload|toString)$/;
const locationPart = (address, key) => {
  if (key === 'href') return asked('page address', address);
  if (key === 'assign' || key === 'replace') return (url) => navigate(url, 'location');
  if (key === 'reload') return () => {};
  if (key === 'toString' || key === Symbol.toPrimitive) return () => address;
  if (key === 'origin') return 'null';
  return typeof key === 'symbol' ? undefined : partOf(address, key);
};
const locationAt = (address) =>
  answering(
    new Proxy(
      {},
      {
        get: (t, key) => locationPart(address, key),
        set: (t, key, value) => {
          if (key === 'hash') return true;
          navigate(key === 'host' || key === 'hostname' ? 'http://' + Str(value) : value, 'location');
          return true;
        },
        has: (t, key) => typeof key === 'string' && LOCATION_KEYS.test(key),
      },
    ),
  );
export const useDocument = (facts) => {
  const body = element('body'),
    head = element('head'),
    root = element('html');
  const place = facts.url;
  const location = locationAt(place);
  Object.defineProperty(scriptGlobal, 'location', {
    get: () => location,
    set: (url) => {
      navigate(url, 'location');
    },
    configurable: true,
  });
  setDocument(Object.create(NODE));
  Object.defineProperty(document, OWN, { value: body[OWN] });
  Object.assign(document, listen(document), {
    nodeType: 9,
    readyState: 'loading',
    title: facts.title,
    cookie: '',
    referrer: '',
    characterSet: 'UTF-8',
    compatMode: 'CSS1Compat',
    hidden: false,
    visibilityState: 'visible',
    domain: '',
    body,
    head,
    documentElement: root,
    childNodes: [],
    implementation: {},
    fonts: { ready: Promise.resolve() },
    defaultView: scriptGlobal,
    createElement: element,
    createElementNS: (n, t) => element(t),
    createTextNode: (t) => {
      const e = element('#text');
      e[OWN].text = Str(t);
      return e;
    },
    createDocumentFragment: () => element('#fragment'),
    createEvent: () => ({
      initEvent(type) {
        this.type = type;
      },
      initMouseEvent(type) {
        this.type = type;
      },
    }),
    createComment: () => element('#comment'),
    getElementById: (id) => {
      for (let i = 0; i < elements.length; i++) if (elements[i].id === Str(id)) return elements[i];
      return null;
    },
    getElementsByTagName: (t) => {
      const up = Str(t).toUpperCase();
      if (up === 'BODY') return [body];
      if (up === 'HEAD') return [head];
      return elements.filter((e) => up === '*' || e.tagName === up);
    },
    getElementsByClassName: (c) => elements.filter((e) => classNames(e).includes(Str(c))),
    getElementsByName: (n) => elements.filter((e) => e[OWN].attributes.name === Str(n)),
    querySelector: (q) => (Str(q) === 'body' ? body : Str(q) === 'head' ? head : select(q)[0] || null),
    querySelectorAll: (q) => select(q),
    write: (...texts) => {
      writePiece(join(texts, ''));
    },
    writeln: (...texts) => {
      writePiece(join(texts, '') + '\n');
    },
    open: () => document,
    close: writeRest,
    execCommand: (c) => {
      rec('message', 'execCommand', c);
      if (/^(copy|cut)$/i.test(Str(c))) {
        if (selected) rec('clipboard', selected[OWN].attributes.value || selected[OWN].text);
        const data = {
          setData: (type, text) => {
            rec('clipboard', text);
          },
        };
        for (const l of listeners.slice())
          if (l.type === 'copy' && typeof l.what === 'function')
            l.what({ type: 'copy', clipboardData: data, preventDefault: () => {}, stopPropagation: () => {} });
      }
      return true;
    },
    hasFocus: () => true,
    elementFromPoint: () => body,
  });
  Object.assign(scriptGlobal, listen(scriptGlobal));
  for (const [name, tag] of [
    ['forms', 'FORM'],
    ['links', 'A'],
    ['images', 'IMG'],
    ['scripts', 'SCRIPT'],
    ['all', '*'],
  ])
    Object.defineProperty(document, name, { get: () => document.getElementsByTagName(tag) });
  Object.defineProperty(document, 'location', {
    get: () => location,
    set: (url) => {
      navigate(url, 'location');
    },
  });
  Object.defineProperty(document, 'URL', { get: () => place });
  Object.defineProperty(document, 'currentScript', {
    get: () => document.getElementsByTagName('script')[0] || element('script'),
  });
  scriptGlobal.document = document;
};
