/** Word, Excel and PowerPoint 97 to 2003 documents behind a password: opened, then disarmed like any other. */
import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import { openLegacy, passwordsOf } from '../../../formats/office/encryption/open.ts';
import { EngineError, type EngineLimits, type FileInput } from '../../engine.ts';
import type { Disarm, Disarmed, Nested } from '../disarm-module.ts';

/** Returns the same module, also for documents that only open with a password. Offsets outside the file end as `unreadable`. */
export function withPassword(open: Disarm): Disarm {
  const disarm = refusingBadOffsets(open);
  return async (input, type, limits, nested) => {
    try {
      return await disarm(input, type, limits, nested);
    } catch (error) {
      if (!(error instanceof EngineError) || error.code !== 'encrypted') throw error;
      return openAndDisarm(disarm, { input, type, limits, nested, error });
    }
  };
}

/** Wraps the buffer. Every read in these formats uses an offset of the file. The buffer itself refuses offsets outside it. */
function refusingBadOffsets(disarm: Disarm): Disarm {
  return async (...args) => {
    try {
      return await disarm(...args);
    } catch (error) {
      if (error instanceof RangeError) throw new EngineError('unreadable', 'the document is damaged');
      throw error;
    }
  };
}

interface Locked {
  readonly input: FileInput;
  readonly type: DetectedType;
  readonly limits: EngineLimits;
  readonly nested: Nested;
  readonly error: EngineError;
}

async function openAndDisarm(disarm: Disarm, { input, type, limits, nested, error }: Locked): Promise<Disarmed> {
  const bytes = await openLegacy(input.bytes, passwordsOf(input));
  if (bytes === null) throw error;
  const opened = await disarm({ ...input, bytes, password: null }, type, limits, nested);
  const encryption = { kind: 'encryption', action: 'removed', where: 'document' } as const;
  return { ...opened, outcome: 'disarmed', details: [encryption, ...opened.details] };
}
