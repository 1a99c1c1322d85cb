/**
 * First part of what is evaluated inside the interpreter before any script of a file: the bridge to the recorder, a clock that
 * only moves forward when asked, timers, and the watch over code that makes code. Not a module of ours but text for QuickJS, so
 * nothing here can reach the machine. What records is taken from the built-ins before a script can replace them.
 */
export const PRELUDE_CORE = String.raw`
const host = globalThis.__host; delete globalThis.__host;
const G = globalThis, Str = String, Num = Number, RealFunction = Function, RealDate = Date, realEval = eval;
const uncurry = Function.prototype.bind.bind(Function.prototype.call);
const split = uncurry(Str.prototype.split), join = uncurry(Array.prototype.join), lower = uncurry(Str.prototype.toLowerCase);
const indexOf = uncurry(Str.prototype.indexOf), slice = uncurry(Str.prototype.slice), charCode = uncurry(Str.prototype.charCodeAt);
const push = uncurry(Array.prototype.push), shift = uncurry(Array.prototype.shift), replaceText = uncurry(Str.prototype.replace);
const fromCodes = Str.fromCharCode, parseJson = JSON.parse, has = uncurry(Object.prototype.hasOwnProperty), floor = Math.floor;
// The bridge ends strings at NUL: a private character stands for it on the way.
const packed = (value) => { const text = Str(value); return indexOf(text, '\0') < 0 ? text : join(split(text, '\0'), '\uf8f0'); };
const unpacked = (text) => indexOf(text, '\uf8f0') < 0 ? text : join(split(text, '\uf8f0'), '\0');
let clockMs = 0;
const rec = (op, a = '', b = '', c = '') => unpacked(host(op, packed(a), packed(b), packed(c), Str(floor(clockMs))));

// --- clock: fast-forwarded; a loop that waits for the clock sees it move
const START = 1772532900000;
const advance = (ms) => { clockMs += ms > 0 ? +ms : 0; };
const current = () => { clockMs += 16; return START + floor(clockMs); };
G.Date = new Proxy(RealDate, {
  construct: (target, args) => args.length === 0 ? new target(current()) : Reflect.construct(target, args),
  apply: () => new RealDate(current()).toString(),
  get: (target, key) => key === 'now' ? current : target[key],
});
RealDate.prototype.constructor = G.Date;
RealDate.prototype.getVarDate = function () { return this; };
let seed = 20260303;
Math.random = () => { seed = (seed * 1103515245 + 12345) % 2147483648; return seed / 2147483648; };

// --- what is native is one step however long it takes: much of it is told to the host, too much is refused
const BIG = 65536, apply = Reflect.apply;
const natives = new WeakSet(), addNative = uncurry(WeakSet.prototype.add), isNative = uncurry(WeakSet.prototype.has);
const refuse = (what, message) => { rec('limit', what); throw new RangeError(message); };
const sizeOf = (value) => { if (typeof value === 'string') return value.length; if (value === null || value === undefined) return 0; const size = value.length; return typeof size === 'number' ? size : 0; };
const watch = (owner, name, most) => {
  const original = owner[name];
  if (typeof original !== 'function') return;
  const watched = function (...args) {
    const size = sizeOf(this), other = args.length > 0 ? sizeOf(args[0]) : 0;
    if (size > BIG || other > BIG) { if (size > most) refuse('array', 'Invalid array length'); rec('work'); }
    return apply(original, this, args);
  };
  addNative(natives, watched);
  Object.defineProperty(owner, name, { value: watched, writable: true, configurable: true });
};
for (const name of ['join', 'toString', 'indexOf', 'lastIndexOf', 'fill', 'reverse', 'sort', 'concat', 'slice', 'splice', 'forEach', 'map', 'filter', 'reduce', 'some', 'every', 'includes', 'unshift', 'shift', 'flat', 'copyWithin', 'toSorted', 'toReversed', 'toSpliced', 'with']) watch(Array.prototype, name, 4e6);
const Typed = Object.getPrototypeOf(Uint8Array.prototype);
for (const name of ['sort', 'toSorted', 'join', 'toString']) watch(Typed, name, 4e6);
for (const name of ['indexOf', 'lastIndexOf', 'includes', 'fill', 'reverse', 'set', 'slice', 'copyWithin']) watch(Typed, name, Infinity);
for (const name of ['toLowerCase', 'toUpperCase', 'concat', 'trim', 'normalize', 'localeCompare', 'match', 'matchAll', 'search', 'substring', 'substr', 'slice']) watch(Str.prototype, name, Infinity);
for (const name of ['exec', 'test', 'toString']) watch(RegExp.prototype, name, Infinity);
for (const name of ['escape', 'unescape', 'encodeURIComponent', 'decodeURIComponent', 'encodeURI', 'decodeURI', 'parseInt', 'parseFloat']) watch(G, name, Infinity);
watch(JSON, 'parse', Infinity);
// A search for a long text costs the product of both lengths.
for (const name of ['indexOf', 'lastIndexOf', 'includes', 'split', 'replace', 'replaceAll']) {
  const original = Str.prototype[name];
  const watched = function (...args) {
    const size = sizeOf(this), other = typeof args[0] === 'string' ? args[0].length : 0;
    if (size > BIG || size * other > 1e7) { if (size * other > 4e8 && other > 64) refuse('search', 'Out of memory'); rec('work'); }
    return apply(original, this, args);
  };
  addNative(natives, watched);
  Object.defineProperty(Str.prototype, name, { value: watched, writable: true, configurable: true });
}
const realRepeat = Str.prototype.repeat;
Str.prototype.repeat = function (times) {
  if (Str(this).length * times > 16e6) refuse('memory', 'Out of memory');
  return apply(realRepeat, this, [times]);
};
addNative(natives, Str.prototype.repeat);
const realStringify = JSON.stringify;
JSON.stringify = function (...args) { rec('work'); return apply(realStringify, this, args); };
addNative(natives, JSON.stringify);

// --- code that makes code: every layer is recorded, and made ready, before it runs
const layer = (code, how) => typeof code === 'string' ? rec('layer', code, how) : code;
const indirectEval = function (code) { return typeof code === 'string' ? realEval(layer(code, 'eval')) : code; };
Object.defineProperty(G, '__layer', { value: (code) => layer(code, 'eval') });
Object.defineProperty(G, 'eval', { value: indirectEval, writable: true, configurable: true });
const makeFunction = (args) => {
  if (args.length === 0) return RealFunction();
  const all = []; for (let i = 0; i < args.length - 1; i++) push(all, Str(args[i]));
  push(all, layer(Str(args[args.length - 1]), 'Function'));
  return Reflect.construct(RealFunction, all);
};
G.Function = new Proxy(RealFunction, { apply: (target, self, args) => makeFunction(args), construct: (target, args) => makeFunction(args) });
RealFunction.prototype.constructor = G.Function;
// Scripts that check their own text must find it as it was written.
const realToString = RealFunction.prototype.toString;
RealFunction.prototype.toString = function () {
  if (this === indirectEval || this === G.Function || (typeof this === 'function' && isNative(natives, this))) return 'function () {\n    [native code]\n}';
  return join(split(join(split(Reflect.apply(realToString, this, []), 'eval(__layer('), 'eval('), ',0x5afe)'), '');
};
G.execScript = (code, language) => { if (/vb/i.test(Str(language))) { rec('skipped', 'VBScript in execScript', code); return null; } realEval(layer(Str(code), 'execScript')); return null; };

// --- errors as JScript numbers them
const NUMBERS = [[/can't create object/, -2146827859], [/registry key|File not found/, -2147024894], [/not a function/, -2146827850], [/is not defined/, -2146823279]];
Object.defineProperty(Error.prototype, 'number', { get() { const text = Str(this.message); for (const [pattern, number] of NUMBERS) if (pattern.test(text)) return number; return -2146828283; }, set(value) { Object.defineProperty(this, 'number', { value, writable: true, configurable: true }); }, configurable: true });
Object.defineProperty(Error.prototype, 'description', { get() { return this.message; }, set(value) { Object.defineProperty(this, 'description', { value, writable: true, configurable: true }); }, configurable: true });
// JScript lets a call be assigned to: what has no default property takes it without effect.
Object.defineProperty(RealFunction.prototype, '__item_put', { value: () => {}, writable: true, configurable: true });

// --- timers
const timers = []; let timerId = 0;
const addTimer = (what, ms, args, again) => {
  timerId++; const delay = Num(ms) > 0 ? Num(ms) : 0;
  rec('timer', again ? 'interval' : 'timeout', delay);
  push(timers, { id: timerId, what, at: clockMs + delay, delay, args, left: again ? 5 : 1 });
  return timerId;
};
const dropTimer = (id) => { for (let i = 0; i < timers.length; i++) if (timers[i].id == id) timers[i].left = 0; };
const runTimer = () => {
  let next = null;
  for (let i = 0; i < timers.length; i++) if (timers[i].left > 0 && (next === null || timers[i].at < next.at)) next = timers[i];
  if (next === null) return false;
  if (next.at > clockMs) clockMs = next.at;
  next.left--; next.at = clockMs + (next.delay > 0 ? next.delay : 1);
  if (typeof next.what === 'function') Reflect.apply(next.what, G, next.args); else realEval(layer(Str(next.what), 'setTimeout'));
  return true;
};

// --- COM: names in any case, callable defaults, and a blank for what is not emulated
const blanks = Object.create(null);
const wanting = (name) => { if (!blanks[name]) { blanks[name] = true; rec('missing', name); } return name; };
const blank = (name) => new Proxy(function () {}, {
  get: (target, key) => key === Symbol.toPrimitive ? () => '' : key === 'length' || key === 'Count' || key === 'count' ? 0 : key === 'then' ? undefined : typeof key === 'symbol' ? undefined : key === 'toString' || key === 'valueOf' ? () => '' : blank(wanting(name + '.' + Str(key))),
  apply: () => blank(wanting(name + '()')), construct: () => blank(wanting('new ' + name)), set: () => true,
});
// Emulated with all they have: what else is asked for is a check whether anything answers, and must fail.
const CLOSED = { 'WScript.Shell': 1, 'Scripting.FileSystemObject': 1, 'ADODB.Stream': 1, 'Scripting.Dictionary': 1, 'WScript.Network': 1 };
const com = (name, members, byDefault, text) => {
  if (members.item && members.item_put) members.item.__item_put = members.item_put;
  const target = byDefault ? () => {} : {};
  return new Proxy(target, {
    get: (t, key) => {
      if (typeof key === 'symbol') return key === Symbol.toPrimitive ? () => text === undefined ? '' : typeof text === 'function' ? text() : text : undefined;
      const low = lower(key);
      if (low === '__item_put') return (item, value) => { if (members.item_put) members.item_put(item, value); };
      if (low in members) return members[low];
      if (low === 'tostring' || low === 'valueof') return () => text === undefined ? '[object]' : typeof text === 'function' ? text() : text;
      if (CLOSED[name]) { wanting(name + '.' + key); return undefined; }
      return blank(wanting(name + '.' + key));
    },
    set: (t, key, value) => { members[lower(Str(key))] = value; return true; },
    apply: (t, self, args) => byDefault(...args),
    has: (t, key) => typeof key === 'string' && lower(key) in members,
    getPrototypeOf: () => Object.prototype,
  });
};
const listing = (items) => {
  const members = Object.assign(Object.create(null), { count: items.length, length: items.length, item: (i) => typeof i === 'number' ? items[i] : items[0], __items: items, [Symbol.iterator]: undefined });
  return com('collection', members, members.item);
};
G.Enumerator = function (collection) {
  const items = collection && collection.__items || (Array.isArray(collection) ? collection : []); let at = 0;
  return { atEnd: () => at >= items.length, moveNext: () => { at++; }, item: () => items[at], moveFirst: () => { at = 0; } };
};
G.VBArray = function (array) { return { toArray: () => array, getItem: (i) => array[i], ubound: () => array.length - 1, lbound: () => 0, dimensions: () => 1 }; };
G.CollectGarbage = () => {}; G.ScriptEngine = () => 'JScript'; G.ScriptEngineMajorVersion = () => 5; G.ScriptEngineMinorVersion = () => 8; G.ScriptEngineBuildVersion = () => 16384;

// --- bytes
class Bytes { constructor(data) { this.data = data; this.length = data.length; } toString() { return this.data; } }
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const CODES = Object.create(null); for (let i = 0; i < 64; i++) CODES[ALPHABET[i]] = i;
const fromBase64 = (text) => rec('base64-decode', text);
const toBase64 = (data) => rec('base64-encode', data);
const bytesOfView = (view) => { const out = []; for (let i = 0; i < view.length; i += 8192) push(out, Reflect.apply(fromCodes, Str, view.subarray(i, i + 8192))); return join(out, ''); };
const viewOfBytes = (data) => { const view = new Uint8Array(data.length); for (let i = 0; i < data.length; i++) view[i] = charCode(data, i) & 255; return view; };

// --- requests: nothing is sent. In the first run all are answered; in a further one they fail, so that a script tries its next address
let replies = 'answers';
const request = (method, url, body) => { const answer = rec('request', method, url, body === undefined || body === null ? '' : body); advance(180); return replies === 'answers' ? answer : ''; };
const awaited = (method, url, body) => { rec('awaited'); return request(method, url, body); };
`;
