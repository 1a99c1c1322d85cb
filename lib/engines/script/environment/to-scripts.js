/** From the environment to a script. No object of the environment is handed over, only a proxy of it that looks native. */
import { PUT } from './bridge.js';
import { beginCall, endCall, noteExhausted, thrown } from './calls.js';
import { toP } from './from-scripts.js';
import { names } from './prepared-names.js';
import { kinds, originals, proxyTraps } from './proxy-traps.js';
import {
  behindProxy,
  behindWrapper,
  define,
  dynamic,
  fixed,
  hasOwn,
  isArray,
  isObject,
  natives,
  plain,
  proxies,
  R,
  THEIRS,
} from './realms.js';

export const toS = (value, name) => {
  if (!isObject(value)) return value;
  const known = behindWrapper.get(value);
  if (known !== undefined) return known;
  if (behindProxy.has(value)) return value;
  return proxies.get(value) || proxyOf(value, typeof name === 'string' ? name : undefined);
};
const proxyOf = (value, name) => {
  if (!dynamic.has(value)) {
    if (isArray(value)) {
      const out = R.construct(THEIRS.Array, []);
      for (let i = 0; i < value.length; i++) define(out, i, plain(toS(value[i])));
      return out;
    }
    if (ArrayBuffer.isView(value)) {
      const bytes = /** @type {Uint8Array} */ (value);
      const out = R.construct(THEIRS.Uint8Array, [bytes.length]);
      new Uint8Array(bufferOf(out)).set(bytes);
      return out;
    }
    if (value instanceof ArrayBuffer) {
      const out = R.construct(THEIRS.ArrayBuffer, [value.byteLength]);
      new Uint8Array(out).set(new Uint8Array(value));
      return out;
    }
    if (value instanceof Promise)
      return remember(
        value,
        R.construct(THEIRS.Promise, [
          (resolve, reject) => {
            value.then(
              (result) => {
                R.apply(resolve, undefined, [toS(result)]);
              },
              (error) => {
                R.apply(reject, undefined, [toS(error)]);
              },
            );
          },
        ]),
      );
    if (value instanceof Error) return remember(value, errorOf(value));
    if (value instanceof Date) return R.construct(THEIRS.Date, [value.getTime()]);
    if (typeof value === 'function') return functionOf(value, name);
  }
  const target = typeof value === 'function' ? function () {}.bind(undefined) : {};
  R.setPrototypeOf(target, null);
  originals.set(target, value);
  return remember(value, new Proxy(target, proxyTraps));
};
const remember = (value, proxy) => {
  proxies.set(value, proxy);
  behindProxy.set(proxy, value);
  return proxy;
};
const bufferOf = (view) => R.get(Object.getPrototypeOf(Uint8Array.prototype), 'buffer', view);

// Faults of the environment itself say nothing of it.
const INTERNAL =
  /not a function|cannot (read|set|convert)|is not defined|not iterable|not a constructor|read-only|no setter|invalid/i;
const errorOf = (error) => {
  noteExhausted(error);
  const isFault = !(error instanceof InternalError) && INTERNAL.test(error.message);
  const made = R.construct(
    error instanceof InternalError
      ? THEIRS.InternalError
      : error instanceof RangeError
        ? THEIRS.RangeError
        : error instanceof TypeError
          ? THEIRS.TypeError
          : THEIRS.Error,
    [isFault ? 'Illegal invocation' : error.message],
  );
  R.deleteProperty(made, 'stack');
  return made;
};

export const enter = (work, self, args, isNew) => {
  const outer = beginCall();
  try {
    const given = [];
    for (let i = 0; i < args.length; i++) given[i] = toP(args[i]);
    return toS(isNew ? R.construct(work, given) : R.apply(work, toP(self), given));
  } catch (error) {
    throw thrown(error);
  } finally {
    endCall(outer);
  }
};
export const asNative = (made, name, length) => {
  R.setPrototypeOf(made, THEIRS.functions);
  define(made, 'name', fixed(name));
  define(made, 'length', fixed(length));
  natives.add(made);
  return made;
};
// A function is called by what it was first asked for as.
const functionOf = (work, name = work.name) => {
  const isConstructor = hasOwn(work, 'prototype');
  const made = isConstructor
    ? function (...args) {
        const one = enter(work, this, args, new.target !== undefined);
        if (new.target !== undefined && new.target !== made && behindProxy.has(one))
          kinds.set(behindProxy.get(one), R.get(new.target, 'prototype'));
        return one;
      }
    : {
        m(...args) {
          return enter(work, this, args, false);
        },
      }.m;
  remember(work, asNative(made, name, work.length));
  if (isConstructor) define(made, 'prototype', { value: toS(work.prototype), writable: false });
  if (work[PUT] !== undefined) define(made, names.put, fixed(toS(work[PUT])));
  for (const key of Object.keys(work).concat(Object.getOwnPropertyNames(work)))
    if (key !== 'length' && key !== 'name' && key !== 'prototype' && !hasOwn(made, key))
      define(made, key, { value: toS(work[key]), writable: true, enumerable: false, configurable: true });
  return made;
};
