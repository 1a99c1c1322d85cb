/** Checks the signatures of a message, under one limit of number and processor time. */
import { type SignatureCheck, type SignatureRequest, unchecked } from '../../formats/signed/signature-check.ts';
import { decodePart } from '../../message/encodings/decode-part.ts';
import { senderAddress } from '../../message/headers/sender-address.ts';
import type { MessagePart } from '../../message/model.ts';
import { canonical, entityBytes, type SignedEntity, signedEntities } from '../../message/signed/entities.ts';
import type { OpenedMail } from '../contents/opened-mail.ts';
import { meterWork, type WorkMeter } from '../contents/work-meter.ts';
import type { ParseContext } from '../context.ts';
import { sha256Hex } from '../keys.ts';
import type { Signature } from '../ledger/ledger.ts';

/** Returns the signatures of the message, each with its result. A message without signatures costs nothing. */
export async function checkSignatures(ctx: ParseContext, mail: OpenedMail): Promise<Signature[]> {
  const meter = meterWork(ctx);
  const found: Signature[] = mail.signed === null ? [] : [await checkOpaque(ctx, mail, mail.signed, meter)];
  for (const entity of signedEntities(mail.bytes, mail.reading.parts)) {
    const isOver = found.length >= ctx.limits.signatures;
    const { contentSha256: _, ...check } = isOver
      ? unchecked('the message has more signatures than are checked')
      : await checkClear(ctx, mail, entity, meter);
    found.push({ ...entity, ...check, isDelivered: null });
  }
  return found;
}

/**
 * Checks a signature that has its content inside. The library must read the content that was judged, so that the file can be delivered.
 */
async function checkOpaque(
  ctx: ParseContext,
  { email }: OpenedMail,
  { message, reading: { parts } }: NonNullable<OpenedMail['signed']>,
  meter: WorkMeter,
): Promise<Signature> {
  const sender = senderAddress(email, parts[0]?.header ?? { start: 0, end: 0 });
  const { contentSha256, ...check } = await ask(ctx, meter, {
    kind: 'smime',
    bytes: message.signature,
    content: null,
    sender,
  });
  const isReadAlike = contentSha256 === sha256Hex(message.content);
  const isDelivered = message.isWhole && isReadAlike ? null : false;
  return { kind: 'smime', path: '1', contentPath: '1', signaturePath: null, ...check, isDelivered };
}

async function checkClear(
  ctx: ParseContext,
  { bytes: email, reading: { parts } }: OpenedMail,
  { kind, path, contentPath, signaturePath }: SignedEntity,
  meter: WorkMeter,
): Promise<SignatureCheck> {
  const [content, signature] = [contentPath, signaturePath].map((each) => parts.find((part) => part.path === each));
  if (content === undefined || signature === undefined) return unchecked('a part of it is missing');
  return ask(ctx, meter, {
    kind,
    bytes: decodePart(email, signature),
    content: canonical(new Uint8Array(entityBytes(email, content))),
    sender: senderOf(email, parts, path),
  });
}

type Question = Pick<SignatureRequest, 'kind' | 'bytes' | 'content' | 'sender'>;

async function ask(
  { policy, clock, limits }: ParseContext,
  { usedMs, checkSignature }: WorkMeter,
  question: Question,
): Promise<SignatureCheck> {
  if (checkSignature === null) return unchecked('signatures cannot be checked here');
  const trusted = question.kind === 'smime' ? policy.signed.authorities : policy.signed.keys;
  const workMs = limits.signatureWorkSeconds * 1000 - usedMs();
  return checkSignature({ ...question, trusted, nowMs: clock.now(), workMs });
}

/** Returns the sender of the message around a part. A forwarded message has its own sender. */
function senderOf(email: Uint8Array, parts: readonly MessagePart[], path: string): string | null {
  const byPath = new Map(parts.map((part) => [part.path, part]));
  for (let part = byPath.get(path); part !== undefined; ) {
    const around = part.parent === null ? undefined : byPath.get(part.parent);
    if (around === undefined || around.role === 'message') return senderAddress(email, part.header);
    part = around;
  }
  return null;
}
