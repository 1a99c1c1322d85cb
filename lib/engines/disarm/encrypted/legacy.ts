/** Word, Excel and PowerPoint 97 to 2003 documents behind a password: opened, then disarmed like any other. */
import { createRequire } from 'node:module';
import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import { EngineError, type EngineLimits, type FileInput } from '../../engine.ts';
import type { Disarm, Disarmed, Nested } from '../disarm-module.ts';
import { passwordsOf } from './encrypted.ts';

/** The library takes a few milliseconds a megabyte; far larger documents of these formats do not exist. */
const MAX_ENCRYPTED_BYTES = 32 * 1024 * 1024;
/** Excel and Word allow 15 characters, the formats 255. */
const MAX_PASSWORD_LENGTH = 255;

/** The same module, for documents that only open with a password, too. Offsets outside the file end as `unreadable`. */
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

/** Every read in these formats goes through an offset of the file's; the buffer itself refuses the ones that lead out of it. */
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
  if (input.bytes.length > MAX_ENCRYPTED_BYTES) throw error;
  for (const password of passwordsOf(input)) {
    const bytes = password.length > MAX_PASSWORD_LENGTH ? null : await decrypt(input.bytes, password);
    if (bytes === null) continue;
    const opened = await disarm({ ...input, bytes, password: null }, type, limits, nested);
    const encryption = { kind: 'encryption', action: 'removed', where: 'document' } as const;
    return { ...opened, outcome: 'disarmed', details: [encryption, ...opened.details] };
  }
  throw error;
}

/** The opened bytes; null when the password is wrong or the way of encryption is unknown. Both ask for another file. */
async function decrypt(bytes: Uint8Array, password: string): Promise<Uint8Array | null> {
  const crypto = createRequire(import.meta.url)('officecrypto-tool') as typeof import('officecrypto-tool');
  try {
    const opened = await crypto.decrypt(Buffer.from(bytes), { password });
    return Buffer.compare(opened, bytes) === 0 ? null : opened;
  } catch {
    // The library throws the same plain errors for a wrong password and for an unknown method.
    return null;
  }
}
