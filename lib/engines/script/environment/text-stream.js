/** Text streams of the file system object. A stream that was never closed is written when the run ends. */
import { com } from './automation.js';
import { indexOf, Num, replaceText, Str, slice } from './bridge.js';
import { disk, keyOf, readFile, writeFile } from './disk.js';

export const textStream = (path, mode, how) => {
  let text = mode === 1 ? Str(readFile(path)) : mode === 8 ? Str(disk[keyOf(path)] || '') : '';
  let at = 0,
    dirty = mode !== 1;
  const members = {
    write: (value) => {
      text += Str(value);
    },
    writeline: (value) => {
      text += (value === undefined ? '' : Str(value)) + '\r\n';
    },
    writeblanklines: (n) => {
      for (let i = 0; i < n && i < 1000; i++) text += '\r\n';
    },
    read: (n) => {
      const piece = slice(text, at, at + Num(n));
      at += Num(n);
      return piece;
    },
    readall: () => {
      const rest = slice(text, at);
      at = text.length;
      return rest;
    },
    readline: () => {
      let end = indexOf(text, '\n', at);
      if (end < 0) end = text.length;
      const line = replaceText(slice(text, at, end), /\r$/, '');
      at = end + 1;
      return line;
    },
    skip: (n) => {
      at += Num(n);
    },
    skipline: () => {
      members.readline();
    },
    get atendofstream() {
      return at >= text.length;
    },
    get atendofline() {
      return text[at] === '\n' || at >= text.length;
    },
    get line() {
      return 1;
    },
    get column() {
      return at + 1;
    },
    close: () => {
      if (dirty) {
        dirty = false;
        writeFile(path, text, how);
      }
    },
  };
  open.push(() => {
    if (dirty && text !== '') members.close();
  });
  return com('TextStream', members);
};
const open = [];
export const flushFiles = () => {
  for (let i = 0; i < open.length; i++) open[i]();
};
