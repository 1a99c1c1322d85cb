/**
 * Reads the names of header fields that decide the structure of a message, in every spelling that some program accepts. RFC 5322 §2.2
 * allows more in a name than programs expect, and programs accept more than it allows.
 */
import { decodeHeaderText } from './encoded-words.ts';
import { withoutComments } from './header-comments.ts';

const STRUCTURAL = [
  'content-type',
  'content-transfer-encoding',
  'content-disposition',
  'content-id',
  'content-description',
  'content-location',
  'content-base',
  'mime-version',
];
const EXACT = new Set(STRUCTURAL);
const BY_LETTERS = new Map(STRUCTURAL.map((name) => [lettersOf(name), name]));
/** Names of letters, digits and dashes, which all programs read alike. */
const PLAIN = /^[a-z0-9-]+$/;
/** Printable ASCII without colon and blank: RFC 5322 §3.6.8. */
const FIELD_NAME = /^[!-9;-~]+$/;
/** Names with blanks in front of the colon (RFC 5322 §4.5), and `X-` names with blanks inside. Ordinary mail has them. */
const HARMLESS = /^(?:[!-9;-~]+[ \t]+|x-[!-9;-~ \t]+)$/i;

export interface FieldName {
  /** In lower case. If some program takes it for a name that decides the structure, it is that name. */
  readonly name: string;
  /** The oddity, in plain words. Null when every program reads it alike, or no program acts on it. */
  readonly problem: string | null;
}

/** Characters of a name. No program knows a longer one, so it is reported and not read further. */
const MAX_NAME_LENGTH = 100;

/** Reads a field name, one character per byte, as the most lenient programs do. */
export function readFieldName(raw: string): FieldName {
  const name = raw.toLowerCase();
  if (EXACT.has(name)) return { name, problem: null };
  const structural =
    BY_LETTERS.get(lettersOf(name)) ??
    (PLAIN.test(name) || name.length > MAX_NAME_LENGTH ? null : structuralReading(raw));
  if (structural !== null)
    return { name: structural, problem: `a header field name that only some programs take for ${structural}` };
  const isPlain = name.length <= MAX_NAME_LENGTH && (FIELD_NAME.test(name) || HARMLESS.test(name));
  return { name, problem: isPlain ? null : 'a malformed header field name' };
}

function lettersOf(text: string): string {
  return text.replace(/[^a-z]/g, '');
}

/**
 * Returns a name that decides the structure and that some program may read here: without comments, decoded in each way of mail, or in one
 * of its words.
 */
function structuralReading(raw: string): string | null {
  for (const text of new Set([raw, wide(raw), decodeHeaderText(raw), percentDecoded(raw), entitiesDecoded(raw)])) {
    const lower = text.toLowerCase();
    const plain = withoutComments(lower);
    const words = `${lower} ${plain}`.replaceAll('_', '-').split(/[^a-z-]+/);
    for (const spelling of [lower, plain, ...words]) {
      const found = BY_LETTERS.get(lettersOf(spelling));
      if (found !== undefined) return found;
    }
  }
  return null;
}

/** Returns the name with full-width letters as plain letters, as programs read it that normalise text. */
function wide(raw: string): string {
  return Buffer.from(raw, 'latin1').toString('utf8').normalize('NFKC');
}

function percentDecoded(text: string): string {
  return text.replace(/[%=]([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function entitiesDecoded(text: string): string {
  return text.replace(/&#(x?)([0-9a-f]{1,6});?/gi, (_, hex: string, digits: string) =>
    String.fromCodePoint(Math.min(0xffff, Number.parseInt(digits, hex === '' ? 10 : 16) || 0)),
  );
}
