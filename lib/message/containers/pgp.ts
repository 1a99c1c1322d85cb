/** OpenPGP messages (RFC 9580): nobody here has the key, so what is inside is said to be closed. */
import { type Candidate, type Container, opened } from './container.ts';

const BEGIN = '-----BEGIN PGP MESSAGE-----';
const END = '-----END PGP MESSAGE-----';
const NAME = /\.(?:pgp|gpg)\s*$/i;

export const pgp: Container = {
  name: 'pgp',
  accepts: (candidate) => isArmored(candidate.bytes) || isBinary(candidate),
  open: async () => opened({ outcome: 'encrypted', detail: 'an OpenPGP message' }),
};

/** Armor with its begin line at the start of a line and an end after it: prose about PGP has no such thing. */
function isArmored(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const begin = text.indexOf(BEGIN);
  if (begin < 0 || (begin > 0 && text[begin - 1] !== 0x0a && text[begin - 1] !== 0x0d)) return false;
  return text.indexOf(END, begin) > begin + BEGIN.length + 8;
}

/** A packet of session-key or encrypted-data type at the start of what is called PGP (RFC 9580 §4.2, tags 1, 3, 9, 18, 20). */
function isBinary({ bytes, untrustedNames, declaredType }: Candidate): boolean {
  const isCalledSo = declaredType === 'application/pgp-encrypted' || untrustedNames.some((name) => NAME.test(name));
  const first = bytes[0] ?? 0;
  if (!isCalledSo || (first & 0x80) === 0) return false;
  const tag = (first & 0x40) === 0 ? (first >> 2) & 0x0f : first & 0x3f;
  return [1, 3, 9, 18, 20].includes(tag);
}
