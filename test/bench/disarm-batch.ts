/**
 * Disarms every file of a folder in a process of its own, so that its memory is that of these files alone: `disarm-batch.ts FOLDER`.
 * Results are written beside each file with `.out` at the end; what happened is printed as JSON.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { disarmFile } from '../../lib/engines/disarm/disarm.ts';
import { DEFAULT_ENGINE_LIMITS } from '../../lib/engines/engine.ts';
import { peakMb } from './peak-memory.ts';

/** What became of one file. */
export interface BatchResult {
  readonly file: string;
  /** Extension of the result; null when there is none. */
  readonly extension: string | null;
  readonly refusal: string;
  readonly spentMs: number;
}

export interface Batch {
  readonly results: readonly BatchResult[];
  /** The most memory that the process ever had resident, the runtime included. */
  readonly peakMb: number;
}

async function disarmIn(folder: string): Promise<Batch> {
  const results: BatchResult[] = [];
  for (const file of await readdir(folder)) {
    const bytes = new Uint8Array(await readFile(join(folder, file)));
    const from = performance.now();
    const report = await disarmFile({ bytes, untrustedName: file, password: null }, DEFAULT_ENGINE_LIMITS);
    const spentMs = performance.now() - from;
    if (report.outcome === 'failed') results.push({ file, extension: null, refusal: report.failure.code, spentMs });
    else {
      await writeFile(join(folder, `${file}.out`), report.bytes);
      results.push({ file, extension: report.type.extension, refusal: '', spentMs });
    }
  }
  return { results, peakMb: peakMb() };
}

console.log(JSON.stringify(await disarmIn(process.argv[2] ?? '.')));
