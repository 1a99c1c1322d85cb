/** The values that the folding of scripts knows: texts, numbers, bytes and lists of them. Undefined means unknown. */
export type Value = string | number | Uint8Array | readonly Value[];

/** The longest text, and the longest list. Stops scripts that double what they have. */
export const MAX_TEXT = 512 * 1024;
const MAX_LIST = 65_536;

export const isList = (value: Value | undefined): value is readonly Value[] => Array.isArray(value);
export const listOf = (value: Value | undefined): readonly Value[] =>
  value === undefined
    ? []
    : isList(value)
      ? value
      : value instanceof Uint8Array
        ? Array.from(value).slice(0, MAX_LIST)
        : [value];

/** Returns a value as a text, or undefined when a part of it is too long. Lists are joined by a blank, as in PowerShell. */
export function textOf(value: Value | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string') return value.length > MAX_TEXT ? undefined : value;
  if (typeof value === 'number') return String(value);
  const parts = listOf(value).map(textOf);
  return parts.includes(undefined) ? undefined : parts.join(' ').slice(0, MAX_TEXT);
}

export const numberOf = (value: Value | undefined): number =>
  typeof value === 'string' ? Number(value.replace(/^&h/i, '0x')) : typeof value === 'number' ? value : Number.NaN;

export function joined(value: Value | undefined, by: string): string | undefined {
  const parts = listOf(value).map(textOf);
  if (value === undefined || parts.includes(undefined)) return undefined;
  const text = parts.join(by);
  return text.length > MAX_TEXT ? undefined : text;
}

export function added(left: Value | undefined, right: Value | undefined): Value | undefined {
  if (left === undefined || right === undefined) return undefined;
  if (typeof left === 'number' && typeof right === 'number') return left + right;
  if (isList(left)) return [...left, ...listOf(right)].slice(0, MAX_LIST);
  const [one, other] = [textOf(left), textOf(right)];
  if (one === undefined || other === undefined || one.length + other.length > MAX_TEXT) return undefined;
  return one + other;
}

/** Returns a character by its number. */
export function charOf(value: Value | undefined): string | undefined {
  if (typeof value === 'string' && value.length === 1) return value;
  const code = numberOf(value);
  return code >= 0 && code <= 0xffff ? String.fromCharCode(code) : undefined;
}

/** Returns a format with the texts in the places of `{0}` and `{1}`. */
export function formatted(format: string | undefined, args: readonly Value[]): string | undefined {
  if (format === undefined) return undefined;
  const text = format.replace(
    /\{(\d{1,3})(?:[,:][^{}]{0,20})?\}/g,
    (_, index: string) => textOf(args[Number(index)]) ?? '',
  );
  return text.length > MAX_TEXT ? undefined : text;
}

/** Replaces all places of a text. A pattern of `-replace` is taken literally, where it means one text. */
export function replaced(
  text: string | undefined,
  what: string | undefined,
  by: string | undefined,
  isPattern = false,
): string | undefined {
  if (text === undefined || what === undefined || what === '') return text;
  const plain = isPattern ? what.replace(/\\([^\w\s])/g, '$1').replace(/^\[([^\]\\^])\]$/, '$1') : what;
  if (isPattern && /(?<!\\)[[\](){}*+?|^]/.test(what) && plain === what) return undefined;
  const result = isPattern
    ? text.replace(new RegExp(plain.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'gi'), () => by ?? '')
    : text.split(plain).join(by ?? '');
  return result.length > MAX_TEXT ? undefined : result;
}

/** Returns the elements of a list or letters of a text at indexes. Indexes below 0 count from the end. */
export function picked(value: Value | undefined, index: Value | undefined): Value | undefined {
  const source = typeof value === 'string' ? [...value] : listOf(value);
  const at = (one: Value) => source.at(numberOf(one));
  if (value === undefined || index === undefined) return undefined;
  if (!isList(index)) return at(index);
  const found = index.map(at);
  return found.includes(undefined) ? undefined : (found as Value[]);
}

/** Returns the numbers from one to another, also downwards. */
export function rangeOf(from: number, to: number): Value | undefined {
  const count = Math.abs(to - from) + 1;
  if (!(count <= MAX_LIST)) return undefined;
  const step = to < from ? -1 : 1;
  return Array.from({ length: count }, (_, index) => from + index * step);
}
