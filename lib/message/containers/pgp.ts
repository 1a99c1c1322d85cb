/** OpenPGP messages (RFC 9580). We do not have the key, so the outcome is always `encrypted`. */
import { asBuffer } from '../../formats/byte-scan.ts';
import { textViews } from '../encodings/text-views.ts';
import { type Candidate, type Container, opened } from './container.ts';

/** The begin line, the headers of the armor, and the first two octets of its data in base64 (RFC 9580 §6.2). */
const ARMOR =
  /^-{5}BEGIN PGP (MESSAGE(?:, PART \d[\d/]*)?|SIGNATURE|PUBLIC KEY BLOCK|PRIVATE KEY BLOCK)-{5}[ \t]*\r?\n(?:[A-Za-z]+: [^\r\n]*\r?\n|[ \t]*\r?\n){0,20}([A-Za-z0-9+/]{2})[A-Za-z0-9+/]{6}/gim;
/** First packets of armor that is not called a message (§10): a signature, and keys. With any other packet it is a message. */
const FIRST_TAGS: Readonly<Record<string, readonly number[]>> = {
  SIGNATURE: [2],
  'PUBLIC KEY BLOCK': [6, 14],
  'PRIVATE KEY BLOCK': [5, 7],
};
/** The letters, also with a soft end of a line in them, or when one of them is written as an entity. */
const CALLED_PGP = /pgp|p \r?\ngp|pg \r?\np|&#(?:x0*[4567][07]|0*(?:71|80|103|112))(?![0-9a-f])/i;
const NAME = /\.(?:pgp|gpg)\s*$/i;

export const pgp: Container = {
  name: 'pgp',
  accepts: (candidate) => isArmored(candidate.bytes) || isBinary(candidate),
  open: async () => opened({ outcome: 'encrypted', detail: 'an OpenPGP message' }),
};

/**
 * True for armor whose begin line starts a line, also behind quotation marks, indents and the elements of a page, because programs
 * find it there. Prose about PGP has no data behind that line.
 */
function isArmored(bytes: Uint8Array): boolean {
  const text = asBuffer(bytes).toString('latin1');
  return CALLED_PGP.test(text) && [text, ...textViews(bytes).map((view) => view.toString('latin1'))].some(holdsMessage);
}

function holdsMessage(text: string): boolean {
  for (const [, kind = '', start = ''] of text.matchAll(ARMOR))
    if (!FIRST_TAGS[kind.toUpperCase()]?.includes(tagOf(Buffer.from(`${start}AA`, 'base64')[0] ?? 0))) return true;
  return false;
}

/** A packet of session-key or encrypted-data type at the start of what is called PGP (RFC 9580 §4.2, tags 1, 3, 9, 18, 20). */
function isBinary({ bytes, untrustedNames, declaredType }: Candidate): boolean {
  const isCalledSo = declaredType === 'application/pgp-encrypted' || untrustedNames.some((name) => NAME.test(name));
  const first = bytes[0] ?? 0;
  if (!isCalledSo || (first & 0x80) === 0) return false;
  return [1, 3, 9, 18, 20].includes(tagOf(first));
}

/** The type of a packet (§4.2) in either format; -1 when it is not a packet. */
function tagOf(first: number): number {
  if ((first & 0x80) === 0) return -1;
  return (first & 0x40) === 0 ? (first >> 2) & 0x0f : first & 0x3f;
}
