/** Listeners and events. Every handler that was called in any way is noted. */
import { push, Str, slice } from './bridge.js';
import { isObject } from './realms.js';
import { scriptGlobal } from './script-global.js';

export const listeners = []; // { target, type, what }
export const listen = (target) => ({
  addEventListener: (type, what) => {
    push(listeners, { target, type: Str(type), what });
  },
  removeEventListener: () => {},
  attachEvent: (type, what) => {
    push(listeners, { target, type: slice(Str(type), 2), what });
  },
  dispatchEvent: (event) => {
    if (event && event.type === 'click' && target.click) target.click();
    else fire(target, event && event.type, event);
    return true;
  },
});
// The handlers that were called in any way.
export const called = new WeakSet();
export const STUB = () => {};
export const fire = (target, type, given) => {
  const event = {
    type,
    target,
    currentTarget: target,
    srcElement: target,
    preventDefault: () => {},
    stopPropagation: () => {},
    isTrusted: true,
    clientX: 412,
    clientY: 267,
    pageX: 412,
    pageY: 267,
    screenX: 512,
    screenY: 367,
    key: 'a',
    keyCode: 65,
    which: 1,
    button: 0,
    data: '',
    origin: 'null',
    source: scriptGlobal,
    stopImmediatePropagation: STUB,
    composedPath: () => [target],
  };
  if (given !== null && typeof given === 'object')
    for (const name of [
      'data',
      'detail',
      'state',
      'reason',
      'error',
      'touches',
      'clipboardData',
      'dataTransfer',
      'ports',
    ])
      if (given[name] !== undefined) event[name] = given[name];
  const own = target['on' + type];
  if (typeof own === 'function') {
    called.add(own);
    Reflect.apply(own, target, [event]);
  }
  for (let i = 0; i < listeners.length; i++) {
    const l = listeners[i];
    if (l.target === target && l.type === type && isObject(l.what)) {
      called.add(l.what);
      if (typeof l.what === 'function') Reflect.apply(l.what, target, [event]);
      else if (l.what && typeof l.what.handleEvent === 'function') l.what.handleEvent(event);
    }
  }
};
