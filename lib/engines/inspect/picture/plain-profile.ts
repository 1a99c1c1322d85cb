/**
 * Decides whether a colour profile is three curves and a matrix, or one curve for grey (ICC.1:2010), and nothing else. Attackers use
 * profiles with tables of colours, names of colours or programs, so those are not plain.
 */

const HEADER_BYTES = 128;
const ENTRY_BYTES = 12;
/** The longest profile. Profiles of screens and cameras have a tenth of it. */
const MAX_BYTES = 64 * 1024;
const MAX_TAGS = 32;
/** The longest curve. */
const MAX_POINTS = 4096;
const MAX_TEXT = 8 * 1024;

type IsValue = (value: Buffer) => boolean;

/** Values by their type, each of exactly its length. The first eight bytes are the type and four zeros. */
const VALUES: Readonly<Record<string, IsValue>> = {
  'XYZ ': (value) => value.length === 20,
  curv: (value) =>
    value.length >= 12 && value.readUInt32BE(8) <= MAX_POINTS && fits(value, 12 + 2 * value.readUInt32BE(8)),
  para: (value) => value.length >= 12 && value.readUInt16BE(10) === 0 && fits(value, PARAMETERS[value.readUInt16BE(8)]),
  sf32: (value) => value.length === 44,
  'sig ': (value) => value.length === 12,
  view: (value) => value.length === 36,
  meas: (value) => value.length === 36,
  text: (value) => value.length <= MAX_TEXT && isText(value.subarray(8)),
  desc: isDescription,
  mluc: isTextOfLanguages,
};
/** Length of a curve that is a formula, by the number of the formula. */
const PARAMETERS: Readonly<Record<number, number>> = { 0: 16, 1: 24, 2: 28, 3: 32, 4: 40 };

const [TEXTS, POINT, CURVE] = [['desc', 'mluc', 'text'], ['XYZ '], ['curv', 'para']];
/** The types of value that a tag may have. */
const TAGS: Readonly<Record<string, readonly string[]>> = {
  desc: TEXTS,
  cprt: TEXTS,
  dmnd: TEXTS,
  dmdd: TEXTS,
  vued: TEXTS,
  dscm: ['mluc'],
  wtpt: POINT,
  bkpt: POINT,
  rXYZ: POINT,
  gXYZ: POINT,
  bXYZ: POINT,
  lumi: POINT,
  rTRC: CURVE,
  gTRC: CURVE,
  bTRC: CURVE,
  kTRC: CURVE,
  aarg: ['para'],
  aagg: ['para'],
  aabg: ['para'],
  chad: ['sf32'],
  tech: ['sig '],
  view: ['view'],
  meas: ['meas'],
};

/** The tags that a reader needs, by the kind of colours. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  'RGB ': ['rXYZ', 'gXYZ', 'bXYZ', 'rTRC', 'gTRC', 'bTRC', 'wtpt'],
  GRAY: ['kTRC', 'wtpt'],
};

/** Returns true when nothing else is in the profile. Never throws. */
export function isPlainProfile(bytes: Buffer): boolean {
  if (bytes.length < HEADER_BYTES + 4 || bytes.length > MAX_BYTES || bytes.readUInt32BE(0) !== bytes.length)
    return false;
  const [major = 0] = bytes.subarray(8);
  const [kind, colours, between] = [12, 16, 20].map((at) => bytes.toString('latin1', at, at + 4));
  const needed = NEEDED[colours ?? ''];
  if (bytes.toString('latin1', 36, 40) !== 'acsp' || (major !== 2 && major !== 4) || needed === undefined) return false;
  if (!['mntr', 'scnr', 'spac'].includes(kind ?? '') || between !== 'XYZ ') return false;
  const tags = tagsOf(bytes);
  return tags !== null && needed.every((name) => tags.includes(name));
}

/** Returns the names of the tags. Returns null when a tag is unknown or occurs twice, when its value is odd, or when values overlap. */
function tagsOf(bytes: Buffer): string[] | null {
  const count = bytes.readUInt32BE(HEADER_BYTES);
  const end = HEADER_BYTES + 4 + count * ENTRY_BYTES;
  if (count > MAX_TAGS || end > bytes.length) return null;
  const names: string[] = [];
  const places = new Map<number, number>();
  for (let at = HEADER_BYTES + 4; at < end; at += ENTRY_BYTES) {
    const name = bytes.toString('latin1', at, at + 4);
    const [from, length] = [bytes.readUInt32BE(at + 4), bytes.readUInt32BE(at + 8)];
    if (length < 8 || from < end || from + length > bytes.length || (places.get(from) ?? length) !== length)
      return null;
    if (names.includes(name) || !isValue(name, bytes.subarray(from, from + length))) return null;
    names.push(name);
    places.set(from, length);
  }
  return arePlaced(bytes, end, [...places]) ? names : null;
}

function isValue(name: string, value: Buffer): boolean {
  const type = value.toString('latin1', 0, 4);
  return Object.hasOwn(TAGS, name) && (TAGS[name]?.includes(type) ?? false) && (VALUES[type]?.(value) ?? false);
}

/** Checks the places. Several tags may have one value. Other values do not touch, and only zeros are between them. */
function arePlaced(bytes: Buffer, from: number, places: readonly (readonly [number, number])[]): boolean {
  let at = from;
  for (const [start, length] of [...places].sort(([one], [other]) => one - other)) {
    if (start < at || bytes.subarray(at, start).some((byte) => byte !== 0)) return false;
    at = start + length;
  }
  return bytes.subarray(at).every((byte) => byte === 0);
}

/** Checks the up to three zeros that fill the last four bytes. */
const fits = (value: Buffer, length: number | undefined) =>
  length !== undefined && value.length >= length && value.length < length + 4;

const isText = (text: Buffer) =>
  text.every((byte) => byte === 0 || byte === 9 || byte === 10 || byte === 13 || byte >= 0x20);

/**
 * Checks a text in ASCII, one in UTF-16 and one in the characters of a Macintosh, each with its length in front (ICC.1:2001-04, 6.5.17).
 */
function isDescription(value: Buffer): boolean {
  if (value.length < 12 || value.length > MAX_TEXT) return false;
  const ascii = value.readUInt32BE(8);
  const unicode = 12 + ascii + 4;
  if (ascii > MAX_TEXT || unicode + 4 > value.length || !isText(value.subarray(12, 12 + ascii))) return false;
  const letters = value.readUInt32BE(unicode);
  const script = unicode + 4 + 2 * letters;
  if (letters > MAX_TEXT || script + 3 > value.length) return false;
  return (value[script + 2] as number) <= 67 && fits(value, script + 3 + 67);
}

/** Checks the records of a language, each with the place of its text (ICC.1:2010, 10.13). */
function isTextOfLanguages(value: Buffer): boolean {
  if (value.length < 16 || value.length > MAX_TEXT || value.readUInt32BE(12) !== 12) return false;
  const count = value.readUInt32BE(8);
  const end = 16 + count * 12;
  if (count === 0 || count > 100 || end > value.length) return false;
  return Array.from({ length: count }, (_, index) => 16 + index * 12).every((at) => {
    const [length, from] = [value.readUInt32BE(at + 4), value.readUInt32BE(at + 8)];
    return length % 2 === 0 && from >= end && from + length <= value.length;
  });
}
