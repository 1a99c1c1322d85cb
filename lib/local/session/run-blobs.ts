/**
 * The writes of a run stay in memory until the run ends. Then all of them are written at once. That makes few files instead of dozens, and
 * a kill leaves no state in between. A run that takes longer, or writes much, is written immediately from then on. A killed process only
 * loses objects that the next scan of the mail would have removed. A process that holds a run back has its lock, and began it from its
 * beginning.
 */

import { LimitExceededError, NotFoundError } from '../../pipeline/errors.ts';
import { FIRST_ATTEMPT } from '../../pipeline/ledger/attempt.ts';
import { WRITERS } from '../../pipeline/model.ts';
import type { Bucket } from '../../pipeline/ports.ts';
import type { DirectoryBlobs, ObjectPlace } from '../../storage/directory/directory.ts';

export interface RunBlobs extends DirectoryBlobs {
  /** Keeps the writes of this run in memory from now on. The disk may have nothing of it yet. */
  holdBack(runId: string): void;
  /**
   * Writes everything that was held back. Later writes of the run go to the disk at once. Rejects when the disk fails, and then keeps
   * everything.
   */
  release(runId: string): Promise<void>;
  /** Forgets everything that is still held back. */
  drop(runId: string): void;
}

/** The most bytes of one run that are held back. */
const MAX_BYTES = 4 * 1024 * 1024;
/** The folder of a run in a bucket, and the rest of the key. */
const OF_RUN = /^((?:runs\/)?([0-9a-f]{32}))(?:\/(.+))?$/;
const ENTRY = new RegExp(`^${FIRST_ATTEMPT}/(${WRITERS.join('|')})(?:-\\d+)?\\.json$`);

type Objects = Map<string, Uint8Array>;

interface Held {
  bytes: number;
  /** Not null while it is being written. */
  writing: Promise<void> | null;
  /** By bucket and key. */
  readonly folders: Map<string, { readonly bucket: Bucket; readonly key: string; readonly objects: Objects }>;
}

/** Makes blobs that can hold runs back. */
export function runBlobs(blobs: DirectoryBlobs): RunBlobs {
  const runs = new Map<string, Held>();
  /** Returns the place of an object of a run that is held back; null for any other. */
  const placeOf = (bucket: Bucket, key: string) => {
    const [, folder = '', runId = '', name = ''] = OF_RUN.exec(key) ?? [];
    const held = runs.get(runId);
    if (held === undefined) return null;
    const { objects } = held.folders.get(`${bucket}/${folder}`) ?? { objects: new Map() };
    return { runId, held, folder, name, objects: objects as Objects };
  };
  const release = (runId: string): Promise<void> => {
    const held = runs.get(runId);
    if (held === undefined) return Promise.resolve();
    held.writing ??= write(blobs, held).then(
      () => void runs.delete(runId),
      (error: unknown) => {
        held.writing = null;
        throw error;
      },
    );
    return held.writing;
  };
  return {
    ...blobs,
    holdBack: (runId) => void runs.set(runId, { bytes: 0, writing: null, folders: new Map() }),
    release,
    drop: (runId) => void runs.delete(runId),
    async put(bucket, key, body, options = {}) {
      const place = placeOf(bucket, key);
      if (place === null) return blobs.put(bucket, key, body, options);
      const { runId, held, folder, name, objects } = place;
      if (held.writing !== null || held.bytes + body.length > MAX_BYTES) {
        await release(runId);
        return blobs.put(bucket, key, body, options);
      }
      if (options.ifAbsent && objects.has(name)) return false;
      held.folders.set(`${bucket}/${folder}`, { bucket, key: folder, objects });
      objects.set(name, body.slice());
      held.bytes += body.length;
      return true;
    },
    async get(bucket, key, options) {
      const place = placeOf(bucket, key);
      if (place === null) return blobs.get(bucket, key, options);
      const found = place.objects.get(place.name);
      if (found === undefined) throw new NotFoundError(bucket, key);
      if (found.length > options.maxBytes) throw new LimitExceededError('maxBytes', options.maxBytes, found.length);
      return found.slice();
    },
    has: async (bucket, key) =>
      placeOf(bucket, key)?.objects.has(OF_RUN.exec(key)?.[3] ?? '') ?? blobs.has(bucket, key),
    async hasBelow(bucket, key) {
      await release(placeOf(bucket, key)?.runId ?? '');
      return blobs.hasBelow(bucket, key);
    },
    async copy(source, target) {
      for (const { bucket, key } of [source, target]) await release(placeOf(bucket, key)?.runId ?? '');
      return blobs.copy(source, target);
    },
    async remove(bucket, key) {
      await release(placeOf(bucket, key)?.runId ?? '');
      return blobs.remove(bucket, key);
    },
  };
}

/** Orders the writes. The folder of the chain is written last: when it says that a message was delivered, the message exists. */
async function write(blobs: DirectoryBlobs, { folders }: Held): Promise<void> {
  const isLast = ({ bucket }: { readonly bucket: Bucket }) => Number(bucket === 'work');
  const sorted = [...folders.values()].sort((one, other) => isLast(one) - isLast(other));
  const written: Written[] = [];
  for (const { bucket, key, objects } of sorted) {
    const kept = bucket === 'work' ? withoutSteps(objects) : objects;
    const twins = new Map([...kept].map(([name, body]) => [name, twinOf(written, body)] as const));
    await blobs.putBelow(bucket, key, kept, twins);
    for (const [name, body] of kept) written.push({ bucket, key: `${key}/${name}`, body });
  }
}

interface Written extends ObjectPlace {
  readonly body: Uint8Array;
}

/**
 * Returns the place of an object with the same bytes. The chain of a delivered message is its evidence, and is most of the output of a run.
 */
function twinOf(written: readonly Written[], body: Uint8Array): ObjectPlace | null {
  const isSame = (one: Written) => one.body.length === body.length && Buffer.compare(one.body, body) === 0;
  return written.find(isSame) ?? null;
}

/**
 * Leaves out objects of an ended run that nobody needs. The last entry has the whole chain, and the clean bucket has the rebuilt message.
 */
function withoutSteps(objects: Objects): Objects {
  const stageOf = (name: string) => ENTRY.exec(name)?.[1] ?? null;
  const isEnd = (name: string) => ['deliver', 'quarantine'].includes(stageOf(name) ?? '');
  if (![...objects.keys()].some(isEnd)) return objects;
  const isKept = (name: string) => isEnd(name) || (stageOf(name) === null && !name.startsWith('rebuilt-'));
  return new Map([...objects].filter(([name]) => isKept(name)));
}
