/** Disarms one file in a process of its own, and prints what that cost as JSON: `disarm-process.ts PATH NAME REPETITIONS FORMAT`. */
import { readFile } from 'node:fs/promises';
import { deflateRawSync } from 'node:zlib';
import sharp from 'sharp';
import { disarmFile } from '../../lib/engines/disarm/disarm.ts';
import { DEFAULT_ENGINE_LIMITS } from '../../lib/engines/engine.ts';
import { openZip, readMember } from '../../lib/engines/inspect/zip-scan.ts';
import { peakMb } from './peak-memory.ts';
import { median } from './statistics.ts';

/** What the disarms of one file cost, medians, all threads of the process included. */
export interface DisarmCost {
  readonly wallMs: number;
  readonly cpuMs: number;
  /** Of the library alone: writing the picture anew, inflating and deflating the members of the package; null for PDF. */
  readonly aloneMs: number | null;
  /** The most resident memory the process ever had until the file was disarmed for the first time. */
  readonly peakMb: number;
}

interface Spent {
  readonly wallMs: number;
  readonly cpuMs: number;
}

async function spentOn(work: () => Promise<unknown>): Promise<Spent> {
  const cpu = process.cpuUsage();
  const from = performance.now();
  await work();
  const wallMs = performance.now() - from;
  const { user, system } = process.cpuUsage(cpu);
  return { wallMs, cpuMs: (user + system) / 1_000 };
}

async function disarmOne(bytes: Uint8Array, name: string): Promise<void> {
  const report = await disarmFile({ bytes, untrustedName: name, password: null }, DEFAULT_ENGINE_LIMITS);
  if (report.outcome === 'failed') throw new Error(`${name}: ${report.failure.code}: ${report.failure.message}`);
}

async function measureFile(
  bytes: Uint8Array,
  name: string,
  repetitions: number,
  alone: ((bytes: Uint8Array) => Promise<unknown>) | null,
): Promise<DisarmCost> {
  const disarms: Spent[] = [];
  const aloneMs: number[] = [];
  let firstPeakMb = 0;
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    disarms.push(await spentOn(() => disarmOne(bytes, name)));
    if (repetition === 0) firstPeakMb = peakMb();
    if (alone !== null) aloneMs.push((await spentOn(() => alone(bytes))).cpuMs);
  }
  return {
    wallMs: median(disarms.map(({ wallMs }) => wallMs)),
    cpuMs: median(disarms.map(({ cpuMs }) => cpuMs)),
    aloneMs: aloneMs.length === 0 ? null : median(aloneMs),
    peakMb: firstPeakMb,
  };
}

/** The level at which the disarm packs. At the usual one, packing alone takes twice as long. */
const LEVEL = 3;

async function packedAgain(bytes: Uint8Array): Promise<void> {
  const archive = openZip(bytes);
  if (archive === null) throw new Error('the package does not open');
  for (const member of archive.members)
    deflateRawSync(readMember(archive, member, { left: 2 ** 30 }), { level: LEVEL });
}

/** What a library does by itself with a format: the same picture again, as it comes; every member of a package, inflated and deflated. */
const ALONE: Readonly<Record<string, (bytes: Uint8Array) => Promise<unknown>>> = {
  image: (bytes) => sharp(bytes).toBuffer(),
  OOXML: packedAgain,
  letter: packedAgain,
};

const [path = '', name = '', repetitions = '1', format = ''] = process.argv.slice(2);
const cost = await measureFile(new Uint8Array(await readFile(path)), name, Number(repetitions), ALONE[format] ?? null);
console.log(JSON.stringify(cost));
