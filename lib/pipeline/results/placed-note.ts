/**
 * The note of `deliver` about results that it puts under foreign keys. Only `deliver` can write there, and the note names the content and
 * the version. So no uploader can make his object look like a result of ours.
 */
import * as z from 'zod/mini';
import { intakeBytes, parseStored } from '../chain/ledger-store.ts';
import type { StoreContext } from '../context.ts';
import { LimitExceededError, NotFoundError, TransientError } from '../errors.ts';
import { keys, sha256Hex } from '../keys.ts';
import type { IntakeObject } from '../ledger/intake-object.ts';
import { nullIfMissing } from '../null-if-missing.ts';
import type { Place, PlacedVersion } from './place-port.ts';
import type { SourceSetting } from './source.ts';

/** A place with the content that is put there. */
export interface NotedPlace extends Place {
  readonly sha256: string;
}

const Note = z.object({
  /** Milliseconds since the epoch. */
  at: z.number(),
  /** Null while it is being put, or when the process died meanwhile. */
  version: z.nullable(z.object({ etag: z.string(), versionId: z.string() })),
});
type Note = z.infer<typeof Note>;

const MAX_NOTE_BYTES = 4_096;
/** A function lives for five minutes. An older note without a version will never get one. */
const MAX_PUT_MS = 15 * 60_000;

/** Returns the note about a content at a place, or null. Throws CorruptDataError, TransientError. */
export async function noteOf(ctx: StoreContext, { bucket, key, sha256 }: NotedPlace): Promise<Note | null> {
  const bytes = await nullIfMissing(
    ctx.blobs.get('work', keys.placed(bucket, key, sha256), { maxBytes: MAX_NOTE_BYTES }),
  );
  return bytes && Note.parse(parseStored(bytes, 'the note of a result'));
}

/** Notes that a content is put at a place, with this version or a version that is not known yet. */
export async function notePlace(ctx: StoreContext, noted: NotedPlace, version: PlacedVersion | null): Promise<void> {
  const bytes = new TextEncoder().encode(JSON.stringify({ at: ctx.clock.now(), version } satisfies Note));
  const key = keys.placed(noted.bucket, noted.key, noted.sha256);
  await ctx.blobs.put('work', key, bytes, { contentType: 'application/json' });
}

/** Returns whether a note names this version. */
export function isNoted(note: Note | null, { etag, versionId }: PlacedVersion): boolean {
  return note?.version?.etag === etag && note.version.versionId === versionId;
}

/**
 * Returns whether an incoming object is a result of ours. It must not be scanned, because the scan would have another result, endlessly.
 * The same bytes uploaded by somebody are another version, and are scanned. Throws TransientError while the version of the result is not
 * known yet.
 */
export async function isOwnResult(
  ctx: StoreContext,
  sources: readonly SourceSetting[],
  intake: IntakeObject,
): Promise<boolean> {
  const { bucket, untrustedKey: key, versionId, etag, upload } = intake;
  if (!sources.some(({ results }) => results?.bucket === bucket)) return false;
  const sha256 = await hashOf(ctx, intake);
  const note = sha256 === null ? null : await noteOf(ctx, { bucket, key, sha256 });
  if (note === null) return false;
  if (note.version === null) {
    if (ctx.clock.now() - note.at < MAX_PUT_MS) throw new TransientError('a result is being put under this key');
    return false;
  }
  if (versionId !== '') return note.version.versionId === versionId;
  return note.version.etag.replaceAll('"', '') === (upload?.etag ?? etag ?? '').replaceAll('"', '');
}

async function hashOf(ctx: StoreContext, intake: IntakeObject): Promise<string | null> {
  try {
    return sha256Hex(await intakeBytes(ctx, intake));
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof LimitExceededError) return null;
    throw error;
  }
}
