/** The traps of the proxies that scripts get. They behave like native objects, to which scripts may add anything. */
import { beginCall, endCall, thrown } from './calls.js';
import { fromScripts } from './from-scripts.js';
import { added, behindProxy, define, dynamic, hasOwn, isObject, plain } from './realms.js';
import { enter, toScripts } from './to-scripts.js';

// The prototypes of objects whose class a script derived.
export const kinds = new WeakMap();
export const derived = (object, key) => {
  for (let at = kinds.get(object); isObject(at) && !behindProxy.has(at); at = Reflect.getPrototypeOf(at))
    if (hasOwn(at, key)) return at;
  return undefined;
};
export const originals = new WeakMap();
const trap = (work) => (target, a, b, c) => {
  const outer = beginCall();
  try {
    return work(originals.get(target), a, b, c);
  } catch (error) {
    throw thrown(error);
  } finally {
    endCall(outer);
  }
};
const addedTo = (object, key) => {
  const own = added.get(object);
  return own === undefined ? undefined : own.get(key);
};
const add = (object, key, descriptor) => {
  let own = added.get(object);
  if (own === undefined) {
    own = new Map();
    added.set(object, own);
  }
  own.set(key, descriptor);
  return true;
};
// Looks for what a script added to the object or to an object from which it inherits.
export const found = (object, key) => {
  if (dynamic.has(object)) return addedTo(object, key);
  for (let at = object; at !== null; at = Reflect.getPrototypeOf(at)) {
    const own = addedTo(at, key);
    if (own !== undefined) return own;
    if (hasOwn(at, key)) return undefined;
  }
  return undefined;
};
const setterOf = (object, key) => {
  for (let at = object; at !== null; at = Reflect.getPrototypeOf(at)) {
    const own = Reflect.getOwnPropertyDescriptor(at, key);
    if (own !== undefined) return own.set;
  }
  return undefined;
};
const isHandler = (key) => typeof key === 'string' && key.length > 2 && key[0] === 'o' && key[1] === 'n';
export const field = (descriptor, key) => {
  const own = Reflect.getOwnPropertyDescriptor(descriptor, key);
  return own === undefined ? undefined : own.value;
};
const shown = (descriptor) => {
  if (descriptor === undefined) return undefined;
  const { enumerable } = descriptor;
  return 'value' in descriptor
    ? { value: toScripts(descriptor.value), writable: true, enumerable, configurable: true }
    : { get: toScripts(descriptor.get), set: toScripts(descriptor.set), enumerable, configurable: true };
};
export const proxyTraps = {
  get: trap((object, key, receiver) => {
    const own = found(object, key);
    if (own !== undefined)
      return 'value' in own ? own.value : own.get === undefined ? undefined : Reflect.apply(own.get, receiver, []);
    const kind = kinds.has(object) ? derived(object, key) : undefined;
    return kind === undefined ? toScripts(Reflect.get(object, key), key) : Reflect.get(kind, key, receiver);
  }),
  set: trap((object, key, value, receiver) => {
    if (key === '__proto__') return true;
    if (behindProxy.get(receiver) !== object) return define(receiver, key, plain(value));
    const own = found(object, key);
    if (own !== undefined && own.set !== undefined) {
      Reflect.apply(own.set, receiver, [value]);
      return true;
    }
    if (own === undefined && (dynamic.has(object) || isHandler(key) || setterOf(object, key) !== undefined)) {
      Reflect.set(object, key, fromScripts(value));
      return true;
    }
    return add(object, key, plain(value));
  }),
  has: trap((object, key) => addedTo(object, key) !== undefined || Reflect.has(object, key)),
  deleteProperty: trap((object, key) => {
    const own = added.get(object);
    if (own !== undefined) own.delete(key);
    return true;
  }),
  ownKeys: trap((object) => {
    const keys = Reflect.ownKeys(object).filter((key) => typeof key === 'string');
    const own = added.get(object);
    if (own !== undefined) for (const key of own.keys()) if (!keys.includes(key)) keys.push(key);
    return keys;
  }),
  getOwnPropertyDescriptor: trap((object, key) => {
    const own = addedTo(object, key);
    if (own !== undefined) return own;
    if (dynamic.has(object))
      return typeof key === 'string' && Reflect.has(object, key) ? shown(plain(Reflect.get(object, key))) : undefined;
    return typeof key === 'string' ? shown(Reflect.getOwnPropertyDescriptor(object, key)) : undefined;
  }),
  defineProperty: trap((object, key, descriptor) => {
    const get = field(descriptor, 'get'),
      set = field(descriptor, 'set'),
      enumerable = field(descriptor, 'enumerable') === true;
    return add(
      object,
      key,
      get === undefined && set === undefined
        ? { ...plain(field(descriptor, 'value')), enumerable }
        : { get, set, enumerable, configurable: true },
    );
  }),
  getPrototypeOf: trap((object) => kinds.get(object) || toScripts(Reflect.getPrototypeOf(object))),
  setPrototypeOf: () => true,
  preventExtensions: () => false,
  apply: (target, self, args) => enter(originals.get(target), self, args, false),
  construct: (target, args) => enter(originals.get(target), undefined, args, true),
};
