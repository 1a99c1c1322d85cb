/** Passes values from a script to the environment. Objects of a script are only used through a wrapper that does not throw. */
import { rec } from './bridge.js';
import { call, defer, isOurs } from './calls.js';
import {
  behindProxy,
  behindWrapper,
  define,
  hasOwn,
  isArray,
  isObject,
  MAX_ITEMS,
  pairOf,
  wrappers,
} from './realms.js';
import { toScripts } from './to-scripts.js';

export const fromScripts = (value) => {
  if (!isObject(value)) return value;
  const known = behindProxy.get(value);
  return known === undefined ? wrappers.get(value) || wrapperOf(value) : known;
};
const wrapperOf = (value) => {
  try {
    if (isArray(value)) {
      const out = [];
      const length = value.length;
      if (length > MAX_ITEMS) rec('limit', 'array');
      for (let i = 0; i < length && i < MAX_ITEMS; i++) out[i] = fromScripts(Reflect.get(value, i));
      return out;
    }
    const bytes = bytesBehind(value);
    if (bytes !== null) {
      behindWrapper.set(bytes, value);
      return bytes;
    }
  } catch (error) {
    defer(error);
  }
  const target = typeof value === 'function' ? function () {}.bind(undefined) : {};
  const wrapper = new Proxy(target, wrapperTraps);
  raws.set(target, value);
  behindWrapper.set(wrapper, value);
  wrappers.set(value, wrapper);
  return wrapper;
};
const ofView = (kind, name) => {
  const { get } = /** @type {any} */ (Reflect.getOwnPropertyDescriptor(kind, name));
  return (view) => Reflect.apply(get, view, []);
};
const [Typed, Data] = [Object.getPrototypeOf(Uint8Array.prototype), DataView.prototype].map((kind) => ({
  buffer: ofView(kind, 'buffer'),
  offset: ofView(kind, 'byteOffset'),
  length: ofView(kind, 'byteLength'),
}));
const lengthOf = ofView(ArrayBuffer.prototype, 'byteLength');
const bytesBehind = (value) => {
  if (typeof value === 'function') return null;
  if (ArrayBuffer.isView(value)) {
    let of = Typed;
    try {
      Typed.buffer(value);
    } catch {
      of = Data;
    }
    return new Uint8Array(of.buffer(value), of.offset(value), of.length(value));
  }
  try {
    lengthOf(value);
  } catch {
    return null;
  }
  return new Uint8Array(value);
};
const raws = new WeakMap();
const orNothing = (work) => (target, a, b, c) => {
  try {
    return work(raws.get(target), a, b, c);
  } catch (error) {
    defer(error);
    return undefined;
  }
};
const orThrow = (work) => (target, a, b) => {
  try {
    return work(raws.get(target), a, b);
  } catch (error) {
    throw isOurs(error) ? error : fromScripts(error);
  }
};
// An object is asked for its text only once in a call, so that it cannot give one text to the recorder and another to what follows.
const primitive = (raw, hint) => {
  const texts = call === null ? new Map() : call.texts;
  let known = texts.get(raw);
  if (known === undefined) {
    known = new Map();
    texts.set(raw, known);
  }
  if (!known.has(hint)) {
    /** @type {string | number} */
    let value = '';
    try {
      value = hint === 'number' ? +raw : '' + (hint === 'string' ? Reflect.apply(String, undefined, [raw]) : raw);
    } catch (error) {
      defer(error);
    }
    known.set(hint, value);
  }
  return known.get(hint);
};
const listOf = (args) => {
  const list = [];
  for (let i = 0; i < args.length; i++) list[i] = toScripts(args[i]);
  return list;
};
export const theirs = (descriptor) => {
  const out = {};
  for (const key of Reflect.ownKeys(descriptor)) out[key] = toScripts(descriptor[key]);
  return out;
};
const wrapperTraps = {
  get: orNothing((raw, key) =>
    key === Symbol.toPrimitive ? (hint) => primitive(raw, hint) : fromScripts(Reflect.get(raw, key)),
  ),
  set: orNothing((raw, key, value) => {
    if (hasOwn(raw, key)) Reflect.set(raw, key, toScripts(value, key));
    else
      define(raw, key, {
        value: toScripts(value, key),
        writable: true,
        enumerable: raw !== theirGlobal,
        configurable: true,
      });
    return true;
  }),
  has: (target, key) => {
    try {
      return Reflect.has(raws.get(target), key);
    } catch (error) {
      defer(error);
      return false;
    }
  },
  deleteProperty: orNothing((raw, key) => {
    Reflect.deleteProperty(raw, key);
    return true;
  }),
  ownKeys: (target) => {
    try {
      return Reflect.ownKeys(raws.get(target));
    } catch (error) {
      defer(error);
      return [];
    }
  },
  getOwnPropertyDescriptor: orNothing((raw, key) => {
    const own = Reflect.getOwnPropertyDescriptor(raw, key);
    return own === undefined
      ? undefined
      : 'value' in own
        ? { value: fromScripts(own.value), writable: true, enumerable: own.enumerable, configurable: true }
        : { get: fromScripts(own.get), set: fromScripts(own.set), enumerable: own.enumerable, configurable: true };
  }),
  defineProperty: orNothing((raw, key, descriptor) => define(raw, key, theirs(descriptor))),
  getPrototypeOf: (target) => {
    try {
      const kind = Reflect.getPrototypeOf(raws.get(target));
      return kind === null ? null : pairOf.get(kind) || fromScripts(kind);
    } catch (error) {
      defer(error);
      return null;
    }
  },
  apply: orThrow((raw, self, args) => fromScripts(Reflect.apply(raw, toScripts(self), listOf(args)))),
  construct: orThrow((raw, args) => fromScripts(Reflect.construct(raw, listOf(args)))),
};
