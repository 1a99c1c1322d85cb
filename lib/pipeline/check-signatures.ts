/** Checks the signatures of a message, under one limit of number and processor time. */
import { type SignatureCheck, unchecked } from '../formats/signed/signature-check.ts';
import { decodePart } from '../message/encodings/decode-part.ts';
import { senderAddress } from '../message/headers/sender-address.ts';
import type { MessagePart } from '../message/model.ts';
import { canonical, entityBytes, type SignedEntity, signedEntities } from '../message/signed/signed-entities.ts';
import type { ParseContext } from './context.ts';
import type { Signature } from './ledger.ts';
import { meterWork, type WorkMeter } from './work-meter.ts';

/** The signatures of the message, each with what was found of it. A message without any costs nothing. */
export async function checkSignatures(
  ctx: ParseContext,
  email: Uint8Array,
  parts: readonly MessagePart[],
): Promise<Signature[]> {
  const meter = meterWork(ctx);
  const found: Signature[] = [];
  for (const entity of signedEntities(email, parts)) {
    const isOver = found.length >= ctx.limits.signatures;
    const check = isOver
      ? unchecked('the message has more signatures than are checked')
      : await checkOne(ctx, email, parts, entity, meter);
    found.push({ ...entity, ...check, isDelivered: null });
  }
  return found;
}

async function checkOne(
  ctx: ParseContext,
  email: Uint8Array,
  parts: readonly MessagePart[],
  { kind, path, contentPath, signaturePath }: SignedEntity,
  { usedMs, checkSignature }: WorkMeter,
): Promise<SignatureCheck> {
  const [content, signature] = [contentPath, signaturePath].map((each) => parts.find((part) => part.path === each));
  if (checkSignature === null || content === undefined || signature === undefined)
    return unchecked('signatures cannot be checked here');
  return checkSignature({
    kind,
    bytes: decodePart(email, signature),
    content: canonical(new Uint8Array(entityBytes(email, content))),
    trusted: kind === 'smime' ? ctx.policy.signed.authorities : ctx.policy.signed.keys,
    sender: senderOf(email, parts, path),
    nowMs: ctx.clock.now(),
    workMs: ctx.limits.signatureWorkSeconds * 1000 - usedMs(),
  });
}

/** Who the message around a part is from. A message that is forwarded has a sender of its own. */
function senderOf(email: Uint8Array, parts: readonly MessagePart[], path: string): string | null {
  const byPath = new Map(parts.map((part) => [part.path, part]));
  for (let part = byPath.get(path); part !== undefined; ) {
    const around = part.parent === null ? undefined : byPath.get(part.parent);
    if (around === undefined || around.role === 'message') return senderAddress(email, part.header);
    part = around;
  }
  return null;
}
