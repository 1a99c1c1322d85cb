/**
 * The two realms of one interpreter. The environment has one, and the scripts of a file have the other (`theirGlobal`). So a script that
 * changes its built-ins does not change those that the environment uses.
 */
export const define = Reflect.defineProperty,
  isArray = Array.isArray,
  MAX_ITEMS = 1e6;
export const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';
export const hasOwn = (object, key) => Reflect.getOwnPropertyDescriptor(object, key) !== undefined;
export const fixed = (value) => ({ value, writable: false, enumerable: false, configurable: true });
export const plain = (value) => ({ value, writable: true, enumerable: true, configurable: true });

// The proxy of each object of the environment, the wrapper of each object of a script, and the objects behind proxies and wrappers.
export const proxies = new WeakMap(),
  wrappers = new WeakMap(),
  behindProxy = new WeakMap(),
  behindWrapper = new WeakMap();
// Objects that answer for every name and take any value.
export const dynamic = new WeakSet();
// Functions whose text says that they are native.
export const natives = new WeakSet();
// Properties that a script adds to a proxy. The environment never reads it.
export const added = new WeakMap();

export const pairOf = new WeakMap();
const pairUp = (own, theirs) => {
  if (!isObject(own) || !isObject(theirs) || behindWrapper.has(own)) return;
  behindWrapper.set(own, theirs);
  pairOf.set(theirs, own);
  for (const key of Reflect.ownKeys(own)) {
    /** @type {any} */
    const one = Reflect.getOwnPropertyDescriptor(own, key),
      other = Reflect.getOwnPropertyDescriptor(theirs, key);
    if (other !== undefined) for (const part of ['value', 'get', 'set']) pairUp(one[part], other[part]);
  }
  pairUp(Reflect.getPrototypeOf(own), Reflect.getPrototypeOf(theirs));
};
pairUp(globalThis, theirGlobal);
// Samples of the built-ins that have no name.
const SAMPLES =
  '[function*(){},async function(){},async function*(){},(function*(){})(),(async function*(){})(),[][Symbol.iterator](),""[Symbol.iterator](),new Map()[Symbol.iterator](),new Set()[Symbol.iterator](),/a/[Symbol.matchAll]("a"),Iterator.from({next(){}}),[].values().map((x)=>x)]';
{
  // biome-ignore lint/security/noGlobalEval: this constant text is evaluated in both realms
  const own = globalThis.eval(SAMPLES);
  const theirs = theirGlobal.eval(SAMPLES);
  for (let i = 0; i < own.length; i++) pairUp(Reflect.getPrototypeOf(own[i]), Reflect.getPrototypeOf(theirs[i]));
}

export const THEIRS = {
  eval: theirGlobal.eval,
  Array: theirGlobal.Array,
  Uint8Array: theirGlobal.Uint8Array,
  ArrayBuffer: theirGlobal.ArrayBuffer,
  Promise: theirGlobal.Promise,
  Error: theirGlobal.Error,
  TypeError: theirGlobal.TypeError,
  RangeError: theirGlobal.RangeError,
  InternalError: theirGlobal.InternalError,
  Date: theirGlobal.Date,
  Function: theirGlobal.Function,
  functions: theirGlobal.Function.prototype,
  objects: theirGlobal.Object.prototype,
};
// The error that is thrown when there is no memory or stack left to make one.
export const EXHAUSTED = Reflect.construct(theirGlobal.InternalError, ['stack overflow']);
Reflect.deleteProperty(EXHAUSTED, 'stack');
