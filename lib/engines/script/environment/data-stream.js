/** ADODB.Stream: bytes and texts that are written to files. */
import { com } from './automation.js';
import { Num, rec, Str, slice, unpacked } from './bridge.js';
import { Bytes } from './bytes.js';
import { readFile, writeFile } from './disk.js';
import { expand } from './machine.js';

export const stream = () => {
  let data = '',
    at = 0;
  const wide = () => /^unicode$|utf-?16/i.test(Str(m.charset));
  const textOf = (value) =>
    wide() ? unpacked(rec('utf16', value)) : /utf-?8/i.test(Str(m.charset)) ? rec('utf8', value) : Str(value);
  const put = (piece) => {
    data = slice(data, 0, at) + piece + slice(data, at + piece.length);
    at += piece.length;
  };
  const m = {
    type: 2,
    mode: 3,
    charset: 'unicode',
    get position() {
      return at;
    },
    set position(v) {
      at = Num(v);
    },
    get size() {
      return data.length;
    },
    get state() {
      return 1;
    },
    get eos() {
      return at >= data.length;
    },
    get lineseparator() {
      return -1;
    },
    set lineseparator(v) {},
    open: () => {
      rec('object', 'ADODB.Stream.Open');
    },
    close: () => {},
    flush: () => {},
    write: (value) => put(value && value.data !== undefined ? value.data : Str(value)),
    writetext: (value) => put(textOf(value)),
    read: (n) => {
      const piece = n > 0 ? slice(data, at, at + n) : slice(data, at);
      at += piece.length;
      return new Bytes(piece);
    },
    readtext: (n) => {
      const piece = n > 0 ? slice(data, at, at + n) : slice(data, at);
      at += piece.length;
      return piece;
    },
    savetofile: (path) => writeFile(expand(path), data, 'ADODB.Stream'),
    loadfromfile: (path) => {
      data = Str(readFile(path));
      at = 0;
    },
    copyto: (other) => other.write(new Bytes(slice(data, at))),
    skipline: () => {},
    seteos: () => {
      data = slice(data, 0, at);
    },
  };
  return com('ADODB.Stream', m);
};
