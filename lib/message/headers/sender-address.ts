/** Finds the single address of the sender of a message. */
import { asBuffer } from '../../formats/byte-scan.ts';
import type { ByteRange } from '../model.ts';
import { rawHeader } from './raw-fields.ts';

/** A name without an address in it, and one address; or the address alone. */
const FROM =
  /^(?:[^<>"@,;:\\()]*|"[^"\\@]*")[ \t]*<([^<>"@,;:\\()\s]+@[a-z0-9.-]+)>$|^([^<>"@,;:\\()\s]+@[a-z0-9.-]+)$/i;
/** Longer than an address may be (RFC 5321 §4.5.3.1). */
const LONGEST = 320;

/**
 * Returns the address in small letters; null when there is not exactly one From field, or when programs could read another address in it.
 */
export function senderAddress(email: Uint8Array, header: ByteRange): string | null {
  const [field, ...others] = rawHeader(asBuffer(email), header).fields.filter(({ name }) => name === 'from');
  if (field === undefined || others.length > 0 || !field.isNameStrict) return null;
  const [, named, bare] = FROM.exec(field.value.slice(0, 2_000)) ?? [];
  const address = (named ?? bare ?? '').toLowerCase();
  return address === '' || address.length > LONGEST ? null : address;
}
