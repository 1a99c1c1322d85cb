/**
 * The border between two realms of one interpreter. The prelude has one of its own, and the scripts of a file have the other; no
 * object of the prelude is ever handed over, only a façade of it that looks native, and no object of a script is used but through a
 * wrapper that does not throw. So whatever a script does to the built-ins it finds, the prelude uses others. Text for QuickJS, in
 * which `S` is the global object of the scripts; see prelude-core.ts.
 */
export const PRELUDE_MEMBRANE = `
const R = Reflect, define = R.defineProperty, isArray = Array.isArray, MOST_ITEMS = 1e6;
const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';
const hasOwn = (object, key) => R.getOwnPropertyDescriptor(object, key) !== undefined;
const fixed = (value) => ({ value, writable: false, enumerable: false, configurable: true });
const plain = (value) => ({ value, writable: true, enumerable: true, configurable: true });

// Of the prelude: its façade. Of a script: its wrapper. And back: what stands behind a façade, what stands behind a wrapper.
const facades = new WeakMap(), wrappers = new WeakMap(), behindFacade = new WeakMap(), behindWrapper = new WeakMap();
// Objects that answer for every name, and take what is set.
const dynamic = new WeakSet();
// Functions that say of themselves that they are native.
const natives = new WeakSet();
// What a script puts on a façade stays on its side: the prelude never reads it.
const added = new WeakMap();

// --- built-ins of both realms, pair by pair, as long as no script ran
const pairOf = new WeakMap();
const pairUp = (own, theirs) => {
  if (!isObject(own) || !isObject(theirs) || behindWrapper.has(own)) return;
  behindWrapper.set(own, theirs); pairOf.set(theirs, own);
  for (const key of R.ownKeys(own)) {
    const one = R.getOwnPropertyDescriptor(own, key), other = R.getOwnPropertyDescriptor(theirs, key);
    if (other !== undefined) for (const part of ['value', 'get', 'set']) pairUp(one[part], other[part]);
  }
  pairUp(R.getPrototypeOf(own), R.getPrototypeOf(theirs));
};
pairUp(globalThis, S);
// Those that have no name.
const SAMPLES = '[function*(){},async function(){},async function*(){},(function*(){})(),(async function*(){})(),[][Symbol.iterator](),""[Symbol.iterator](),new Map()[Symbol.iterator](),new Set()[Symbol.iterator](),/a/[Symbol.matchAll]("a"),Iterator.from({next(){}}),[].values().map((x)=>x)]';
{ const own = (0, eval)(SAMPLES), theirs = S.eval(SAMPLES); for (let i = 0; i < own.length; i++) pairUp(R.getPrototypeOf(own[i]), R.getPrototypeOf(theirs[i])); }

const THEIRS = { eval: S.eval, Array: S.Array, Uint8Array: S.Uint8Array, ArrayBuffer: S.ArrayBuffer, Promise: S.Promise, Error: S.Error, TypeError: S.TypeError, RangeError: S.RangeError, InternalError: S.InternalError, Date: S.Date, Function: S.Function, functions: S.Function.prototype, objects: S.Object.prototype };
// Thrown when not even an error can be made any more.
const EXHAUSTED = R.construct(S.InternalError, ['stack overflow']);
R.deleteProperty(EXHAUSTED, 'stack');

// --- what a script's own code throws where it was only asked for a value: first it is recorded what it does, then it is thrown
let call = null, exhausted = '';
const begun = () => { const outer = call; call = { deferred: null, texts: new Map() }; return outer; };
const isOurs = (error) => { try { return error instanceof Error && !behindWrapper.has(error); } catch (again) { return false; } };
const defer = (error) => { noteExhausted(error); if (call !== null && call.deferred === null) call.deferred = { error: isOurs(error) ? thrown(error) : error }; };
const noteExhausted = (error) => { if (exhausted === '' && isOurs(error) && error instanceof InternalError) exhausted = error.message; };
const settled = (outer) => { const { deferred } = call; call = outer; if (deferred !== null) throw deferred.error; };

// --- from the prelude to a script
const toS = (value, name) => {
  if (!isObject(value)) return value;
  const known = behindWrapper.get(value);
  if (known !== undefined) return known;
  if (behindFacade.has(value)) return value;
  return facades.get(value) || facadeOf(value, typeof name === 'string' ? name : undefined);
};
const facadeOf = (value, name) => {
  if (!dynamic.has(value)) {
    if (isArray(value)) { const out = R.construct(THEIRS.Array, []); for (let i = 0; i < value.length; i++) define(out, i, plain(toS(value[i]))); return out; }
    if (ArrayBuffer.isView(value)) { const out = R.construct(THEIRS.Uint8Array, [value.length]); new Uint8Array(bufferOf(out)).set(value); return out; }
    if (value instanceof ArrayBuffer) { const out = R.construct(THEIRS.ArrayBuffer, [value.byteLength]); new Uint8Array(out).set(new Uint8Array(value)); return out; }
    if (value instanceof Promise) return remember(value, R.construct(THEIRS.Promise, [(resolve, reject) => { value.then((result) => { R.apply(resolve, undefined, [toS(result)]); }, (error) => { R.apply(reject, undefined, [toS(error)]); }); }]));
    if (value instanceof Error) return remember(value, errorOf(value));
    if (value instanceof Date) return R.construct(THEIRS.Date, [value.getTime()]);
    if (typeof value === 'function') return functionOf(value, name);
  }
  const target = typeof value === 'function' ? function () {}.bind() : {};
  R.setPrototypeOf(target, null);
  originals.set(target, value);
  return remember(value, new Proxy(target, facadeTraps));
};
const remember = (value, facade) => { facades.set(value, facade); behindFacade.set(facade, value); return facade; };
const bufferOf = (view) => R.get(Object.getPrototypeOf(Uint8Array.prototype), 'buffer', view);

// Faults of the prelude itself say nothing of it.
const INTERNAL = /not a function|cannot (read|set|convert)|is not defined|not iterable|not a constructor|read-only|no setter|invalid/i;
const errorOf = (error) => {
  noteExhausted(error);
  const isFault = !(error instanceof InternalError) && INTERNAL.test(error.message);
  const made = R.construct(error instanceof InternalError ? THEIRS.InternalError : error instanceof RangeError ? THEIRS.RangeError : error instanceof TypeError ? THEIRS.TypeError : THEIRS.Error, [isFault ? 'Illegal invocation' : error.message]);
  R.deleteProperty(made, 'stack');
  return made;
};
// Only for what was thrown: never fails.
const thrown = (error) => { try { return toS(error); } catch (again) { if (exhausted === '') exhausted = 'stack overflow'; return EXHAUSTED; } };

const enter = (work, self, args, isNew) => {
  const outer = begun();
  try {
    const given = []; for (let i = 0; i < args.length; i++) given[i] = toP(args[i]);
    return toS(isNew ? R.construct(work, given) : R.apply(work, toP(self), given));
  } catch (error) { throw thrown(error); } finally { settled(outer); }
};
const asNative = (made, name, length) => { R.setPrototypeOf(made, THEIRS.functions); define(made, 'name', fixed(name)); define(made, 'length', fixed(length)); natives.add(made); return made; };
// A function is called by what it was first asked for as.
const functionOf = (work, name = work.name) => {
  const isConstructor = hasOwn(work, 'prototype');
  const made = isConstructor ? function (...args) { const one = enter(work, this, args, new.target !== undefined); if (new.target !== undefined && new.target !== made && behindFacade.has(one)) kinds.set(behindFacade.get(one), R.get(new.target, 'prototype')); return one; } : { m(...args) { return enter(work, this, args, false); } }.m;
  remember(work, asNative(made, name, work.length));
  if (isConstructor) define(made, 'prototype', { value: toS(work.prototype), writable: false });
  if (work[PUT] !== undefined) define(made, names.put, fixed(toS(work[PUT])));
  for (const key of Object.keys(work).concat(Object.getOwnPropertyNames(work))) if (key !== 'length' && key !== 'name' && key !== 'prototype' && !hasOwn(made, key)) define(made, key, { value: toS(work[key]), writable: true, enumerable: false, configurable: true });
  return made;
};

// Prototypes of what a script derived.
const kinds = new WeakMap();
const derived = (object, key) => { for (let at = kinds.get(object); isObject(at) && !behindFacade.has(at); at = R.getPrototypeOf(at)) if (hasOwn(at, key)) return at; return undefined; };
const originals = new WeakMap();
const trap = (work) => (target, a, b, c) => { const outer = begun(); try { return work(originals.get(target), a, b, c); } catch (error) { throw thrown(error); } finally { settled(outer); } };
const addedTo = (object, key) => { const own = added.get(object); return own === undefined ? undefined : own.get(key); };
const add = (object, key, descriptor) => { let own = added.get(object); if (own === undefined) added.set(object, own = new Map()); own.set(key, descriptor); return true; };
// The object and what it inherits from, as far as a script can have added to it.
const found = (object, key) => { if (dynamic.has(object)) return addedTo(object, key); for (let at = object; at !== null; at = R.getPrototypeOf(at)) { const own = addedTo(at, key); if (own !== undefined) return own; if (hasOwn(at, key)) return undefined; } return undefined; };
const setterOf = (object, key) => { for (let at = object; at !== null; at = R.getPrototypeOf(at)) { const own = R.getOwnPropertyDescriptor(at, key); if (own !== undefined) return own.set; } return undefined; };
const isHandler = (key) => typeof key === 'string' && key.length > 2 && key[0] === 'o' && key[1] === 'n';
const field = (descriptor, key) => { const own = R.getOwnPropertyDescriptor(descriptor, key); return own === undefined ? undefined : own.value; };
const shown = (descriptor) => { if (descriptor === undefined) return undefined; const { enumerable } = descriptor; return 'value' in descriptor ? { value: toS(descriptor.value), writable: true, enumerable, configurable: true } : { get: toS(descriptor.get), set: toS(descriptor.set), enumerable, configurable: true }; };
const facadeTraps = {
  get: trap((object, key, receiver) => {
    const own = found(object, key);
    if (own !== undefined) return 'value' in own ? own.value : own.get === undefined ? undefined : R.apply(own.get, receiver, []);
    const kind = kinds.has(object) ? derived(object, key) : undefined;
    return kind === undefined ? toS(R.get(object, key), key) : R.get(kind, key, receiver);
  }),
  set: trap((object, key, value, receiver) => {
    if (key === '__proto__') return true;
    if (behindFacade.get(receiver) !== object) return define(receiver, key, plain(value));
    const own = found(object, key);
    if (own !== undefined && own.set !== undefined) { R.apply(own.set, receiver, [value]); return true; }
    if (own === undefined && (dynamic.has(object) || isHandler(key) || setterOf(object, key) !== undefined)) { R.set(object, key, toP(value)); return true; }
    return add(object, key, plain(value));
  }),
  has: trap((object, key) => addedTo(object, key) !== undefined || R.has(object, key)),
  deleteProperty: trap((object, key) => { const own = added.get(object); if (own !== undefined) own.delete(key); return true; }),
  ownKeys: trap((object) => { const keys = R.ownKeys(object).filter((key) => typeof key === 'string'); const own = added.get(object); if (own !== undefined) for (const key of own.keys()) if (!keys.includes(key)) keys.push(key); return keys; }),
  getOwnPropertyDescriptor: trap((object, key) => {
    const own = addedTo(object, key);
    if (own !== undefined) return own;
    if (dynamic.has(object)) return typeof key === 'string' && R.has(object, key) ? shown(plain(R.get(object, key))) : undefined;
    return typeof key === 'string' ? shown(R.getOwnPropertyDescriptor(object, key)) : undefined;
  }),
  defineProperty: trap((object, key, descriptor) => {
    const get = field(descriptor, 'get'), set = field(descriptor, 'set'), enumerable = field(descriptor, 'enumerable') === true;
    return add(object, key, get === undefined && set === undefined ? { ...plain(field(descriptor, 'value')), enumerable } : { get, set, enumerable, configurable: true });
  }),
  getPrototypeOf: trap((object) => kinds.get(object) || toS(R.getPrototypeOf(object))),
  setPrototypeOf: () => true,
  preventExtensions: () => false,
  apply: (target, self, args) => enter(originals.get(target), self, args, false),
  construct: (target, args) => enter(originals.get(target), undefined, args, true),
};

// --- from a script to the prelude
const toP = (value) => {
  if (!isObject(value)) return value;
  const known = behindFacade.get(value);
  return known === undefined ? wrappers.get(value) || wrapperOf(value) : known;
};
const wrapperOf = (value) => {
  try {
    if (isArray(value)) { const out = []; const length = value.length; if (length > MOST_ITEMS) rec('limit', 'array'); for (let i = 0; i < length && i < MOST_ITEMS; i++) out[i] = toP(R.get(value, i)); return out; }
    const bytes = bytesBehind(value);
    if (bytes !== null) { behindWrapper.set(bytes, value); return bytes; }
  } catch (error) { defer(error); }
  const target = typeof value === 'function' ? function () {}.bind() : {};
  const wrapper = new Proxy(target, wrapperTraps);
  raws.set(target, value); behindWrapper.set(wrapper, value); wrappers.set(value, wrapper);
  return wrapper;
};
const ofView = (kind, name) => { const { get } = R.getOwnPropertyDescriptor(kind, name); return (view) => R.apply(get, view, []); };
const [Typed, Data] = [Object.getPrototypeOf(Uint8Array.prototype), DataView.prototype].map((kind) => ({ buffer: ofView(kind, 'buffer'), offset: ofView(kind, 'byteOffset'), length: ofView(kind, 'byteLength') }));
const lengthOf = ofView(ArrayBuffer.prototype, 'byteLength');
const bytesBehind = (value) => {
  if (typeof value === 'function') return null;
  if (ArrayBuffer.isView(value)) { let of = Typed; try { Typed.buffer(value); } catch (error) { of = Data; } return new Uint8Array(of.buffer(value), of.offset(value), of.length(value)); }
  try { lengthOf(value); } catch (error) { return null; }
  return new Uint8Array(value);
};
const raws = new WeakMap();
const orNothing = (work) => (target, a, b, c) => { try { return work(raws.get(target), a, b, c); } catch (error) { defer(error); return undefined; } };
const orThrow = (work) => (target, a, b) => { try { return work(raws.get(target), a, b); } catch (error) { throw isOurs(error) ? error : toP(error); } };
// Asked once in a call for the text it is: a script cannot answer one thing to what records and another to what follows.
const primitive = (raw, hint) => { const texts = call === null ? new Map() : call.texts; let known = texts.get(raw); if (known === undefined) texts.set(raw, known = new Map()); if (!known.has(hint)) { let value = ''; try { value = hint === 'number' ? +raw : '' + (hint === 'string' ? R.apply(String, undefined, [raw]) : raw); } catch (error) { defer(error); } known.set(hint, value); } return known.get(hint); };
const listOf = (args) => { const list = []; for (let i = 0; i < args.length; i++) list[i] = toS(args[i]); return list; };
const theirs = (descriptor) => { const out = {}; for (const key of R.ownKeys(descriptor)) out[key] = toS(descriptor[key]); return out; };
const wrapperTraps = {
  get: orNothing((raw, key) => key === Symbol.toPrimitive ? (hint) => primitive(raw, hint) : toP(R.get(raw, key))),
  set: orNothing((raw, key, value) => { if (hasOwn(raw, key)) R.set(raw, key, toS(value, key)); else define(raw, key, { value: toS(value, key), writable: true, enumerable: raw !== S, configurable: true }); return true; }),
  has: (target, key) => { try { return R.has(raws.get(target), key); } catch (error) { defer(error); return false; } },
  deleteProperty: orNothing((raw, key) => { R.deleteProperty(raw, key); return true; }),
  ownKeys: (target) => { try { return R.ownKeys(raws.get(target)); } catch (error) { defer(error); return []; } },
  getOwnPropertyDescriptor: orNothing((raw, key) => { const own = R.getOwnPropertyDescriptor(raw, key); return own === undefined ? undefined : 'value' in own ? { value: toP(own.value), writable: true, enumerable: own.enumerable, configurable: true } : { get: toP(own.get), set: toP(own.set), enumerable: own.enumerable, configurable: true }; }),
  defineProperty: orNothing((raw, key, descriptor) => define(raw, key, theirs(descriptor))),
  getPrototypeOf: (target) => { try { const kind = R.getPrototypeOf(raws.get(target)); return kind === null ? null : pairOf.get(kind) || toP(kind); } catch (error) { defer(error); return null; } },
  apply: orThrow((raw, self, args) => toP(R.apply(raw, toS(self), listOf(args)))),
  construct: orThrow((raw, args) => toP(R.construct(raw, listOf(args)))),
};
`;
