/** Buckets of others in memory, with versions and conditional writes, as the port `Places` has them. */
import { createHash } from 'node:crypto';
import { LimitExceededError, NotFoundError } from '../../lib/pipeline/errors.ts';
import type { Place, Places } from '../../lib/pipeline/results/place-port.ts';

export interface Stored {
  readonly versionId: string;
  readonly etag: string;
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly tags: Readonly<Record<string, string>>;
}

export interface MemoryPlaces extends Places {
  /** Versions under a key, oldest first. */
  versions(place: Place): readonly Stored[];
  /** What somebody uploads. Returns its version. */
  upload(place: Place, bytes: Uint8Array | string, versionId?: string): string;
  delete(place: Place): void;
  /** Called before each write: something may happen in between. */
  beforePut: () => void;
  /** Called after each write: the process may die there. */
  afterPut: () => void;
}

/** Without versions, every object replaces the one before it. */
export function memoryPlaces({ isVersioned = true } = {}): MemoryPlaces {
  const objects = new Map<string, Stored[]>();
  const id = ({ bucket, key }: Place) => `${bucket}/${key}`;
  const newest = (place: Place) => objects.get(id(place))?.at(-1) ?? null;
  const store = (place: Place, one: Omit<Stored, 'versionId' | 'etag'>, versionId?: string): Stored => {
    const before = objects.get(id(place)) ?? [];
    const etag = `"${createHash('md5').update(one.bytes).digest('hex')}"`;
    const stored = { ...one, etag, versionId: isVersioned ? (versionId ?? `v${before.length + 1}`) : '' };
    objects.set(id(place), isVersioned ? [...before, stored] : [stored]);
    return stored;
  };
  const places: MemoryPlaces = {
    beforePut: () => {},
    afterPut: () => {},
    versions: (place) => objects.get(id(place)) ?? [],
    upload: (place, bytes, versionId) =>
      store(place, { bytes: Buffer.from(bytes), contentType: 'a/b', tags: {} }, versionId).versionId,
    delete: (place) => void objects.delete(id(place)),
    newest: async (place) => newest(place),
    async read(place, version, maxBytes) {
      const found = objects.get(id(place))?.find(({ etag }) => etag === version.etag);
      if (found === undefined) throw new NotFoundError(place.bucket, place.key);
      if (found.bytes.length > maxBytes) throw new LimitExceededError('maxBytes', maxBytes, found.bytes.length);
      return found.bytes;
    },
    async put(place, bytes, { contentType, tags, replaces }) {
      places.beforePut();
      if ((newest(place)?.etag ?? null) !== (replaces?.etag ?? null)) return null;
      const stored = store(place, { bytes, contentType, tags });
      places.afterPut();
      return stored;
    },
  };
  return places;
}
