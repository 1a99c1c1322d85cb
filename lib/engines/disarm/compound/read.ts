/**
 * Reads compound files to write them anew. A sector that two streams claim, a chain that loops or ends early, and two streams of one
 * name are refused, because programs read them differently.
 */
import { type CompoundFile, openCompoundFile } from '../../../formats/compound/compound-file.ts';
import { type CompoundEntry, KIND } from '../../../formats/compound/directory.ts';
import type { CompoundFault } from '../../../formats/compound/faults.ts';
import { EngineError, type EngineLimits } from '../../engine.ts';

export interface CompoundStream {
  /** Names from the root, joined by `/`. Untrusted. */
  readonly path: string;
  readonly size: number;
  /** Copies the stream, once. Throws EngineError `unreadable`. */
  read(): Buffer;
}

const SHARED = 'two streams share a sector, or a chain of sectors has no end';
/** In words for the report; null when the content does not change. */
const FAULTS: Readonly<Record<CompoundFault, string | null>> = {
  'no-header': 'it has no header',
  'sector-size': 'its sector size is unknown',
  'mini-sector-size': 'its sector size is unknown',
  'no-directory': 'it has no root',
  'header-field': null,
  'sector-outside': 'a sector lies outside of it',
  'sector-cut': 'a sector lies outside of it',
  'entry-cut': 'a sector lies outside of it',
  'sector-shared': SHARED,
  'mini-sector-shared': SHARED,
  // Some programs leave the last sector of a file short.
  'stream-cut': null,
  'stream-ends-early': 'a stream ends early',
  'stream-too-long': 'a stream is longer than the file',
  'not-a-tree': 'its directory is no tree',
  'too-many-entries': 'it has too many entries',
};

const damaged = (what: string) => new EngineError('unreadable', `the compound file is damaged: ${what}`);

/** Returns the file as a tree. Throws EngineError `unreadable`, also when a stream is read that is damaged or that was read before. */
export function openWholeCompound(bytes: Uint8Array): CompoundFile {
  const file = openCompoundFile(bytes, { onFault: refuse });
  if (file === null || file.root.kind !== KIND.root) throw damaged('it has no root');
  return file;
}

function refuse(fault: CompoundFault): void {
  const what = FAULTS[fault];
  if (what !== null) throw damaged(what);
}

/** Refuses the file because two streams of it have one name. Throws EngineError `unreadable`. */
export function refuseSameName(): never {
  throw damaged('two streams have one name');
}

/**
 * Returns all streams of the file by lower-case path. Throws EngineError `unreadable` (no compound file, chains that loop, share sectors or
 * end early, two entries of one name) or `oversize` (more streams than `limits.entries`, storages deeper than `limits.depth`).
 */
export function readCompoundFile(bytes: Uint8Array, limits: EngineLimits): ReadonlyMap<string, CompoundStream> {
  const file = openWholeCompound(bytes);
  const found = new Map<string, CompoundStream>();
  for (const { entry, path } of streamsBelow(file.root, '', 0, limits)) {
    const key = path.toLowerCase();
    if (found.has(key)) refuseSameName();
    found.set(key, { path, size: entry.size, read: () => padded(file.read(entry), entry.size) });
    if (found.size > limits.entries) throw new EngineError('oversize', `more than ${limits.entries} streams`);
  }
  return found;
}

/** Zeros fill up a short last sector. */
const padded = (bytes: Buffer, size: number): Buffer => (bytes.length === size ? bytes : Buffer.concat([bytes], size));

interface Found {
  readonly entry: CompoundEntry;
  readonly path: string;
}

function* streamsBelow(storage: CompoundEntry, folder: string, depth: number, limits: EngineLimits): Generator<Found> {
  for (const entry of storage.children) {
    if (depth > limits.depth) throw new EngineError('oversize', `storages are nested more than ${limits.depth} deep`);
    const path = folder + entry.untrustedName;
    if (entry.kind === KIND.stream) yield { entry, path };
    if (entry.kind === KIND.storage) yield* streamsBelow(entry, `${path}/`, depth + 1, limits);
  }
}
