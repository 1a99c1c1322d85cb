/**
 * What is evaluated inside the interpreter before any script of a file, in a realm of its own: the bridge to the recorder, timers,
 * the clock, and objects as automation has them. Not a module of ours but text for QuickJS, so nothing here can reach the machine.
 * What it hands to scripts and takes from them crosses prelude-membrane.ts; `G` is the scripts' global object.
 */

/** Comes first. `host` is the only function out, `S` the scripts' global object. */
export const PRELUDE_BRIDGE = String.raw`
const OWN = Symbol(), ITEMS = Symbol(), PUT = Symbol(), DATA = Symbol(), TAG = Symbol();
let names = { layer: '\0', evaluate: '\0', mend: '\0', put: '\0' };
const Str = String, Num = Number, floor = Math.floor, parseJson = JSON.parse;
const split = (text, by) => Str(text).split(by), join = (list, by) => list.join(by), lower = (text) => Str(text).toLowerCase();
const indexOf = (text, what, from) => Str(text).indexOf(what, from), slice = (text, from, to) => Str(text).slice(from, to), charCode = (text, at) => text.charCodeAt(at);
const push = (list, item) => list.push(item), replaceText = (text, what, by) => Str(text).replace(what, by), fromCodes = Str.fromCharCode;
// The bridge ends strings at NUL: a private character stands for it on the way.
const packed = (value) => { const text = Str(value); return indexOf(text, '\0') < 0 ? text : join(split(text, '\0'), '\uf8f0'); };
const unpacked = (text) => indexOf(text, '\uf8f0') < 0 ? text : join(split(text, '\uf8f0'), '\0');
const rec = (op, a = '', b = '', c = '') => unpacked(host(op, packed(a), packed(b), packed(c), Str(floor(clockMs))));
const layer = (code, how) => rec('layer', code, how);

// --- clock and chance: no two runs of a thread have the same
let clockMs = 0, START = 0, looks = 0, state = [1, 2, 3, 4];
const advance = (ms) => { clockMs += ms > 0 ? +ms : 0; };
// Who looks again and again waits for it: each look then takes longer.
const current = () => { looks++; clockMs += looks < 100 ? chance() : looks < 1000 ? 16 : 250; return START + floor(clockMs); };
const word = () => { let [t, , , w] = state; t ^= t << 11; t ^= t >>> 8; state = [state[1], state[2], w, (w ^ (w >>> 19) ^ t) >>> 0]; return state[3]; };
const chance = () => ((word() >>> 5) * 67108864 + (word() >>> 6)) / 9007199254740992;
`;

export const PRELUDE_CORE = `
const G = toP(S), RealDate = Date;
const realEval = (code) => { try { return toP(R.apply(theirEval, undefined, [code])); } catch (error) { throw isOurs(error) ? error : toP(error); } };
if (isWindows) G.execScript = function execScript(code, language) { if (/vb/i.test(Str(language))) { rec('skipped', 'VBScript in execScript', code); return null; } realEval(layer(Str(code), 'execScript')); return null; };

// --- timers
const timers = []; let timerId = 0;
// A script may count or wait for long before it acts: an interval ticks often, and after a few ticks the clock moves on faster. All
// further ticks of a run together have a limit, which is no finding: most intervals of pages never end.
const INTERVAL_TICKS = 120, FEW_TICKS = 5, LONGEST_STEP_MS = 3600000; let furtherTicks = 300;
const stepOf = ({ ticks, delay }) => { const step = delay > 0 ? delay : 1; return ticks < FEW_TICKS ? step : Math.max(step, Math.min(step * 2 ** (ticks - FEW_TICKS), LONGEST_STEP_MS)); };
// Work of the page itself, such as the call of an observer: nothing the script waits for.
const soon = (what) => { push(timers, { id: 0, what, at: clockMs + 1, delay: 1, args: [], left: 1, ticks: 0 }); };
const addTimer = (what, ms, args, again) => {
  timerId++; const delay = Num(ms) > 0 ? Num(ms) : 0;
  rec('timer', again ? 'interval' : 'timeout', delay);
  push(timers, { id: timerId, what, at: clockMs + delay, delay, args, left: again ? INTERVAL_TICKS : 1, ticks: 0 });
  return timerId;
};
const dropTimer = (id) => { for (let i = 0; i < timers.length; i++) if (timers[i].id == id) timers[i].left = 0; };
const runTimer = () => {
  let next = null;
  for (let i = 0; i < timers.length; i++) if (timers[i].left > 0 && (next === null || timers[i].at < next.at)) next = timers[i];
  if (next === null) return false;
  if (next.at > clockMs) clockMs = next.at;
  next.left--; next.ticks++; next.at = clockMs + stepOf(next);
  if (next.ticks > FEW_TICKS && --furtherTicks <= 0) next.left = 0;
  if (typeof next.what === 'function') Reflect.apply(next.what, G, next.args); else realEval(layer(Str(next.what), 'setTimeout'));
  return true;
};

// --- COM: names in any case, callable defaults, and a blank for what is not emulated
const blanks = Object.create(null);
const wanting = (name) => { if (!blanks[name]) { blanks[name] = true; rec('missing', name); } return name; };
const answering = (proxy) => { dynamic.add(proxy); return proxy; };
const blank = (name) => answering(new Proxy(function () {}, {
  get: (target, key) => key === Symbol.toPrimitive ? () => '' : key === 'length' || key === 'Count' || key === 'count' ? 0 : key === 'then' ? undefined : key === 'constructor' ? Object : typeof key === 'symbol' ? undefined : key === 'toString' || key === 'valueOf' ? () => '' : blank(wanting(name + '.' + Str(key))),
  apply: () => blank(wanting(name + '()')), construct: () => blank(wanting('new ' + name)), set: () => true,
}));
// Emulated with all they have: what else is asked for is a check whether anything answers, and must fail.
const CLOSED = { 'WScript.Shell': 1, 'Scripting.FileSystemObject': 1, 'ADODB.Stream': 1, 'Scripting.Dictionary': 1, 'WScript.Network': 1 };
const com = (name, members, byDefault, text) => {
  if (members.item && members.item_put) members.item[PUT] = members.item_put;
  const target = byDefault ? () => {} : {};
  return answering(new Proxy(target, {
    get: (t, key) => {
      if (typeof key === 'symbol') return key in members ? members[key] : key === Symbol.toPrimitive ? () => text === undefined ? '' : typeof text === 'function' ? text() : text : undefined;
      const low = lower(key);
      if (key === names.put) return (item, value) => { if (members.item_put) members.item_put(item, value); };
      if (low in members) return members[low];
      if (low === 'tostring' || low === 'valueof') return () => text === undefined ? '[object]' : typeof text === 'function' ? text() : text;
      if (CLOSED[name]) { wanting(name + '.' + key); return undefined; }
      return blank(wanting(name + '.' + key));
    },
    set: (t, key, value) => { if (name === 'app' && typeof members[lower(key)] === 'function') return true; if (key !== '__proto__') members[typeof key === 'symbol' ? key : lower(key)] = value; return true; },
    apply: (t, self, args) => byDefault(...args),
    has: (t, key) => typeof key === 'string' && lower(key) in members,
    getPrototypeOf: () => Object.prototype,
  }));
};
const listing = (items) => {
  const members = Object.assign(Object.create(null), { count: items.length, length: items.length, item: (i) => typeof i === 'number' ? items[i] : items[0], [ITEMS]: items, [Symbol.iterator]: undefined });
  return com('collection', members, members.item);
};
if (isWindows) {
G.Enumerator = function Enumerator(collection) {
  const items = collection && collection[ITEMS] || (Array.isArray(collection) ? collection : []); let at = 0;
  return { atEnd: () => at >= items.length, moveNext: () => { at++; }, item: () => items[at], moveFirst: () => { at = 0; } };
};
G.VBArray = function VBArray(array) { return { toArray: () => array, getItem: (i) => array[i], ubound: () => array.length - 1, lbound: () => 0, dimensions: () => 1 }; };
G.CollectGarbage = () => {}; G.ScriptEngine = () => 'JScript'; G.ScriptEngineMajorVersion = () => 5; G.ScriptEngineMinorVersion = () => 8; G.ScriptEngineBuildVersion = () => 16384;
}

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
