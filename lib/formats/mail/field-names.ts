/**
 * Names of header fields that the structure of a message is read from, in every spelling that some program takes for one of them.
 * RFC 5322 §2.2 allows more in a name than programs expect, and programs read more than it allows.
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
/** Names that nobody has to look at twice. */
const PLAIN = /^[a-z0-9-]+$/;
/** Printable ASCII without colon and blank: RFC 5322 §3.6.8. */
const FIELD_NAME = /^[!-9;-~]+$/;
/** Blanks in front of the colon (RFC 5322 §4.5), or inside of a name that nobody acts on: mail really has them. */
const HARMLESS = /^(?:[!-9;-~]+[ \t]+|x-[!-9;-~ \t]+)$/i;

export interface FieldName {
  /** Lower case; the name that structure is read by when a program may take it for one of those. */
  readonly name: string;
  /** Plain words; null when every program reads it alike, or nobody acts on it. */
  readonly problem: string | null;
}

/** Longer names are nobody's: they hold the message, and are not looked at any closer. */
const LONGEST_NAME = 100;

/** What a field name, one character per byte, is to the most lenient of programs. */
export function readFieldName(raw: string): FieldName {
  const name = raw.toLowerCase();
  if (EXACT.has(name)) return { name, problem: null };
  const structural =
    BY_LETTERS.get(lettersOf(name)) ?? (PLAIN.test(name) || name.length > LONGEST_NAME ? null : respelled(raw));
  if (structural !== null)
    return { name: structural, problem: `a header field name that only some programs take for ${structural}` };
  const isPlain = name.length <= LONGEST_NAME && (FIELD_NAME.test(name) || HARMLESS.test(name));
  return { name, problem: isPlain ? null : 'a malformed header field name' };
}

function lettersOf(text: string): string {
  return text.replace(/[^a-z]/g, '');
}

/** Without its comments, decoded in each of the ways in which text is encoded in mail, or one of its words alone. */
function respelled(raw: string): string | null {
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

/** Full width letters are letters to programs that normalise what they read. */
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
