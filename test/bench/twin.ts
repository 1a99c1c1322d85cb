/** A thousand mails at once through the deployed thing on this machine, and the memory that each function used of what it is given. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createEnginePool } from '../../lib/engines/threads/pool.ts';
import { synthesizeTo } from '../twin/assembly/synthesize.ts';
import type { Fault } from '../twin/faults/fault.ts';
import { FAULTS } from '../twin/faults/faults.ts';
import { type FaultResult, type FunctionUse, runFault } from '../twin/run/run-fault.ts';
import { contextWith } from '../twin/run/twin.ts';
import { withScratch } from './baselines.ts';
import { type Cell, count, type Figure, type Measured, type Part, plain, quantity, type Table } from './figure.ts';

const MAILS = 1_000;
/** Mails of the largest size, which need the most memory. */
const LARGE_MAILS = 6;
/** On two processors that nobody else uses it takes four minutes. */
const MAX_SECONDS = 2 * 60 * 60;
/** The share of its memory that a function may need. */
const MEMORY_SHARE = 0.8;
const AT_ONCE = 'none';
const LARGEST = 'largest-mails';

export const twinPart: Part = {
  name: 'twin',
  title: 'The deployed thing on this machine: a thousand mails at once, and the memory of its functions',
  measure: (progress) =>
    withScratch(async (folder) => {
      progress('synthesizing the stack');
      const assembly = join(folder, 'cdk.out');
      synthesizeTo(assembly, contextWith('engines'));
      const engines = createEnginePool({ threads: availableParallelism() });
      const run = (name: string, mails: number) =>
        runFault(faultOf(name), {
          assembly,
          folder,
          engines,
          processes: availableParallelism(),
          mails,
          mostSeconds: MAX_SECONDS,
        });
      try {
        progress(`${MAILS} mails at once`);
        const atOnce = held(await run(AT_ONCE, MAILS));
        progress('the largest mails');
        return reportOf(atOnce, held(await run(LARGEST, LARGE_MAILS)));
      } finally {
        await engines.close();
      }
    }),
};

function faultOf(wanted: string): Fault {
  const found = FAULTS.find(({ name }) => name === wanted);
  if (found === undefined) throw new Error(`there is no fault ${wanted}`);
  return found;
}

/** A run in which something was denied, or took too long, measures nothing. */
function held(result: FaultResult): FaultResult {
  const counted = Object.values(result.counts).reduce((sum, each) => sum + each, 0);
  if (result.problems.length > 0 && counted === 0) throw new Error(`${result.name}: ${result.problems.join('; ')}`);
  return result;
}

function reportOf(atOnce: FaultResult, largest: FaultResult): Measured {
  const uses = mostOf([...atOnce.functions, ...largest.functions]);
  const none = (name: string, value: number): Figure => ({ ...plain(name, count(value)), atMost: 0 });
  return {
    figures: [
      ...Object.entries(atOnce.counts).map(([what, value]) => none(`${MAILS} mails at once: ${what}`, value)),
      plain(`${MAILS} mails at once: delivered`, count(atOnce.delivered)),
      plain(`${MAILS} mails at once, ${availableParallelism()} functions at a time`, quantity(atOnce.realSeconds, 's')),
      {
        ...plain('most memory of a function, share of what it is given', quantity(mostShare(uses), 'x')),
        atMost: MEMORY_SHARE,
      },
    ],
    tables: [memoryTable(uses)],
    notes: [
      'Two of three mails are to be delivered, and one is malicious. Seconds are those of the clock, on a machine that may do other work.',
      `Memory is the most that a process had resident, with these mails and with ${LARGE_MAILS} just below the limit of a mail. npm run twin has the faults.`,
    ],
  };
}

/** The most of each function. One that was never called used nothing. */
function mostOf(uses: readonly FunctionUse[]): FunctionUse[] {
  const most = new Map<string, FunctionUse>();
  for (const use of uses) if (use.peakMb > (most.get(use.name)?.peakMb ?? 0)) most.set(use.name, use);
  return [...most.values()];
}

const mostShare = (uses: readonly FunctionUse[]) => Math.max(...uses.map(({ peakMb, memoryMb }) => peakMb / memoryMb));

function memoryTable(uses: readonly FunctionUse[]): Table {
  return {
    title: 'Memory of each function that was called',
    columns: ['function', 'most resident', 'given', 'share'],
    rows: uses.map(({ name, peakMb, memoryMb }): Cell[] => [
      name,
      quantity(peakMb, 'MB'),
      `${memoryMb} MB`,
      quantity(peakMb / memoryMb, 'x'),
    ]),
  };
}
