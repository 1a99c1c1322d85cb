/** Disarms email messages: they are read strictly, each part is disarmed by its own type, and only allowed headers are written. */
import { asBuffer, skipMboxLine } from '../../../formats/byte-scan.ts';
import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import { isMailbox } from '../../../formats/mail/mailbox.ts';
import { EngineError, type EngineLimits, type FileInput } from '../../engine.ts';
import { readMail } from '../../mime/read.ts';
import { type Disarmed, type Nested, writtenAnew } from '../disarm-module.ts';
import { removalLog } from '../removals.ts';
import { rebuildMail } from './rebuild.ts';

/**
 * Rebuilds a message. `already_safe` when the output equals the input byte for byte. Throws EngineError `unreadable` when programs could
 * read it in more than one way, `unsupported` for a mailbox of many messages, `oversize` when it breaks a limit.
 */
export async function disarm(
  input: FileInput,
  type: DetectedType,
  _limits: EngineLimits,
  nested: Nested,
): Promise<Disarmed> {
  const original = asBuffer(input.bytes);
  // Most messages have no line of a mailbox, and are not copied to look for others.
  if (skipMboxLine(original) > 0 && isMailbox(original.toString('latin1')))
    throw new EngineError('unsupported', 'a mailbox of many messages is not one email; submit the messages one by one');
  const log = removalLog();
  const bytes = await rebuildMail(readMail(input.bytes), { log, nested, password: input.password });
  return writtenAnew(input, bytes, type, log.removals);
}
