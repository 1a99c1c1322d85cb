/**
 * What the scripts of a file find changed among their own built-ins: the clock, chance, code that makes code, and, for Windows
 * Script Host, only what JScript 5.8 has. Text for QuickJS; see prelude-core.ts.
 */
export const PRELUDE_REALM = String.raw`
// A function of the scripts' realm that is given their values as they are.
const native = (name, length, work) => asNative({ m(...args) { try { return work(this, args); } catch (error) { throw isOurs(error) ? thrown(error) : error; } } }.m, name, length);
const nativeConstructor = (name, length, kind, work) => {
  const made = asNative(function (...args) { try { return work(args, new.target === made ? undefined : new.target, new.target !== undefined); } catch (error) { throw isOurs(error) ? thrown(error) : error; } }, name, length);
  define(made, 'prototype', { value: kind, writable: false });
  define(kind, 'constructor', { value: made, writable: true, enumerable: false, configurable: true });
  return made;
};
const replace = (owner, name, value) => define(owner, name, { value, writable: true, enumerable: false, configurable: true });

// --- clock: fast-forwarded; a loop that waits for the clock sees it move
const now = native('now', 0, () => current());
replace(S, 'Date', nativeConstructor('Date', 7, THEIRS.Date.prototype, (args, derived, isNew) => {
  if (!isNew) { const date = R.construct(THEIRS.Date, [current()]); return isOld ? dateText(date) : R.apply(theirDateText, date, []); }
  return R.construct(THEIRS.Date, args.length === 0 ? [current()] : args, derived === undefined ? THEIRS.Date : derived);
}));
replace(S.Date, 'now', now); replace(S.Date, 'parse', THEIRS.Date.parse); replace(S.Date, 'UTC', THEIRS.Date.UTC);
if (isWindows) replace(THEIRS.Date.prototype, 'getVarDate', native('getVarDate', 0, (self) => self));
const theirDateText = THEIRS.Date.prototype.toString;
const dateText = (date) => { const text = R.apply(theirDateText, date, []), m = /^(\w+ \w+) (\d+) (\d+) ([\d:]+) GMT([+-]\d{4})/.exec(text); return m === null ? text : m[1] + ' ' + +m[2] + ' ' + m[4] + ' UTC' + (m[5] === '+0000' ? '' : m[5]) + ' ' + m[3]; };
if (isOld) replace(THEIRS.Date.prototype, 'toString', native('toString', 0, (self) => dateText(self)));
replace(S.Math, 'random', native('random', 0, () => chance()));

// --- code that makes code: every layer is recorded, and made ready, before it runs
const layered = (code, how) => typeof code === 'string' ? layer(code, how) : code;
const theirEval = THEIRS.eval;
const evaluate = native('eval', 1, (self, args) => typeof args[0] === 'string' ? R.apply(theirEval, undefined, [layered(args[0], 'eval')]) : args[0]);
replace(S, 'eval', evaluate);
const asText = (value) => '' + R.apply(String, undefined, [value]);
const makers = [];
for (const kind of [THEIRS.functions, ...theirEval('[function*(){},async function(){},async function*(){}]').map((f) => R.getPrototypeOf(f))]) {
  const original = kind.constructor;
  makers.push(nativeConstructor(original.name, 1, kind, (args) => {
    const parts = []; for (let i = 0; i < args.length; i++) parts.push(asText(args[i]));
    if (parts.length > 0) parts.push(layered(parts.pop(), 'Function'));
    return R.construct(original, parts);
  }));
  if (makers.length > 1) R.setPrototypeOf(makers[makers.length - 1], makers[0]);
}
replace(S, 'Function', makers[0]);
const compileHandler = (code) => { try { return toP(R.construct(makers[0], ['event', code])); } catch (error) { rec('script-error', Str(toP(error))); return null; } };

// --- the text of a function is as it was written, and that of a native one as its program writes it
const theirText = THEIRS.functions.toString;
const nameOf = (made) => { const own = R.getOwnPropertyDescriptor(made, 'name'); return own === undefined || typeof own.value !== 'string' ? '' : own.value; };
// Of functions whose name is no property of theirs.
const oldNames = new WeakMap();
const NATIVE = /^function ([^()]*)\(\) \{\n    \[native code\]\n\}$/;
const nativeText = (name) => isOld ? '\nfunction ' + name + '() {\n    [native code]\n}\n' : 'function ' + name + '() { [native code] }';
const withoutNames = (text) => text.includes(names.layer) || text.includes(names.evaluate) || text.includes(names.mend) ? text.replaceAll(names.layer + '(', '').replaceAll(',' + names.layer + ')', '').replaceAll(names.evaluate, 'eval').replace(mendCall, '') : text;
let mendCall = /a^/;
replace(THEIRS.functions, 'toString', native('toString', 0, (self) => {
  const known = oldNames.get(self);
  if (known !== undefined || natives.has(self)) return nativeText(known === undefined ? nameOf(self) : known);
  const text = R.apply(theirText, self, []), match = NATIVE.exec(text);
  return match === null ? withoutNames(text) : nativeText(match[1]);
}));

// --- errors as JScript numbers and words them
const FAULTS = [[/^'?(.+?)'? is not defined$/, -2146823279, (m) => "'" + m[1] + "' is undefined"], [/not a function$/, -2146827850, () => "Object doesn't support this property or method"], [/^cannot (?:read|set) property '?(.+?)'? of (?:null|undefined)/, -2146823281, (m) => "'" + m[1] + "' is null or not an object"], [/create object/, -2146827859, (m) => m.input], [/registry key|File not found/, -2147024894, (m) => m.input]];
const worded = (message) => { for (const [pattern, number, text] of FAULTS) { const m = pattern.exec(message); if (m !== null) return { number, text: text(m) }; } return { number: -2146828283, text: message }; };
const isError = (value) => { if (!isObject(value) || behindFacade.has(value)) return false; const own = R.getOwnPropertyDescriptor(value, 'stack'); return own !== undefined && 'value' in own && typeof own.value === 'string'; };
// Of the calls that led to an error, those of the prelude are nobody's business.
const scriptFrames = (text) => text.split('\n').filter((line) => !line.includes('(native')).join('\n');
// An error that was caught, before the script looks at it.
const mend = native('mend', 1, (self, args) => {
  const error = args[0];
  try {
    if (!isError(error)) return error;
    if (!isOld) { define(error, 'stack', { value: scriptFrames(R.getOwnPropertyDescriptor(error, 'stack').value) }); return error; }
    R.deleteProperty(error, 'stack');
    const own = R.getOwnPropertyDescriptor(error, 'message'), { number, text } = worded(own === undefined ? '' : asText(own.value));
    for (const [key, value] of [['message', text], ['description', text], ['number', number]]) if (key === 'message' || !hasOwn(error, key)) replace(error, key, value);
  } catch (again) { defer(again); }
  return error;
});
const ERRORS = ['Error', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError'];
// The engine's own, which no program of Windows has.
R.deleteProperty(S, 'InternalError');
const replaceErrors = () => {
  for (const name of ERRORS) {
    const original = S[name];
    const made = nativeConstructor(name, 1, original.prototype, (args, derived) => {
      if (!isOld) { const error = R.construct(original, args, derived === undefined ? original : derived); return isError(error) ? R.apply(mend, undefined, [error]) : error; }
      const text = args.length === 0 ? '' : asText(args[args.length > 1 ? 1 : 0]);
      const error = R.construct(original, [text]);
      R.deleteProperty(error, 'stack');
      replace(error, 'message', text); replace(error, 'description', text); replace(error, 'number', args.length > 1 ? +args[0] : 0);
      return error;
    });
    for (const key of R.ownKeys(original)) if (!hasOwn(made, key)) define(made, key, R.getOwnPropertyDescriptor(original, key));
    R.setPrototypeOf(made, name === 'Error' ? THEIRS.functions : S.Error);
    replace(S, name, made);
  }
};
const describedBy = (name, of) => { define(THEIRS.Error.prototype, name, { get: native(name, 0, (self) => { const own = isObject(self) ? R.getOwnPropertyDescriptor(self, 'message') : undefined; return of(worded(own === undefined ? '' : asText(own.value))); }), set: native(name, 1, (self, args) => { replace(self, name, args[0]); }), enumerable: false, configurable: true }); };
if (isWindows) { describedBy('number', ({ number }) => number); describedBy('description', ({ text }) => text); }

// --- JScript 5.8 has what ECMAScript 3 has, and a little more
const OLD = {
  '': 'NaN Infinity undefined eval parseInt parseFloat isNaN isFinite decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape Object Function Array String Boolean Number Date RegExp Error EvalError RangeError ReferenceError SyntaxError TypeError URIError Math ActiveXObject Enumerator VBArray GetObject CollectGarbage ScriptEngine ScriptEngineMajorVersion ScriptEngineMinorVersion ScriptEngineBuildVersion',
  Object: 'prototype length', 'Object.prototype': 'constructor toString toLocaleString valueOf hasOwnProperty isPrototypeOf propertyIsEnumerable',
  Function: 'prototype length', 'Function.prototype': 'constructor toString apply call length',
  Array: 'prototype length', 'Array.prototype': 'constructor toString toLocaleString concat join pop push reverse shift slice sort splice unshift length',
  String: 'prototype length fromCharCode', 'String.prototype': 'constructor anchor big blink bold charAt charCodeAt concat fixed fontcolor fontsize indexOf italics lastIndexOf link localeCompare match replace search slice small split strike sub substr substring sup toLocaleLowerCase toLocaleUpperCase toLowerCase toString toUpperCase valueOf length',
  Boolean: 'prototype length', 'Boolean.prototype': 'constructor toString valueOf',
  Number: 'prototype length MAX_VALUE MIN_VALUE NaN NEGATIVE_INFINITY POSITIVE_INFINITY', 'Number.prototype': 'constructor toExponential toFixed toLocaleString toPrecision toString valueOf',
  Date: 'prototype length parse UTC', 'Date.prototype': 'constructor getDate getDay getFullYear getHours getMilliseconds getMinutes getMonth getSeconds getTime getTimezoneOffset getUTCDate getUTCDay getUTCFullYear getUTCHours getUTCMilliseconds getUTCMinutes getUTCMonth getUTCSeconds getVarDate getYear setDate setFullYear setHours setMilliseconds setMinutes setMonth setSeconds setTime setUTCDate setUTCFullYear setUTCHours setUTCMilliseconds setUTCMinutes setUTCMonth setUTCSeconds setYear toDateString toGMTString toLocaleDateString toLocaleString toLocaleTimeString toString toTimeString toUTCString valueOf',
  // What patterns are replaced by asks for the flags.
  RegExp: 'prototype length', 'RegExp.prototype': 'constructor compile exec test toString source global ignoreCase multiline flags',
  'Error.prototype': 'constructor name message number description toString',
  Math: 'E LN10 LN2 LOG10E LOG2E PI SQRT1_2 SQRT2 abs acos asin atan atan2 ceil cos exp floor log max min pow random round sin sqrt tan',
};
const keepOld = () => {
  for (const path of R.ownKeys(OLD)) {
    const [name, isKind] = path.split('.'), owner = name === '' ? S : isKind ? S[name].prototype : S[name], kept = new Set(OLD[path].split(' '));
    for (const key of kept) { const own = R.getOwnPropertyDescriptor(owner, key); if (key !== 'constructor' && own !== undefined && typeof own.value === 'function') oldNames.set(own.value, key); }
    for (const key of R.ownKeys(owner)) if (typeof key === 'string' && !kept.has(key)) R.deleteProperty(owner, key);
  }
  for (const name of ERRORS) for (const key of R.ownKeys(S[name])) if (key !== 'prototype' && key !== 'length') R.deleteProperty(S[name], key);
};
replaceErrors();
if (isOld) keepOld();

// The names by which prepared code calls the prelude: other ones for every run.
const useNames = (given) => { names = given; mendCall = new RegExp(names.mend + '\\([\\w$]+\\);', 'g'); define(S, names.layer, fixed(native('', 1, (self, args) => layered(args[0], 'eval')))); define(S, names.evaluate, fixed(evaluate)); define(S, names.mend, fixed(mend)); };
`;
