/** Finds the bytes of a part where the stages have stored them: original, disarmed, or in the delivered message. */
import { asBuffer } from '../../formats/byte-scan.ts';
import { runAsync } from '../../formats/steps.ts';
import { parseStructured } from '../../message/headers/params.ts';
import { rawHeader } from '../../message/headers/raw-fields.ts';
import type { ByteRange } from '../../message/model.ts';
import { judgedCharset } from '../../message/reading/one-reading.ts';
import { intakeBytes } from '../chain/ledger-store.ts';
import { keys, sha256Hex } from '../keys.ts';
import type { IntakeObject } from '../ledger/intake-object.ts';
import { DEFAULT_LIMITS } from '../limits.ts';
import { nullIfMissing } from '../null-if-missing.ts';
import type { Blobs } from '../ports.ts';
import { leafOfPartSteps } from './leaves.ts';
import { readOpened } from './opened-mail.ts';

/** Disarmed files in base64 may make a message larger than the original. */
const CLEAN_BYTES = DEFAULT_LIMITS.verifiedBytes;

/** An original mail, and the range of a part's header in it. */
export interface PartLabel {
  readonly intake: IntakeObject;
  readonly header: ByteRange;
}

export interface StoredPart {
  readonly bytes: Uint8Array;
  /** The charset in its header, in the delivered message or in the original mail; null when it is not known. */
  readonly charset: string | null;
}

/** Returns the bytes with this hash; null when they are stored nowhere any more. Throws LimitExceededError. */
export async function findStored(
  blobs: Pick<Blobs, 'get'>,
  { runId, sha256, label }: { readonly runId: string; readonly sha256: string; readonly label?: PartLabel },
): Promise<StoredPart | null> {
  for (const key of [keys.artifact(sha256), keys.disarmed(sha256)]) {
    const bytes = await nullIfMissing(blobs.get('work', key, { maxBytes: DEFAULT_LIMITS.memberBytes }));
    if (bytes !== null && sha256Hex(bytes) === sha256)
      return { bytes, charset: label === undefined ? null : await charsetOf(blobs, bytes, label) };
  }
  const message = await nullIfMissing(blobs.get('clean', keys.cleanMessage(runId), { maxBytes: CLEAN_BYTES }));
  if (message === null) return null;
  const { reading, bytes: email } = await readOpened(message, DEFAULT_LIMITS);
  const part = reading.parts.find((each) => each.sha256 === sha256);
  if (part === undefined) return null;
  const { bytes, charset } = await runAsync(leafOfPartSteps(part, email));
  return bytes === null ? null : { bytes, charset };
}

/** Returns the charset under which a text was judged: the charset in its header in the original mail, if that still exists. */
async function charsetOf(
  blobs: Pick<Blobs, 'get'>,
  bytes: Uint8Array,
  { intake, header }: PartLabel,
): Promise<string | null> {
  const email = await nullIfMissing(intakeBytes({ blobs, limits: DEFAULT_LIMITS }, intake));
  const fields = email === null ? [] : rawHeader(asBuffer(email), header).fields;
  const type = fields.find(({ name }) => name === 'content-type')?.value ?? '';
  const charset = parseStructured(type).params.get('charset')?.[0]?.bytes.toLowerCase() ?? null;
  return judgedCharset(bytes, { charset, isPage: false });
}
