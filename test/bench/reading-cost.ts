/** One measurement of one way of reading, in a process of its own; prints JSON. Started by reading.ts. */
import { readFile } from 'node:fs/promises';
import { runAsync } from '../../lib/formats/steps.ts';
import { createWarnings } from '../../lib/message/headers/warnings.ts';
import { leafContentSteps, otherBudget } from '../../lib/message/reading/leaf-content.ts';
import { readMessage } from '../../lib/message/reading/read.ts';
import { structureSteps } from '../../lib/message/reading/structure.ts';
import { DEFAULT_LIMITS } from '../../lib/pipeline/limits.ts';
import { ATTACKS } from '../hostile/attacks.ts';
import { decodeAndHash, mailparserStream, postalMime, simpleParserMs } from './baselines.ts';
import { ledgerOf } from './reading-ledger.ts';
import { emailWithAttachment, MB } from './reading-mails.ts';

/** Work of one kind, without anything that watches it. */
export interface ReadingTime {
  readonly ms: number;
  /** Processor time of all threads of the process: it does not grow when the machine is busy with something else. */
  readonly cpuMs: number;
}

/** The same work, watched: what it took beside time. */
export interface ReadingCost extends ReadingTime {
  /** Resident memory above what it was before, at its peak. */
  readonly growthMb: number;
  readonly peakMb: number;
  /** The longest time that the event loop did not turn. */
  readonly wallGapMs: number;
  /** The same without the time in which the machine ran something else. */
  readonly gapMs: number;
  readonly sizeMb: number;
}

export type Way = 'plain' | 'structure' | 'stream' | 'both' | 'simple-parser' | 'postal-mime';
const WAYS: Readonly<Record<Way, (email: Buffer) => unknown>> = {
  plain: decodeAndHash,
  structure: structureOnly,
  stream: mailparserStream,
  both: (email) => readMessage(email, DEFAULT_LIMITS),
  'simple-parser': simpleParserMs,
  'postal-mime': postalMime,
};
const ROUNDS = 7;
const SMALL_ROUNDS = 300;
const MEMORY_EVERY_MS = 2;

async function structureOnly(email: Buffer): Promise<void> {
  const warnings = createWarnings();
  const budget = otherBudget();
  const { parts } = await runAsync(structureSteps(email, DEFAULT_LIMITS, warnings));
  for (const draft of parts)
    if (draft.role !== 'multipart') await runAsync(leafContentSteps(email, draft, warnings, budget));
}

async function timeOf(work: () => unknown): Promise<ReadingTime> {
  const cpu = process.cpuUsage();
  const started = performance.now();
  await work();
  const ms = performance.now() - started;
  return { ms, cpuMs: cpuMsSince(cpu) };
}

function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Watches the event loop and the memory while it works. The work is slower for it, so times are measured without. */
async function watched(bytes: number, work: () => unknown): Promise<ReadingCost> {
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let [last, lastCpu, lastMemory] = [performance.now(), process.cpuUsage(), 0];
  let [wallGapMs, gapMs, peak, isOn] = [0, 0, before, true];
  const look = () => {
    const now = performance.now();
    wallGapMs = Math.max(wallGapMs, now - last);
    gapMs = Math.max(gapMs, Math.min(now - last, cpuMsSince(lastCpu)));
    if (now - lastMemory > MEMORY_EVERY_MS) {
      peak = Math.max(peak, process.memoryUsage.rss());
      lastMemory = now;
    }
    [last, lastCpu] = [performance.now(), process.cpuUsage()];
    if (isOn) setImmediate(look);
  };
  setImmediate(look);
  const time = await timeOf(work);
  isOn = false;
  look();
  const growthMb = (Math.max(peak, process.memoryUsage.rss()) - before) / MB;
  return { ...time, growthMb, peakMb: peak / MB, wallGapMs, gapMs, sizeMb: bytes / MB };
}

/** Every way in turn, again and again in one process: they share the caches, the compiler's work and a busy machine. */
async function inTurn(ways: readonly Way[], email: () => Promise<Buffer>, rounds: number) {
  const times = Object.fromEntries(ways.map((way) => [way, [] as ReadingTime[]]));
  for (let round = 0; round < rounds; round++)
    for (const way of ways) times[way]?.push(await timeOf(async () => WAYS[way](await email())));
  return times;
}

async function measured(what: string, which: string): Promise<unknown> {
  const every = Object.keys(WAYS) as Way[];
  if (what === 'small') {
    const email = emailWithAttachment(6 * 1024);
    return inTurn(every, async () => email, SMALL_ROUNDS);
  }
  if (what === 'attack') {
    const attack = ATTACKS.find(({ name }) => name === which);
    if (attack === undefined) throw new TypeError(`there is no attack ${which}`);
    const email = attack.build(Number(process.argv[4]) * MB);
    // The modules are loaded at the first mail: that is the start of the process, not the attack.
    await ledgerOf(emailWithAttachment(1024));
    return watched(email.length, () => ledgerOf(email));
  }
  const file = () => readFile(which);
  if (what === 'warm') return inTurn(every, file, ROUNDS);
  const bytes = (await file()).length;
  if (what === 'watched') return watched(bytes, async () => WAYS.both(await file()));
  const way = every.find((name) => name === what);
  if (way === undefined) throw new TypeError(`nothing to measure is called ${what}`);
  return timeOf(async () => WAYS[way](await file()));
}

process.stdout.write(JSON.stringify(await measured(process.argv[2] ?? '', process.argv[3] ?? '')));
