/**
 * OpenPGP messages (RFC 9580). The airlock has no key and tries no password here. So the outcome is `encrypted` when every message in the file
 * is encrypted from its first octet to its last. A file with anything else is `unsupported`, because programs without a key open it, too.
 */
import { type Candidate, type Container, type Opened, opened } from './container.ts';
import { holdsArmor, isWholeArmor, openerOfArmor } from './pgp-armor.ts';
import { type Opener, openerOf, tagOf } from './pgp-packets.ts';

const NAME = /\.(?:pgp|gpg)\s*$/i;

/** A file that is one message, as packets or as armor. */
export const pgp: Container = {
  name: 'pgp',
  accepts: (candidate) => isBinary(candidate) || isWholeArmor(candidate.bytes),
  open: async (candidate) => outcome(isBinary(candidate) ? openerOf(candidate.bytes) : openerOfArmor(candidate.bytes)),
};

/** A text that contains messages. */
export const inlinePgp: Container = {
  name: 'inline-pgp',
  accepts: ({ bytes }) => holdsArmor(bytes),
  open: async ({ bytes }) => outcome(openerOfArmor(bytes)),
};

function outcome(opener: Opener | null): Opened {
  if (opener === 'private_key') return opened({ outcome: 'encrypted', detail: 'an OpenPGP encrypted message' });
  return opener === 'password'
    ? opened({ outcome: 'encrypted', detail: 'an OpenPGP message that needs a password', needsPassword: true })
    : opened({ outcome: 'unsupported', detail: 'an OpenPGP message that is not encrypted, or is damaged' });
}

/**
 * Returns true for a packet of session-key, encrypted-data or marker type at the start of a file that is called PGP (RFC 9580 §4.2, tags 1,
 * 3, 9, 10, 18, 20).
 */
function isBinary({ bytes, untrustedNames, declaredType }: Candidate): boolean {
  const isCalledSo = declaredType === 'application/pgp-encrypted' || untrustedNames.some((name) => NAME.test(name));
  return isCalledSo && [1, 3, 9, 10, 18, 20].includes(tagOf(bytes[0] ?? 0));
}
