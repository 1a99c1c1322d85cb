/** Reads the storages and streams of a compound file ([MS-CFB]) as a whole, under the byte budget. */
import { type CompoundFile, openCompoundFile } from '../../formats/compound/compound-file.ts';
import { KIND } from '../../formats/compound/directory.ts';
import type { CompoundFault } from '../../formats/compound/faults.ts';
import { EngineError, type EngineLimits } from '../engine.ts';
import { areChainsSound, pathsOf } from './compound-chains.ts';

export interface CompoundStream {
  /** The names from the root, joined by `/`. Control characters, which mark special streams, are written as `[1]`. Untrusted. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

export interface CompoundStorage {
  /** Like that of a stream; empty for the root. Untrusted. */
  readonly path: string;
  /** The class of the content of the storage, 32 lower-case hex digits in the order of the file. Zeros for none. */
  readonly classId: string;
}

export interface Compound {
  readonly streams: readonly CompoundStream[];
  /** The root and all storages. */
  readonly storages: readonly CompoundStorage[];
}

/** Faults after which nothing of the file is believed. After any other, the readable part is still searched. */
const FATAL: ReadonlySet<CompoundFault> = new Set([
  'no-header',
  'sector-size',
  'no-directory',
  'mini-sector-size',
  'header-field',
  'entry-cut',
]);
/** A stream of four bytes that a common JavaScript library writes into its files. */
const LIBRARY_MARKER = '[1]Sh33tJ5';
const LIBRARY_MARKER_BYTES = 4;

/** Reads all streams. Throws EngineError: `unreadable`, or `oversize` above `limits.inflatedBytes` or `limits.entries`. */
export function readCompound(bytes: Uint8Array, limits: EngineLimits): Compound {
  const { file, paths } = openSound(bytes, limits);
  const streams: CompoundStream[] = [];
  const storages: CompoundStorage[] = [];
  let total = 0;
  for (const [index, entry] of file.entries.entries()) {
    const path = printable(paths[index] ?? '');
    if (entry.kind === KIND.root) storages.push({ path: '', classId: entry.clsid });
    if (entry.kind === KIND.storage) storages.push({ path, classId: entry.clsid });
    const isMarker = path === LIBRARY_MARKER && entry.size <= LIBRARY_MARKER_BYTES;
    if (entry.kind !== KIND.stream || isMarker) continue;
    const content = file.read(entry);
    total += content.length;
    // Streams may share sectors, so their sum can be many times the size of the file.
    if (total > limits.inflatedBytes)
      throw new EngineError('oversize', `the streams hold more than ${limits.inflatedBytes} bytes`);
    streams.push({ path, bytes: content });
  }
  return { streams, storages };
}

function openSound(bytes: Uint8Array, limits: EngineLimits): { file: CompoundFile; paths: readonly string[] } {
  const onFault = (fault: CompoundFault) => {
    if (FATAL.has(fault)) throw damaged();
    if (fault === 'too-many-entries')
      throw new EngineError('oversize', `the compound file has more than ${limits.entries} entries`);
  };
  const file = openCompoundFile(bytes, { onFault, maxEntries: limits.entries });
  const paths = file === null || !areChainsSound(file) ? null : pathsOf(file);
  if (file === null || paths === null) throw damaged();
  return { file, paths };
}

const damaged = () => new EngineError('unreadable', 'the compound file is damaged');

function printable(path: string): string {
  return path.replace(/\p{Cc}/gu, (character) => `[${character.charCodeAt(0)}]`);
}
