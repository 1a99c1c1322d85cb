/**
 * The two realms of one interpreter. The environment has one of its own and the scripts of a file have the other (`S`), so
 * whatever a script does to the built-ins it finds, the environment uses others.
 */
export const R = Reflect,
  define = R.defineProperty,
  isArray = Array.isArray,
  MOST_ITEMS = 1e6;
export const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';
export const hasOwn = (object, key) => R.getOwnPropertyDescriptor(object, key) !== undefined;
export const fixed = (value) => ({ value, writable: false, enumerable: false, configurable: true });
export const plain = (value) => ({ value, writable: true, enumerable: true, configurable: true });

// Of the environment: its proxy. Of a script: its wrapper. And back: what stands behind a proxy, what stands behind a wrapper.
export const proxies = new WeakMap(),
  wrappers = new WeakMap(),
  behindProxy = new WeakMap(),
  behindWrapper = new WeakMap();
// Objects that answer for every name, and take what is set.
export const dynamic = new WeakSet();
// Functions that say of themselves that they are native.
export const natives = new WeakSet();
// What a script puts on a proxy stays on its side: the environment never reads it.
export const added = new WeakMap();

export const pairOf = new WeakMap();
const pairUp = (own, theirs) => {
  if (!isObject(own) || !isObject(theirs) || behindWrapper.has(own)) return;
  behindWrapper.set(own, theirs);
  pairOf.set(theirs, own);
  for (const key of R.ownKeys(own)) {
    /** @type {any} */
    const one = R.getOwnPropertyDescriptor(own, key),
      other = R.getOwnPropertyDescriptor(theirs, key);
    if (other !== undefined) for (const part of ['value', 'get', 'set']) pairUp(one[part], other[part]);
  }
  pairUp(R.getPrototypeOf(own), R.getPrototypeOf(theirs));
};
pairUp(globalThis, S);
// Those that have no name.
const SAMPLES =
  '[function*(){},async function(){},async function*(){},(function*(){})(),(async function*(){})(),[][Symbol.iterator](),""[Symbol.iterator](),new Map()[Symbol.iterator](),new Set()[Symbol.iterator](),/a/[Symbol.matchAll]("a"),Iterator.from({next(){}}),[].values().map((x)=>x)]';
{
  // biome-ignore lint/security/noGlobalEval: a text of our own, evaluated in both realms alike
  const own = globalThis.eval(SAMPLES);
  const theirs = S.eval(SAMPLES);
  for (let i = 0; i < own.length; i++) pairUp(R.getPrototypeOf(own[i]), R.getPrototypeOf(theirs[i]));
}

export const THEIRS = {
  eval: S.eval,
  Array: S.Array,
  Uint8Array: S.Uint8Array,
  ArrayBuffer: S.ArrayBuffer,
  Promise: S.Promise,
  Error: S.Error,
  TypeError: S.TypeError,
  RangeError: S.RangeError,
  InternalError: S.InternalError,
  Date: S.Date,
  Function: S.Function,
  functions: S.Function.prototype,
  objects: S.Object.prototype,
};
// Thrown when not even an error can be made any more.
export const EXHAUSTED = R.construct(S.InternalError, ['stack overflow']);
R.deleteProperty(EXHAUSTED, 'stack');
