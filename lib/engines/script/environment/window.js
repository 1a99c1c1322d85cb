/** The other members of `window`. Makes the page. */
import { blank } from './automation.js';
import { Blob, File } from './blobs.js';
import { DATA, floor, push, rec, replaceText, Str } from './bridge.js';
import { fromBase64, toBase64 } from './bytes.js';
import { noteExhausted } from './calls.js';
import { current, START } from './clock.js';
import { useDocument } from './document.js';
import { document, everyElement, named, takeMessage, workers } from './elements.js';
import { fire, listen, STUB } from './events.js';
import { navigate, writeHtml } from './navigation.js';
import { useNavigator } from './navigator.js';
import { useNetwork } from './network.js';
import { look, place } from './place.js';
import { useReaders } from './readers.js';
import { scriptGlobal } from './script-global.js';
import { addTimer, dropTimer, soon } from './timers.js';
import { useUrls } from './url.js';

class Observer {
  constructor(f) {
    this[DATA] = f;
  }
  observe(target) {
    const f = this[DATA];
    this[DATA] = undefined;
    if (typeof f !== 'function') return;
    soon(() => {
      try {
        f(
          [
            {
              target,
              type: 'childList',
              addedNodes: [],
              removedNodes: [],
              attributeName: null,
              isIntersecting: true,
              intersectionRatio: 1,
              time: 1,
              boundingClientRect: document.body.getBoundingClientRect(),
              contentRect: document.body.getBoundingClientRect(),
            },
          ],
          this,
        );
      } catch (error) {
        noteExhausted(error);
      }
    });
  }
  disconnect() {}
  unobserve() {}
  takeRecords() {
    return [];
  }
}
const store = () => {
  const map = Object.create(null);
  return {
    getItem: (k) => (k in map ? map[k] : null),
    setItem: (k, v) => {
      map[k] = Str(v);
    },
    removeItem: (k) => {
      delete map[k];
    },
    clear: () => {},
    key: () => null,
    length: 0,
  };
};

export const usePage = (facts) => {
  Reflect.setPrototypeOf(theirGlobal, named);
  scriptGlobal.window = scriptGlobal.self = scriptGlobal.top = scriptGlobal.parent = scriptGlobal.frames = scriptGlobal;
  scriptGlobal.name = '';
  scriptGlobal.closed = false;
  scriptGlobal.opener = null;
  scriptGlobal.origin = 'null';
  useDocument(facts);
  useNavigator();
  useUrls();
  useNetwork();
  useReaders();
  useWindow();
};
const useWindow = () => {
  scriptGlobal.Event =
    scriptGlobal.CustomEvent =
    scriptGlobal.MouseEvent =
    scriptGlobal.KeyboardEvent =
    scriptGlobal.UIEvent =
      class {
        constructor(type, options) {
          this.type = type;
          Object.assign(this, options);
        }
        preventDefault() {}
      };
  scriptGlobal.HTMLElement = scriptGlobal.Element = scriptGlobal.Node = class {};
  scriptGlobal.MutationObserver = scriptGlobal.IntersectionObserver = scriptGlobal.ResizeObserver = Observer;
  scriptGlobal.DOMParser = class {
    parseFromString(html) {
      writeHtml(html, 'DOMParser');
      return document;
    }
  };
  scriptGlobal.localStorage = store();
  scriptGlobal.sessionStorage = store();
  scriptGlobal.history = {
    pushState: () => {},
    replaceState: () => {},
    back: () => {},
    forward: () => {},
    go: () => {},
    length: 1,
    state: null,
  };
  scriptGlobal.atob = (text) => {
    const clean = replaceText(Str(text), /[\t\n\f\r ]/g, '');
    if (/[^A-Za-z0-9+/=]/.test(clean)) throw new Error('InvalidCharacterError');
    return fromBase64(clean);
  };
  scriptGlobal.btoa = (text) => toBase64(text);
  scriptGlobal.crypto = {
    getRandomValues: (view) => {
      for (let i = 0; i < view.length; i++) view[i] = floor(Math.random() * 256);
      return view;
    },
    randomUUID: () => '3f2b8c1e-9d47-4e0a-8b6c-1a2d3e4f5a6b',
    subtle: blank('crypto.subtle'),
  };
  scriptGlobal.performance = {
    now: () => current() - START,
    timing: { navigationStart: START },
    getEntriesByType: () => [],
    mark: () => {},
  };
  scriptGlobal.alert = (t) => {
    rec('message', 'alert', t);
  };
  scriptGlobal.confirm = (t) => {
    rec('message', 'confirm', t);
    return true;
  };
  scriptGlobal.prompt = (t) => {
    rec('message', 'prompt', t);
    return '';
  };
  scriptGlobal.open = (url, name) => {
    if (url) navigate(url, 'window.open');
    return scriptGlobal;
  };
  scriptGlobal.print =
    scriptGlobal.close =
    scriptGlobal.focus =
    scriptGlobal.blur =
    scriptGlobal.stop =
    scriptGlobal.scroll =
    scriptGlobal.scrollTo =
    scriptGlobal.scrollBy =
    scriptGlobal.moveTo =
    scriptGlobal.resizeTo =
    scriptGlobal.moveBy =
    scriptGlobal.resizeBy =
      () => {};
  scriptGlobal.postMessage = (data) => {
    rec('asked', 'message to a window', data);
    if (takeMessage())
      soon(() => {
        for (const to of workers.length > 0 ? workers : [scriptGlobal]) fire(to, 'message', { data });
      });
  };
  scriptGlobal.getComputedStyle = () => ({ getPropertyValue: () => '', display: 'block' });
  scriptGlobal.matchMedia = (media) => {
    const list = {
      media: Str(media),
      // A media query for small screens or fingers fits on a phone.
      matches: place.isPhone && /max-(?:device-)?width|coarse|hover: none|portrait/.test(Str(media)),
      addListener: (what) => {
        list.onchange = what;
      },
      removeListener: STUB,
    };
    push(everyElement, list);
    return Object.assign(list, listen(list));
  };
  scriptGlobal.getSelection = () => ({ toString: () => '', removeAllRanges: () => {} });
  scriptGlobal.requestAnimationFrame = (f) => addTimer(f, 16, [0]);
  scriptGlobal.cancelAnimationFrame = dropTimer;
  scriptGlobal.requestIdleCallback = (f) => addTimer(f, 1, [{ didTimeout: false, timeRemaining: () => 10 }]);
  scriptGlobal.setTimeout = (f, ms, ...args) => addTimer(f, ms, args);
  scriptGlobal.setInterval = (f, ms, ...args) => addTimer(f, ms, args, true);
  scriptGlobal.clearTimeout = scriptGlobal.clearInterval = dropTimer;
  scriptGlobal.queueMicrotask = (f) => {
    Promise.resolve().then(f);
  };
  scriptGlobal.Blob = Blob;
  scriptGlobal.File = File;
  scriptGlobal.console = {
    log: () => {},
    error: () => {},
    warn: () => {},
    info: () => {},
    debug: () => {},
    clear: () => {},
    trace: () => {},
    table: () => {},
    assert: () => {},
  };
  scriptGlobal.Intl = {
    DateTimeFormat: function () {
      return {
        resolvedOptions: () => {
          look('time zone');
          return { timeZone: place.timeZone, locale: place.language, calendar: 'gregory' };
        },
        format: (date) => Str(date),
      };
    },
    NumberFormat: function () {
      return { format: (n) => Str(n), resolvedOptions: () => ({ locale: place.language }) };
    },
  };
  scriptGlobal.Notification = { permission: 'default', requestPermission: () => Promise.resolve('default') };
  scriptGlobal.external = blank('external');
  scriptGlobal.chrome = { runtime: {}, loadTimes: () => ({}) };
};
