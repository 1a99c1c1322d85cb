/** Ordinary mails that the airlock seals with ARC, first as they come and then once more, as a second airlock behind the first would get them. */
import { generateKeyPairSync } from 'node:crypto';
import { parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import { createSealer } from '../../lib/storage/seal-key.ts';
import type { OrdinaryMail } from '../ordinary/ordinary-mail.ts';
import { createRig } from '../pipeline/rig.ts';
import type { MailReader } from './mail-readers.ts';

const SERVER = 'mx.airlock.example';
const SEAL = { domain: 'airlock.example', selector: 'arc1', server: 'airlock.example' };

/** The mails whose seal does not hold for this program, each with what it says; null when it verifies none. */
export async function brokenSeals(reader: MailReader, mails: readonly OrdinaryMail[]): Promise<string[] | null> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const record = `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`;
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const policy = parsePolicy(JSON.stringify({ authentication: { servers: [SERVER], seal: SEAL } }));
  const rig = createRig({ policy, sealer: createSealer(async () => pem) });
  const sealed: { readonly name: string; readonly bytes: Uint8Array }[] = [];
  for (const [at, { bytes }] of mails.entries()) {
    const once = await sealedBy(rig, `once-${at}`, 'spf=pass smtp.mailfrom=ana@sender.example', bytes);
    const twice = once && (await sealedBy(rig, `twice-${at}`, 'arc=pass', once));
    for (const [name, message] of [[`once-${at}`, once] as const, [`twice-${at}`, twice] as const])
      if (message !== null) sealed.push({ name, bytes: message });
  }
  const seen = await reader.read(sealed, { [`${SEAL.selector}._domainkey.${SEAL.domain}`]: record });
  if ([...seen.values()].every(({ signatures }) => signatures === null)) return null;
  return sealed.flatMap(({ name }) => {
    const arc = seen.get(name)?.signatures?.arc;
    return arc === 'pass' ? [] : [`${mails[Number(name.split('-')[1])]?.id} (${name}): ${arc ?? 'does not open'}`];
  });
}

/** Null for a mail that is held. */
async function sealedBy(
  rig: ReturnType<typeof createRig>,
  name: string,
  results: string,
  mail: Uint8Array,
): Promise<Uint8Array | null> {
  const isLf = !Buffer.from(mail).includes('\r\n');
  const found = `Authentication-Results: ${SERVER}; ${results}${isLf ? '\n' : '\r\n'}`;
  const { clean } = await rig.scan(Buffer.concat([Buffer.from(found), mail]), name);
  return clean === null ? null : Buffer.from(clean, 'latin1');
}
