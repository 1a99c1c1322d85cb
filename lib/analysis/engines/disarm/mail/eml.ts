/** Disarm of email messages: read strictly, every part disarmed by its own type, written anew with the headers of an allow-list. */
import type { DetectedType, EngineLimits, FileInput } from '../../engine.ts';
import type { Disarmed, Nested } from '../disarm-module.ts';
import { removalLog } from '../removals.ts';
import { rebuildMail } from './mail-rebuild.ts';
import { readMail } from './mime-read.ts';

/** True for messages. */
export function accepts(type: DetectedType): boolean {
  return type.type === 'message/rfc822';
}

/**
 * Rebuilds a message. `already_safe` when it is byte for byte what is written. Throws EngineError `unreadable` when programs could
 * read it in more than one way, `oversize` when it breaks a limit.
 */
export async function disarm(
  input: FileInput,
  type: DetectedType,
  limits: EngineLimits,
  nested: Nested,
): Promise<Disarmed> {
  const log = removalLog();
  const bytes = await rebuildMail(readMail(input.bytes, limits), { log, nested, password: input.password });
  if (Buffer.compare(bytes, input.bytes) === 0) {
    return { outcome: 'already_safe', bytes: input.bytes, type, details: [] };
  }
  return { outcome: 'disarmed', bytes, type, details: log.removals };
}
