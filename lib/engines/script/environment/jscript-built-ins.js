/** The built-ins of JScript 5.8: those of ECMAScript 3, and a few more. All others are taken away from its scripts. */
import { oldNames } from './function-text.js';
import { ERRORS, replaceErrors } from './jscript-errors.js';

const OLD = {
  '': 'NaN Infinity undefined eval parseInt parseFloat isNaN isFinite decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape Object Function Array String Boolean Number Date RegExp Error EvalError RangeError ReferenceError SyntaxError TypeError URIError Math ActiveXObject Enumerator VBArray GetObject CollectGarbage ScriptEngine ScriptEngineMajorVersion ScriptEngineMinorVersion ScriptEngineBuildVersion',
  Object: 'prototype length',
  'Object.prototype': 'constructor toString toLocaleString valueOf hasOwnProperty isPrototypeOf propertyIsEnumerable',
  Function: 'prototype length',
  'Function.prototype': 'constructor toString apply call length',
  Array: 'prototype length',
  'Array.prototype':
    'constructor toString toLocaleString concat join pop push reverse shift slice sort splice unshift length',
  String: 'prototype length fromCharCode',
  'String.prototype':
    'constructor anchor big blink bold charAt charCodeAt concat fixed fontcolor fontsize indexOf italics lastIndexOf link localeCompare match replace search slice small split strike sub substr substring sup toLocaleLowerCase toLocaleUpperCase toLowerCase toString toUpperCase valueOf length',
  Boolean: 'prototype length',
  'Boolean.prototype': 'constructor toString valueOf',
  Number: 'prototype length MAX_VALUE MIN_VALUE NaN NEGATIVE_INFINITY POSITIVE_INFINITY',
  'Number.prototype': 'constructor toExponential toFixed toLocaleString toPrecision toString valueOf',
  Date: 'prototype length parse UTC',
  'Date.prototype':
    'constructor getDate getDay getFullYear getHours getMilliseconds getMinutes getMonth getSeconds getTime getTimezoneOffset getUTCDate getUTCDay getUTCFullYear getUTCHours getUTCMilliseconds getUTCMinutes getUTCMonth getUTCSeconds getVarDate getYear setDate setFullYear setHours setMilliseconds setMinutes setMonth setSeconds setTime setUTCDate setUTCFullYear setUTCHours setUTCMilliseconds setUTCMinutes setUTCMonth setUTCSeconds setYear toDateString toGMTString toLocaleDateString toLocaleString toLocaleTimeString toString toTimeString toUTCString valueOf',
  // `replace` of a pattern reads its flags, so they stay.
  RegExp: 'prototype length',
  'RegExp.prototype': 'constructor compile exec test toString source global ignoreCase multiline flags',
  'Error.prototype': 'constructor name message number description toString',
  Math: 'E LN10 LN2 LOG10E LOG2E PI SQRT1_2 SQRT2 abs acos asin atan atan2 ceil cos exp floor log max min pow random round sin sqrt tan',
};
const ownerOf = (path) => {
  const [name, isKind] = path.split('.');
  if (name === '') return theirGlobal;
  return isKind ? theirGlobal[name].prototype : theirGlobal[name];
};
const keepOnly = (owner, kept) => {
  for (const key of Reflect.ownKeys(owner))
    if (typeof key === 'string' && !kept.has(key)) Reflect.deleteProperty(owner, key);
};
const keepOld = () => {
  for (const path of Reflect.ownKeys(OLD)) {
    const owner = ownerOf(path);
    const kept = new Set(OLD[path].split(' '));
    for (const key of kept) {
      const own = Reflect.getOwnPropertyDescriptor(owner, key);
      if (key !== 'constructor' && own !== undefined && typeof own.value === 'function') oldNames.set(own.value, key);
    }
    keepOnly(owner, kept);
  }
  for (const name of ERRORS) keepOnly(theirGlobal[name], new Set(['prototype', 'length']));
};
replaceErrors();
if (isOld) keepOld();
