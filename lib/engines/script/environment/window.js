/** Everything else of `window`; makes the page. */
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
import { useReaders } from './readers.js';
import { R } from './realms.js';
import { G } from './script-global.js';
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
  R.setPrototypeOf(S, named);
  G.window = G.self = G.top = G.parent = G.frames = G;
  G.name = '';
  G.closed = false;
  G.opener = null;
  G.origin = 'null';
  useDocument(facts);
  useNavigator();
  useUrls();
  useNetwork();
  useReaders();
  useWindow();
};
const useWindow = () => {
  G.Event =
    G.CustomEvent =
    G.MouseEvent =
    G.KeyboardEvent =
    G.UIEvent =
      class {
        constructor(type, options) {
          this.type = type;
          Object.assign(this, options);
        }
        preventDefault() {}
      };
  G.HTMLElement = G.Element = G.Node = class {};
  G.MutationObserver = G.IntersectionObserver = G.ResizeObserver = Observer;
  G.DOMParser = class {
    parseFromString(html) {
      writeHtml(html, 'DOMParser');
      return document;
    }
  };
  G.localStorage = store();
  G.sessionStorage = store();
  G.history = {
    pushState: () => {},
    replaceState: () => {},
    back: () => {},
    forward: () => {},
    go: () => {},
    length: 1,
    state: null,
  };
  G.atob = (text) => {
    const clean = replaceText(Str(text), /[\t\n\f\r ]/g, '');
    if (/[^A-Za-z0-9+/=]/.test(clean)) throw new Error('InvalidCharacterError');
    return fromBase64(clean);
  };
  G.btoa = (text) => toBase64(text);
  G.crypto = {
    getRandomValues: (view) => {
      for (let i = 0; i < view.length; i++) view[i] = floor(Math.random() * 256);
      return view;
    },
    randomUUID: () => '3f2b8c1e-9d47-4e0a-8b6c-1a2d3e4f5a6b',
    subtle: blank('crypto.subtle'),
  };
  G.performance = {
    now: () => current() - START,
    timing: { navigationStart: START },
    getEntriesByType: () => [],
    mark: () => {},
  };
  G.alert = (t) => {
    rec('message', 'alert', t);
  };
  G.confirm = (t) => {
    rec('message', 'confirm', t);
    return true;
  };
  G.prompt = (t) => {
    rec('message', 'prompt', t);
    return '';
  };
  G.open = (url, name) => {
    if (url) navigate(url, 'window.open');
    return G;
  };
  G.print =
    G.close =
    G.focus =
    G.blur =
    G.stop =
    G.scroll =
    G.scrollTo =
    G.scrollBy =
    G.moveTo =
    G.resizeTo =
    G.moveBy =
    G.resizeBy =
      () => {};
  G.postMessage = (data) => {
    rec('asked', 'message to a window', data);
    if (takeMessage())
      soon(() => {
        for (const to of workers.length > 0 ? workers : [G]) fire(to, 'message', { data });
      });
  };
  G.getComputedStyle = () => ({ getPropertyValue: () => '', display: 'block' });
  G.matchMedia = (media) => {
    const list = {
      media: Str(media),
      matches: false,
      addListener: (what) => {
        list.onchange = what;
      },
      removeListener: STUB,
    };
    push(everyElement, list);
    return Object.assign(list, listen(list));
  };
  G.getSelection = () => ({ toString: () => '', removeAllRanges: () => {} });
  G.requestAnimationFrame = (f) => addTimer(f, 16, [0]);
  G.cancelAnimationFrame = dropTimer;
  G.requestIdleCallback = (f) => addTimer(f, 1, [{ didTimeout: false, timeRemaining: () => 10 }]);
  G.setTimeout = (f, ms, ...args) => addTimer(f, ms, args);
  G.setInterval = (f, ms, ...args) => addTimer(f, ms, args, true);
  G.clearTimeout = G.clearInterval = dropTimer;
  G.queueMicrotask = (f) => {
    Promise.resolve().then(f);
  };
  G.Blob = Blob;
  G.File = File;
  G.console = {
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
  G.Intl = {
    DateTimeFormat: function () {
      return {
        resolvedOptions: () => ({ timeZone: 'Europe/Berlin', locale: 'en-US', calendar: 'gregory' }),
        format: (date) => Str(date),
      };
    },
    NumberFormat: function () {
      return { format: (n) => Str(n), resolvedOptions: () => ({ locale: 'en-US' }) };
    },
  };
  G.external = blank('external');
  G.chrome = { runtime: {}, loadTimes: () => ({}) };
};
