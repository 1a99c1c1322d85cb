/**
 * Bench part `reading`: what reading a message costs, against the least that anybody can do with its bytes and against the
 * popular parsers; and what the mails cost that are made to cost much.
 */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { mapBounded } from '../../lib/pipeline/bounded.ts';
import { ATTACKS } from '../hostile/attacks.ts';
import { ordinaryScore } from '../hostile/score.ts';
import { withScratch } from './baselines.ts';
import { type Cell, type Figure, type Measured, ms, type Part, type Progress, quantity, type Unit } from './figure.ts';
import type { ReadingCost, ReadingTime, Way } from './reading-cost.ts';
import { emailWithAttachment, MB } from './reading-mails.ts';
import { median } from './statistics.ts';

const run = promisify(execFile);
const CHILD = fileURLToPath(new URL('./reading-cost.ts', import.meta.url));
const ROUNDS = 3;
/** Processor time is measured, so that two at a time disturb each other little. */
const AT_A_TIME = 2;
/** A message of 40 MB with its base64. */
const ATTACHMENT_MB = 29;
/** Attacks are as large as the intake accepts; on the search for URLs, as large as a text may be that is searched. */
const ATTACK_MB = 40;
const TEXT_ATTACK_MB = 15;
const TEXT_ATTACKS = ['words', 'table cells', 'angle brackets', 'an attribute without an end'];
const NAMES: Readonly<Record<Way, string>> = {
  plain: 'read + base64 + SHA-256',
  structure: 'our structure reading',
  stream: "mailparser's stream alone",
  both: 'both readings, compared',
  'simple-parser': "mailparser's simpleParser",
  'postal-mime': 'postal-mime',
};
const WAYS = Object.keys(NAMES) as Way[];

type Times = Readonly<Record<Way, readonly ReadingTime[]>>;

export const reading: Part = { name: 'reading', title: 'Reading a message', measure };

/** Each call has a process of its own: memory and the compiler start afresh. */
async function inProcess<T>(...what: string[]): Promise<T> {
  const args = ['--expose-gc', '--import', 'tsx', CHILD, ...what];
  const { stdout } = await run(process.execPath, args, { maxBuffer: 16 * MB });
  return JSON.parse(stdout) as T;
}

async function measure(progress: Progress): Promise<Measured> {
  return withScratch(async (folder) => {
    const path = join(folder, 'mail.eml');
    await writeFile(path, emailWithAttachment(ATTACHMENT_MB * MB));
    progress('40 MB, every way in turn in one process');
    const warm = await inProcess<Times>('warm', path);
    progress('40 MB, every way in turn as the first of a process');
    const cold = await coldTimes(path);
    const watched: ReadingCost[] = [];
    for (let round = 0; round < ROUNDS; round++) watched.push(await inProcess<ReadingCost>('watched', path));
    progress('10 KB, every way in turn in one process');
    const small = await inProcess<Times>('small');
    const attacks = await attackCosts(progress);
    progress('ordinary mail');
    const ordinary = await ordinaryScore();
    return {
      figures: [
        ...ratioFigures(warm, cold),
        ...watchedFigures(watched),
        smallFigure(small),
        ...attackFigures(attacks),
        figureOf('warnings of ordinary mail', ordinary.warnings, 'count', 0),
        figureOf('extra artifacts of ordinary mail', ordinary.extras, 'count', 0),
      ],
      tables: [timesTable('40 MB, warm', warm), timesTable('40 MB, first of a process', cold), attackTable(attacks)],
      notes: [
        `Ratios are of processor time, pair by pair in the same round, then the median; warm: all ways in turn in one process; cold: ${ROUNDS} processes each, in turn.`,
        'A gap is the longest time between two turns of the event loop in which this process did the work; wall gap: with the time in which the machine ran something else.',
        `${ordinary.mails} ordinary mails, ${ordinary.parts} parts.`,
        'Attacks go through the whole parse stage to a ledger. Peak memory is the whole process, with the mail and the code; artifacts leave it, as for a bucket.',
      ],
    };
  });
}

async function coldTimes(path: string): Promise<Times> {
  const times = Object.fromEntries(WAYS.map((way) => [way, [] as ReadingTime[]])) as Record<Way, ReadingTime[]>;
  for (let round = 0; round < ROUNDS; round++)
    for (const way of WAYS) times[way].push(await inProcess<ReadingTime>(way, path));
  return times;
}

function ratioOf(times: Times, way: Way, to: Way): number {
  return median(times[way].map(({ cpuMs }, round) => cpuMs / (times[to][round]?.cpuMs ?? 0)));
}

function ratioFigures(warm: Times, cold: Times): Figure[] {
  const figure = (name: string, value: number, atMost: number) => figureOf(name, value, 'x', atMost);
  return [
    figure('40 MB, structure reading to read + base64 + SHA-256, warm', ratioOf(warm, 'structure', 'plain'), 1.5),
    figure('40 MB, structure reading to read + base64 + SHA-256, cold', ratioOf(cold, 'structure', 'plain'), 1.5),
    figure("40 MB, both readings to mailparser's stream alone, warm", ratioOf(warm, 'both', 'stream'), 1.1),
    figure("40 MB, both readings to mailparser's stream alone, cold", ratioOf(cold, 'both', 'stream'), 1.1),
  ];
}

function figureOf(name: string, value: number, unit: Unit, atMost: number): Figure {
  return { name, measured: quantity(value, unit), atMost, baselines: [] };
}

function watchedFigures(costs: readonly ReadingCost[]): Figure[] {
  const growth = median(costs.map(({ growthMb, sizeMb }) => growthMb / sizeMb));
  return [
    figureOf('40 MB, both readings, growth of memory to size', growth, 'x', 3),
    figureOf('40 MB, both readings, longest gap', Math.max(...costs.map(({ gapMs }) => gapMs)), 'ms', 50),
  ];
}

function smallFigure(times: Times): Figure {
  const of = (way: Way) => median(times[way].map(({ ms: value }) => value));
  const baselines = (['stream', 'simple-parser', 'postal-mime'] as const).map((way) => {
    return { name: NAMES[way], value: of(way) };
  });
  return { name: '10 KB, both readings, warm', measured: ms(of('both')), atMost: 2, baselines };
}

interface AttackCost {
  readonly name: string;
  readonly cost: ReadingCost;
}

async function attackCosts(progress: Progress): Promise<AttackCost[]> {
  const sizes = [
    ...ATTACKS.map(({ name }) => [name, ATTACK_MB] as const),
    ...TEXT_ATTACKS.map((name) => [name, TEXT_ATTACK_MB] as const),
  ];
  return mapBounded(sizes, AT_A_TIME, async ([name, size]) => {
    progress(`attack: ${name}, ${size} MB`);
    return { name: `${name}, ${size} MB`, cost: await inProcess<ReadingCost>('attack', name, String(size)) };
  });
}

function attackFigures(attacks: readonly AttackCost[]): Figure[] {
  const worst = (field: keyof ReadingCost) =>
    attacks.reduce((one, other) => (other.cost[field] > one.cost[field] ? other : one));
  const [slow, large, gap] = [worst('cpuMs'), worst('peakMb'), worst('gapMs')];
  return [
    figureOf(`slowest attack, processor time: ${slow.name}`, slow.cost.cpuMs, 'ms', 3_000),
    figureOf(`most memory of an attack: ${large.name}`, large.cost.peakMb, 'MB', 400),
    { name: `longest gap of an attack: ${gap.name}`, measured: ms(gap.cost.gapMs), atMost: null, baselines: [] },
  ];
}

function timesTable(title: string, times: Times) {
  const rows = WAYS.map((way): Cell[] => {
    const cpu = median(times[way].map(({ cpuMs }) => cpuMs));
    return [NAMES[way], ms(median(times[way].map((time) => time.ms))), ms(cpu)];
  });
  return { title, columns: ['what', 'time', 'processor'], rows };
}

function attackTable(attacks: readonly AttackCost[]) {
  const rows = attacks.map(({ name, cost }): Cell[] => {
    const { cpuMs, peakMb, gapMs, wallGapMs } = cost;
    return [name, ms(cost.ms), ms(cpuMs), quantity(peakMb, 'MB'), ms(gapMs), ms(wallGapMs)];
  });
  return { title: 'Attacks', columns: ['what', 'time', 'processor', 'peak', 'gap', 'wall gap'], rows };
}
