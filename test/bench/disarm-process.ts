/** Disarms one file in a process of its own, and prints what that cost as JSON: `disarm-process.ts PATH NAME REPETITIONS ALONE`. */
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { disarmFile } from '../../lib/analysis/engines/disarm/disarm.ts';
import { DEFAULT_ENGINE_LIMITS } from '../../lib/analysis/engines/engine.ts';
import { median } from './statistics.ts';

/** What the disarms of one file cost, medians, all threads of the process included. */
export interface DisarmCost {
  readonly wallMs: number;
  readonly cpuMs: number;
  /** Of the image library alone; null for documents. */
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

/** Linux hands the parent's peak on to a child in its resource usage; the high-water mark is that of this program alone. */
function peakKb(): number {
  const status = '/proc/self/status';
  const mark = existsSync(status) ? /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(status, 'latin1'))?.[1] : undefined;
  return mark === undefined ? process.resourceUsage().maxRSS : Number(mark);
}

async function disarmOne(bytes: Uint8Array, name: string): Promise<void> {
  const report = await disarmFile({ bytes, untrustedName: name, password: null }, DEFAULT_ENGINE_LIMITS);
  if (report.outcome === 'failed') throw new Error(`${name}: ${report.failure.code}: ${report.failure.message}`);
}

async function measureFile(
  bytes: Uint8Array,
  name: string,
  repetitions: number,
  isAlone: boolean,
): Promise<DisarmCost> {
  const disarms: Spent[] = [];
  const alone: number[] = [];
  let peakMb = 0;
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    disarms.push(await spentOn(() => disarmOne(bytes, name)));
    if (repetition === 0) peakMb = (peakKb() * 1_024) / 1e6;
    // What the image library does by itself: the same format again, as it comes.
    if (isAlone) alone.push((await spentOn(() => sharp(bytes).toBuffer())).cpuMs);
  }
  return {
    wallMs: median(disarms.map(({ wallMs }) => wallMs)),
    cpuMs: median(disarms.map(({ cpuMs }) => cpuMs)),
    aloneMs: alone.length === 0 ? null : median(alone),
    peakMb,
  };
}

const [path = '', name = '', repetitions = '1', alone = ''] = process.argv.slice(2);
const cost = await measureFile(new Uint8Array(await readFile(path)), name, Number(repetitions), alone === 'alone');
console.log(JSON.stringify(cost));
