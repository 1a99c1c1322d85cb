/**
 * The bridge to the recorder. `host` is the only function out of the interpreter. The built-ins that the modules use have short names
 * here.
 */
import { clockMs } from './clock.js';

export const OWN = Symbol(),
  ITEMS = Symbol(),
  PUT = Symbol(),
  DATA = Symbol(),
  TAG = Symbol();
export const Str = String,
  Num = Number,
  floor = Math.floor,
  parseJson = JSON.parse;
export const split = (text, by) => Str(text).split(by),
  join = (list, by) => list.join(by),
  lower = (text) => Str(text).toLowerCase();
export const indexOf = (text, what, from) => Str(text).indexOf(what, from),
  slice = (text, from, to) => Str(text).slice(from, to),
  charCode = (text, at) => text.charCodeAt(at);
export const push = (list, item) => list.push(item),
  replaceText = (text, what, by) => Str(text).replace(what, by),
  fromCodes = Str.fromCharCode;
// The bridge ends strings at NUL, so a private character takes its place on the way.
const packed = (value) => {
  const text = Str(value);
  return indexOf(text, '\0') < 0 ? text : join(split(text, '\0'), '\uf8f0');
};
export const unpacked = (text) => (indexOf(text, '\uf8f0') < 0 ? text : join(split(text, '\uf8f0'), '\0'));
// Takes any values and passes their texts.
/** @type {(name: string, first?: any, second?: any, third?: any) => string} */
export const rec = (op, a = '', b = '', c = '') =>
  unpacked(host(op, packed(a), packed(b), packed(c), Str(floor(clockMs))));
export const layer = (code, how) => rec('layer', code, how);
