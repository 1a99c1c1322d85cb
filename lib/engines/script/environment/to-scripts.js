/** Passes values from the environment to a script. A script never gets an object of the environment, but a proxy that looks native. */
import { PUT } from './bridge.js';
import { beginCall, endCall, noteExhausted, thrown } from './calls.js';
import { fromScripts } from './from-scripts.js';
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
  THEIRS,
} from './realms.js';

export const toScripts = (value, name) => {
  if (!isObject(value)) return value;
  const known = behindWrapper.get(value);
  if (known !== undefined) return known;
  if (behindProxy.has(value)) return value;
  return proxies.get(value) || proxyOf(value, typeof name === 'string' ? name : undefined);
};
const proxyOf = (value, name) => {
  if (!dynamic.has(value)) {
    if (isArray(value)) {
      const out = Reflect.construct(THEIRS.Array, []);
      for (let i = 0; i < value.length; i++) define(out, i, plain(toScripts(value[i])));
      return out;
    }
    if (ArrayBuffer.isView(value)) {
      const bytes = /** @type {Uint8Array} */ (value);
      const out = Reflect.construct(THEIRS.Uint8Array, [bytes.length]);
      new Uint8Array(bufferOf(out)).set(bytes);
      return out;
    }
    if (value instanceof ArrayBuffer) {
      const out = Reflect.construct(THEIRS.ArrayBuffer, [value.byteLength]);
      new Uint8Array(out).set(new Uint8Array(value));
      return out;
    }
    if (value instanceof Promise)
      return remember(
        value,
        Reflect.construct(THEIRS.Promise, [
          (resolve, reject) => {
            value.then(
              (result) => {
                Reflect.apply(resolve, undefined, [toScripts(result)]);
              },
              (error) => {
                Reflect.apply(reject, undefined, [toScripts(error)]);
              },
            );
          },
        ]),
      );
    if (value instanceof Error) return remember(value, errorOf(value));
    if (value instanceof Date) return Reflect.construct(THEIRS.Date, [value.getTime()]);
    if (typeof value === 'function') return functionOf(value, name);
  }
  const target = typeof value === 'function' ? function () {}.bind(undefined) : {};
  Reflect.setPrototypeOf(target, null);
  originals.set(target, value);
  return remember(value, new Proxy(target, proxyTraps));
};
const remember = (value, proxy) => {
  proxies.set(value, proxy);
  behindProxy.set(proxy, value);
  return proxy;
};
const bufferOf = (view) => Reflect.get(Object.getPrototypeOf(Uint8Array.prototype), 'buffer', view);

// Errors of the environment itself must not show it to scripts.
const INTERNAL =
  /not a function|cannot (read|set|convert)|is not defined|not iterable|not a constructor|read-only|no setter|invalid/i;
const errorOf = (error) => {
  noteExhausted(error);
  const isFault = !(error instanceof InternalError) && INTERNAL.test(error.message);
  const made = Reflect.construct(
    error instanceof InternalError
      ? THEIRS.InternalError
      : error instanceof RangeError
        ? THEIRS.RangeError
        : error instanceof TypeError
          ? THEIRS.TypeError
          : THEIRS.Error,
    [isFault ? 'Illegal invocation' : error.message],
  );
  Reflect.deleteProperty(made, 'stack');
  return made;
};

export const enter = (work, self, args, isNew) => {
  const outer = beginCall();
  try {
    const given = [];
    for (let i = 0; i < args.length; i++) given[i] = fromScripts(args[i]);
    return toScripts(isNew ? Reflect.construct(work, given) : Reflect.apply(work, fromScripts(self), given));
  } catch (error) {
    throw thrown(error);
  } finally {
    endCall(outer);
  }
};
export const asNative = (made, name, length) => {
  Reflect.setPrototypeOf(made, THEIRS.functions);
  define(made, 'name', fixed(name));
  define(made, 'length', fixed(length));
  natives.add(made);
  return made;
};
// A function keeps the name under which a script first asked for it.
const functionOf = (work, name = work.name) => {
  const isConstructor = hasOwn(work, 'prototype');
  const made = isConstructor
    ? function (...args) {
        const one = enter(work, this, args, new.target !== undefined);
        if (new.target !== undefined && new.target !== made && behindProxy.has(one))
          kinds.set(behindProxy.get(one), Reflect.get(new.target, 'prototype'));
        return one;
      }
    : {
        m(...args) {
          return enter(work, this, args, false);
        },
      }.m;
  remember(work, asNative(made, name, work.length));
  if (isConstructor) define(made, 'prototype', { value: toScripts(work.prototype), writable: false });
  if (work[PUT] !== undefined) define(made, names.put, fixed(toScripts(work[PUT])));
  for (const key of Object.keys(work).concat(Object.getOwnPropertyNames(work)))
    if (key !== 'length' && key !== 'name' && key !== 'prototype' && !hasOwn(made, key))
      define(made, key, { value: toScripts(work[key]), writable: true, enumerable: false, configurable: true });
  return made;
};
