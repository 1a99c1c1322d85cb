/** Inspection of the metafiles of LibreOffice: a closed list of records, each walked to its last byte. */

/** Where the content of a record ends, given its start and its end; another number than its end when it does not add up. */
type Walk = (view: DataView, at: number, end: number) => number;

const u16 = (view: DataView, at: number) => view.getUint16(at, true);
const u32 = (view: DataView, at: number) => view.getUint32(at, true);

const bytes =
  (length: number): Walk =>
  (_, at) =>
    at + length;

const afterPoints = (view: DataView, at: number) => at + 2 + u16(view, at) * 8;

/** A frame of version 1 around points and, for a curve, a byte for each. */
function afterCurve(view: DataView, at: number): number {
  const flagAt = afterPoints(view, at + 6);
  const end = flagAt + 1 + (view.getUint8(flagAt) === 1 ? u16(view, at + 6) : 0);
  return u16(view, at) === 1 && u32(view, at + 2) === end - at - 6 ? end : -1;
}

const polyline: Walk = (view, at) => {
  const line = afterPoints(view, at);
  const flagAt = line + 64;
  if (u16(view, line) !== 5 || u32(view, line + 2) !== 58) return -1;
  return view.getUint8(flagAt) === 0 ? flagAt + 1 : afterCurve(view, flagAt + 1);
};

const polygons: Walk = (view, from) => {
  let at = from + 2;
  for (let left = u16(view, from); left > 0; left--) at = afterPoints(view, at);
  let curves = u16(view, at);
  for (at += 2; curves > 0 && at > 0; curves--) at = u16(view, at) < u16(view, from) ? afterCurve(view, at + 2) : -1;
  return at;
};

const region: Walk = (view, from, end) => {
  if (u16(view, from) !== 2 || u32(view, from + 2) !== end - from - 6) return -1;
  if (u16(view, from + 6) !== 2 || u16(view, from + 8) !== 2) return -1;
  let at = from + 10;
  while (u16(view, at) < 2) at += 10;
  return u16(view, at) === 2 && view.getUint8(at + 2) === 0 ? at + 3 : -1;
};

const font: Walk = (view, from, end) => {
  const style = from + 8 + u16(view, from + 6);
  const isFramed = u16(view, from) === 4 && u32(view, from + 2) === end - from - 6;
  return isFramed ? style + 2 + u16(view, style) + 44 : -1;
};

/** Where the family of a font says how texts behind it are stored. */
function isUnicode(view: DataView, from: number): boolean {
  const style = from + 8 + u16(view, from + 6);
  return u16(view, style + 2 + u16(view, style) + 8) === 0xffff;
}

const text =
  (hasUnicode: boolean, isSpaced: boolean): Walk =>
  (view, from) => {
    const length = hasUnicode ? u32(view, from + 8) : u16(view, from + 8);
    const part = from + 8 + (hasUnicode ? 4 + length * 2 : 2 + length) + (isSpaced ? 0 : 4);
    const distances = isSpaced ? u32(view, part + 4) : 0;
    const whole = part + (isSpaced ? 8 : 4) + distances * 4;
    const isInside = u16(view, part) + u16(view, part + 2) <= u16(view, whole);
    return isInside && distances <= u16(view, part + 2) ? whole + 2 + u16(view, whole) * 2 : -1;
  };

const RECORDS: ReadonlyMap<number, readonly [version: number, walk: Walk]> = new Map<number, readonly [number, Walk]>([
  [103, [1, bytes(16)]],
  [109, [3, polyline]],
  [111, [2, polygons]],
  [129, [1, bytes(16)]],
  [130, [1, region]],
  [132, [1, bytes(5)]],
  [133, [1, bytes(5)]],
  [134, [1, bytes(4)]],
  [135, [1, bytes(5)]],
  [136, [1, bytes(2)]],
  [138, [1, font]],
  [139, [1, bytes(2)]],
  [140, [1, bytes(0)]],
  [145, [1, bytes(5)]],
  [149, [1, bytes(4)]],
  [150, [1, bytes(2)]],
  [151, [1, bytes(5)]],
]);
const SPACED_TEXT = 113;
const STRETCHED_TEXT = 114;

/** Whether the file is its header, as many records as that says, and nothing else. Throws RangeError when it is cut short. */
export function isSoundStarMetafile(view: DataView): boolean {
  if (u16(view, 6) !== 1 || u32(view, 8) !== 49 || u32(view, 12) !== 0 || u32(view, 18) !== 27) return false;
  let hasUnicode: boolean | null = null;
  let at = 61;
  for (let left = u32(view, 57); left > 0; left--) {
    const [type, version, end] = [u16(view, at), u16(view, at + 2), at + 8 + u32(view, at + 4)];
    const isText = (type === SPACED_TEXT || type === STRETCHED_TEXT) && hasUnicode !== null;
    const known = isText ? ([2, text(hasUnicode === true, type === SPACED_TEXT)] as const) : RECORDS.get(type);
    if (known === undefined || known[0] !== version || known[1](view, at + 8, end) !== end) return false;
    if (type === 138) hasUnicode = isUnicode(view, at + 8);
    at = end;
  }
  return at === view.byteLength;
}
