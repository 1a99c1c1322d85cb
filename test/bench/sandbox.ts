/** Scripts in the sandbox: how fast an interpreter stands ready, how many scripts a second, and which techniques are found. */
import { DEFAULT_ENGINE_LIMITS } from '../../lib/engines/engine.ts';
import { detonateFile } from '../../lib/engines/script/detonate-file.ts';
import { RUN_MS } from '../../lib/engines/script/limits.ts';
import { runScripts } from '../../lib/engines/script/run-scripts.ts';
import { readScriptFile } from '../../lib/engines/script/script-file.ts';
import { HOSTILE_SCRIPTS, type HostileScript } from '../hostile/scripts/techniques.ts';
import { type Cell, type Measured, ms, type Part, type Progress, quantity } from './figure.ts';
import { percentile, timed } from './statistics.ts';

const START_TARGET_MS = 30;
const WARM_UP = 5;
const STARTS = 60;
const ROUNDS = 2;

export const sandbox: Part = {
  name: 'sandbox',
  title: 'Scripts run in the emulation: start, throughput, techniques found',
  measure: async (progress) => await measure(progress),
};

async function measure(progress: Progress): Promise<Measured> {
  progress('starts');
  const starts = await startTimes();
  progress('techniques');
  const rows: Cell[][] = [];
  for (const script of HOSTILE_SCRIPTS) rows.push(await techniqueRow(script));
  progress('throughput');
  const roundMs = await timed(async () => {
    for (let round = 0; round < ROUNDS; round++) for (const script of HOSTILE_SCRIPTS) await detonate(script);
  });
  const found = rows.filter((row) => row[1] === 'found').length;
  return {
    figures: [
      startFigure('p50', starts.wall, 0.5, START_TARGET_MS),
      startFigure('p50 in processor time', starts.processor, 0.5, START_TARGET_MS),
      startFigure('best', starts.wall, 0, null),
      startFigure('p95', starts.wall, 0.95, null),
      {
        name: 'hostile scripts, one thread, static analysis of what they make included',
        measured: quantity((ROUNDS * HOSTILE_SCRIPTS.length * 1_000) / roundMs, '/s'),
        atMost: null,
        baselines: [],
      },
      {
        name: 'techniques missed',
        measured: quantity(HOSTILE_SCRIPTS.length - found, 'count'),
        atMost: Math.floor(HOSTILE_SCRIPTS.length * 0.05),
        baselines: [],
      },
    ],
    tables: [{ title: 'Techniques', columns: ['technique', 'outcome', 'level'], rows }],
    notes: [
      `Start: a new WebAssembly instance of the module that was compiled once, its memory a copy of one in which the emulated objects stand, an empty script, and its end; ${STARTS} times after ${WARM_UP} to warm up. The very first of a thread makes those objects.`,
    ],
  };
}

const startFigure = (which: string, times: readonly number[], share: number, atMost: number | null) => ({
  name: `environment start, ${which}`,
  measured: ms(percentile(times, share)),
  atMost,
  baselines: [],
});

/** Wall time, and processor time of all threads: on a machine that others use too, only the second says what a start costs. */
async function startTimes(): Promise<{ readonly wall: number[]; readonly processor: number[] }> {
  const input = { bytes: Buffer.from('var a;'), untrustedName: 'empty.js', password: null };
  const file = await readScriptFile(input, DEFAULT_ENGINE_LIMITS);
  const times = { wall: [] as number[], processor: [] as number[] };
  for (let turn = 0; turn < WARM_UP + STARTS; turn++) {
    const before = process.cpuUsage();
    const time = await timed(() => runScripts(file, 'empty.js', { runMs: RUN_MS, sink: () => {} }));
    const { user, system } = process.cpuUsage(before);
    if (turn < WARM_UP) continue;
    times.wall.push(time);
    times.processor.push((user + system) / 1_000);
  }
  return times;
}

const detonate = ({ name, content }: HostileScript) =>
  detonateFile({ bytes: Buffer.from(content), untrustedName: name, password: null }, DEFAULT_ENGINE_LIMITS);

async function techniqueRow(script: HostileScript): Promise<Cell[]> {
  const report = await detonate(script);
  if (report.outcome === 'failed') return [script.technique, report.failure.code, 'unknown'];
  const ids = report.findings.map(({ id }) => id);
  const isFound = report.level === script.level && script.finds.every((id) => ids.includes(id));
  return [script.technique, isFound ? 'found' : 'missed', report.level];
}
