/** Finds the bytes of a part where the stages have put them: as they came, as they were disarmed, or in the message that was delivered. */
import { runAsync } from '../formats/steps.ts';
import { NotFoundError } from './errors.ts';
import { keys, sha256Hex } from './keys.ts';
import { leafOfPartSteps } from './leaves.ts';
import { DEFAULT_LIMITS } from './limits.ts';
import { readOpened } from './opened-mail.ts';
import type { Blobs } from './ports.ts';

/** Disarmed files in base64 may make a message larger than it came. */
const CLEAN_BYTES = DEFAULT_LIMITS.verifiedBytes;

export interface StoredPart {
  readonly bytes: Uint8Array;
  /** What its header in the delivered message says; null when it was not taken from there. */
  readonly charset: string | null;
}

/** The bytes with this hash; null when they are nowhere any more. Throws LimitExceededError. */
export async function findStored(
  blobs: Pick<Blobs, 'get'>,
  { runId, sha256 }: { readonly runId: string; readonly sha256: string },
): Promise<StoredPart | null> {
  for (const key of [keys.artifact(sha256), keys.disarmed(sha256)]) {
    const bytes = await ifAny(() => blobs.get('work', key, { maxBytes: DEFAULT_LIMITS.memberBytes }));
    if (bytes !== null && sha256Hex(bytes) === sha256) return { bytes, charset: null };
  }
  const message = await ifAny(() => blobs.get('clean', keys.cleanMessage(runId), { maxBytes: CLEAN_BYTES }));
  if (message === null) return null;
  const { reading, bytes: email } = await readOpened(message, DEFAULT_LIMITS);
  const part = reading.parts.find((each) => each.sha256 === sha256);
  if (part === undefined) return null;
  const { bytes, charset } = await runAsync(leafOfPartSteps(part, email));
  return bytes === null ? null : { bytes, charset };
}

async function ifAny(reading: () => Promise<Uint8Array>): Promise<Uint8Array | null> {
  try {
    return await reading();
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}
