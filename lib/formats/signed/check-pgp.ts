/** Checks detached OpenPGP signatures (RFC 9580 §5.2, RFC 3156 §5) by the keys that the operator trusts. */
import { createMessage, type Key, readKeys, readSignature, verify } from 'openpgp';
import { brokenBy, checkedSigner, type SignatureCheck, type SignatureRequest, unchecked } from './signature-check.ts';

/** The message by which the library reports a different digest. It reports this in no other way. */
const OTHER_DIGEST = /digest did not match|Signature verification failed/i;

/** Checks a message with one signature. Rejects with the errors of the library on malformed bytes. */
export async function checkPgp({ bytes, content, trusted, sender, nowMs }: SignatureRequest): Promise<SignatureCheck> {
  const signature = await readSignature({ armoredSignature: Buffer.from(bytes).toString('latin1') });
  if (content === null || signature.packets.length !== 1) return unchecked('it is not of exactly one signer');
  const keys = (await Promise.all(trusted.map((armoredKeys) => readKeys({ armoredKeys })))).flat();
  const [id] = signature.getSigningKeyIDs();
  const key = keys.find((each) => id !== undefined && each.getKeys(id).length > 0);
  if (key === undefined)
    return checkedSigner([], sender, `no key that is trusted here made it (key ${id?.toHex() ?? ''})`);
  const message = await createMessage({ binary: new Uint8Array(content) });
  const date = new Date(nowMs);
  const { signatures } = await verify({ message, signature, verificationKeys: key, date });
  const fault = await signatures[0]?.verified.then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : 'unknown'),
  );
  const addresses = await addressesOf(key, date);
  if (fault !== null && fault !== undefined && OTHER_DIGEST.test(fault)) return brokenBy(addresses[0]);
  return checkedSigner(addresses, sender, fault === null ? null : 'its key is not valid, or not for signing');
}

/** Returns the addresses in the key that are not revoked. */
async function addressesOf(key: Key, date: Date): Promise<string[]> {
  const addresses: string[] = [];
  for (const user of key.users) {
    const isValid = await user.verify(date).catch(() => false);
    if (isValid && user.userID?.email) addresses.push(user.userID.email.toLowerCase());
  }
  return addresses;
}
