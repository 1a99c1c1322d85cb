/** Methods and functions of PowerShell and VBScript that make a text of another. */
import { gunzipSync } from 'node:zlib';
import { charOf, isList, joined, listOf, MAX_TEXT, numberOf, replaced, textOf, type Value } from './values.ts';

type Args = readonly (Value | undefined)[];

const reversed = (value: Value | undefined): Value | undefined => {
  if (typeof value === 'string') return [...value].reverse().join('');
  return isList(value) ? value.toReversed() : undefined;
};
const slice = (text: string | undefined, from: number, count: number): string | undefined =>
  text === undefined || Number.isNaN(from)
    ? undefined
    : text.slice(from, Number.isNaN(count) ? undefined : from + count);

/** Methods of texts, by their names in lower case. The numbers of the arguments are NaN where they are missing. */
const TEXT_METHODS: Readonly<
  Record<string, (text: string, args: Args, from: number, count: number) => Value | undefined>
> = {
  replace: (text, args) => replaced(text, textOf(args[0]), textOf(args[1])),
  tostring: (text) => text,
  normalize: (text) => text,
  invoke: (text) => text,
  tochararray: (text) => [...text],
  substring: (text, _, from, count) => slice(text, from, count),
  split: (text, args) => {
    const by = textOf(args[0]);
    return by === undefined || by === '' ? undefined : text.split(by);
  },
  trim: (text) => text.trim(),
  tolower: (text) => text.toLowerCase(),
  toupper: (text) => text.toUpperCase(),
  insert: (text, args, from) =>
    Number.isNaN(from) ? undefined : text.slice(0, from) + (textOf(args[1]) ?? '') + text.slice(from),
  remove: (text, _, from, count) =>
    Number.isNaN(from) ? undefined : text.slice(0, from) + (Number.isNaN(count) ? '' : text.slice(from + count)),
};

/** Calls a method or property of a value, by its name in lower case. */
export function methodOf(self: Value | undefined, name: string, args: Args): Value | undefined {
  if (self !== undefined && (name === 'length' || name === 'count'))
    return typeof self === 'string' ? self.length : listOf(self).length;
  const text = textOf(self);
  const method = Object.hasOwn(TEXT_METHODS, name) ? TEXT_METHODS[name] : undefined;
  return text === undefined ? undefined : method?.(text, args, numberOf(args[0]), numberOf(args[1]));
}

/** Calls a static method of a class of .NET, by `class::method` in lower case and without the name of its space. */
export function staticMethodOf(name: string, args: Args): Value | undefined {
  const text = textOf(args[0]);
  switch (name) {
    case 'convert::frombase64string':
      return text === undefined ? undefined : Buffer.from(text, 'base64');
    case 'convert::toint32':
    case 'convert::tobyte':
    case 'convert::toint16': {
      const base = numberOf(args[1]);
      return text === undefined ? undefined : Number.parseInt(text, Number.isNaN(base) ? 10 : base);
    }
    case 'convert::tochar':
      return charOf(args[0]);
    case 'string::join':
      return joined(args.length > 2 ? (args.slice(1) as Value[]) : args[1], text ?? '');
    case 'string::concat':
      return joined(args as Value[], '');
    case 'array::reverse':
      return reversed(args[0]);
    case 'regex::unescape':
      return text;
    case 'regex::replace':
      return replaced(text, textOf(args[1]), textOf(args[2]), true);
    default:
      return undefined;
  }
}

/** Returns the text of bytes in an encoding of .NET. Packed bytes are unpacked first. */
export function decoded(encoding: string, value: Value | undefined): string | undefined {
  if (value === undefined || typeof value === 'string') return undefined;
  const bytes = unpacked(Buffer.from(listOf(value).map(numberOf)));
  const isWide = /unicode$/i.test(encoding) && !/bigendian/i.test(encoding);
  return bytes.toString(isWide ? 'utf16le' : /utf8/i.test(encoding) ? 'utf8' : 'latin1').slice(0, MAX_TEXT);
}

/** Returns bytes that are packed by gzip, unpacked. Returns others unchanged. */
function unpacked(bytes: Buffer): Buffer {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_TEXT });
  } catch {
    // The bytes are damaged, or unpack to more than the limit.
    return bytes;
  }
}

/** Calls a function of VBScript and VBA, by its name in lower case. Returns undefined for others. */
export function basicFunctionOf(name: string, args: Args): Value | undefined {
  const text = textOf(args[0]);
  const [second, third] = [numberOf(args[1]), numberOf(args[2])];
  switch (name.replace(/\$$/, '')) {
    case 'chr':
    case 'chrw':
    case 'chrb':
      return charOf(numberOf(args[0]));
    case 'strreverse':
      return reversed(text);
    case 'replace':
      return replaced(text, textOf(args[1]), textOf(args[2]));
    case 'mid':
      return slice(text, second - 1, third);
    case 'left':
      return slice(text, 0, second);
    case 'right':
      return text === undefined ? undefined : slice(text, Math.max(0, text.length - second), second);
    case 'lcase':
      return text?.toLowerCase();
    case 'ucase':
      return text?.toUpperCase();
    case 'trim':
      return text?.trim();
    case 'cstr':
      return text;
    case 'clng':
    case 'cint':
      return Number.isNaN(numberOf(args[0])) ? undefined : Math.round(numberOf(args[0]));
    case 'asc':
      return text === undefined || text === '' ? undefined : text.charCodeAt(0);
    case 'len':
      return text?.length;
    case 'array':
      return args.includes(undefined) ? undefined : (args as Value[]);
    case 'join':
      return joined(args[0], textOf(args[1]) ?? ' ');
    case 'split':
      return text?.split(textOf(args[1]) || ' ');
    case 'space':
      return ' '.repeat(Math.min(1_000, numberOf(args[0]) || 0));
    default:
      return undefined;
  }
}
