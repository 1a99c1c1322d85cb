/** Bytes as texts of one character each, and base64. */
import { charCode, fromCodes, join, push, rec, Str } from './bridge.js';

export class Bytes {
  constructor(data) {
    this.data = data;
    this.length = data.length;
  }
  toString() {
    return this.data;
  }
}
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const CODES = Object.create(null);
for (let i = 0; i < 64; i++) CODES[ALPHABET[i]] = i;
export const fromBase64 = (text) => rec('base64-decode', text);
export const toBase64 = (data) => rec('base64-encode', data);
export const bytesOfView = (view) => {
  const out = [];
  for (let i = 0; i < view.length; i += 8192) push(out, Reflect.apply(fromCodes, Str, view.subarray(i, i + 8192)));
  return join(out, '');
};
export const viewOfBytes = (data) => {
  const view = new Uint8Array(data.length);
  for (let i = 0; i < data.length; i++) view[i] = charCode(data, i) & 255;
  return view;
};
