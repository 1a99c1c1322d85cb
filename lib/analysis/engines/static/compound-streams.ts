/** Storages and streams of a compound file ([MS-CFB]), read whole under the byte budget. */
import { createRequire } from 'node:module';
import { EngineError, type EngineLimits } from '../engine.ts';
import { areChainsSound } from './compound-chains.ts';

export interface CompoundStream {
  /** Names from the root, joined by `/`; control characters, which mark special streams, stand as `[1]`. Untrusted. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

export interface Compound {
  readonly streams: readonly CompoundStream[];
}

const STREAM = 2;
/** The library writes this marker stream into what it makes. */
const LIBRARY_MARKER = /Sh33tJ5/;

/** Reads all streams. Throws EngineError: `unreadable`, or `oversize` above `limits.inflatedBytes` or `limits.entries`. */
export function readCompound(bytes: Uint8Array, limits: EngineLimits): Compound {
  const container = parse(bytes);
  if (container.FileIndex.length > limits.entries)
    throw new EngineError('oversize', `the compound file has more than ${limits.entries} entries`);
  const streams: CompoundStream[] = [];
  let total = 0;
  for (const [index, entry] of container.FileIndex.entries()) {
    const fullPath = container.FullPaths[index] ?? entry.name;
    if (entry.type !== STREAM || LIBRARY_MARKER.test(fullPath)) continue;
    const content = entry.content instanceof Uint8Array ? entry.content : Uint8Array.from(entry.content ?? []);
    total += content.length;
    // Streams may share sectors, so their sum can pass the size of the file many times over.
    if (total > limits.inflatedBytes)
      throw new EngineError('oversize', `the streams hold more than ${limits.inflatedBytes} bytes`);
    streams.push({ path: printable(fullPath.slice(fullPath.indexOf('/') + 1)), bytes: content });
  }
  return { streams };
}

function parse(bytes: Uint8Array) {
  if (!areChainsSound(bytes)) throw damaged();
  const { read } = createRequire(import.meta.url)('cfb') as typeof import('cfb');
  try {
    return read(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), { type: 'buffer' });
  } catch {
    throw damaged();
  }
}

const damaged = () => new EngineError('unreadable', 'the compound file is damaged');

function printable(path: string): string {
  return path.replace(/\p{Cc}/gu, (character) => `[${character.charCodeAt(0)}]`);
}
