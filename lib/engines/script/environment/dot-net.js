/** .NET by its COM names, by which a script loads a program from a text without a file. */
import { blank, com } from './automation.js';
import { DATA, floor, Num, push, rec, Str, slice } from './bridge.js';
import { Bytes, fromBase64 } from './bytes.js';

export const encoding = () =>
  com('ASCIIEncoding', {
    getbytecount_2: (text) => Str(text).length,
    getbytes_4: (text) => new Bytes(Str(text)),
    getstring: (bytes) => Str(bytes),
  });
export const memoryStream = () => {
  let data = '';
  const m = {
    position: 0,
    write: (bytes, at, count) => {
      data += slice(
        bytes && bytes.data !== undefined ? bytes.data : Str(bytes),
        at || 0,
        (at || 0) + floor(Num(count)),
      );
    },
    toarray: () => new Bytes(data),
    close: () => {},
    get length() {
      return data.length;
    },
    get [DATA]() {
      return data;
    },
  };
  return com('MemoryStream', m);
};
export const deserialize = (from) => {
  rec('assembly', 'BinaryFormatter', (from && from[DATA]) || '');
  return com('Delegate', {
    dynamicinvoke: () =>
      com('Assembly', {
        createinstance: (name) => {
          rec('asked', 'instance of ' + name, '');
          return blank(Str(name));
        },
        entrypoint: blank('EntryPoint'),
      }),
  });
};
export const arrayList = () => {
  const items = [];
  return com('ArrayList', {
    add: (v) => {
      push(items, v);
      return items.length - 1;
    },
    toarray: () => items,
    get count() {
      return items.length;
    },
    item: (i) => items[i],
  });
};
export const base64Transform = () =>
  com('FromBase64Transform', { transformfinalblock: (bytes) => new Bytes(fromBase64(Str(bytes))) });
