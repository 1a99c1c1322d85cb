/** What the flow adds to the time that the analysis itself takes. */
import { availableParallelism } from 'node:os';
import { createEnginePool, type EnginePool } from '../../lib/engines/threads/pool.ts';
import { createAnalyzer } from '../../lib/service/analyzer.ts';
import { AnalysisClient } from '../../lib/service/client/analysis-client.ts';
import { startService } from '../../lib/service/server/listen.ts';
import { directoryBlobs } from '../../lib/storage/directory/directory.ts';
import { READ_AND_HASH, readAndHashMs, SIMPLE_PARSER, simpleParserMs, withFile, withScratch } from './baselines.ts';
import { type Cell, count, type Measured, ms, type Part, type Progress, type Table } from './figure.ts';
import { createFlow, type Delivered, type Flow, sourcesOf } from './flow.ts';
import { largeEmail } from './mails.ts';
import { covered, median, percentile, type Span, uncovered } from './statistics.ts';

const WARM_UP = 2;
const REPETITIONS = 11;
const TARGET_MS = 300;
/** The bench talks to itself on loopback; the key keeps nobody out. */
const KEY = 'bench-key';

export const overhead: Part = {
  name: 'overhead',
  title: 'A 1 MB mail with three attachments nobody has seen: what the flow adds to the analysis',
  measure: (progress) =>
    withScratch(async (folder) => {
      const pool = createEnginePool({ threads: availableParallelism() });
      const tasks: Span[] = [];
      const service = await startService({ port: 0, apiKey: KEY, cdrToken: KEY, pool: { run: timing(pool, tasks) } });
      try {
        progress('engines start');
        await pool.warmUp();
        const analyzer = createAnalyzer({ client: new AnalysisClient({ baseUrl: service.url, apiKey: KEY }) });
        return await measureWith(createFlow(directoryBlobs(folder), analyzer), tasks, progress);
      } finally {
        await service.close();
        await pool.close();
      }
    }),
};

/** Notes when the engines work on something. */
function timing(pool: EnginePool, tasks: Span[]): EnginePool['run'] {
  return async (task) => {
    const from = performance.now();
    const report = await pool.run(task);
    tasks.push({ from, to: performance.now() });
    return report;
  };
}

interface Repetition extends Delivered {
  readonly bytes: number;
  readonly tasks: readonly Span[];
  readonly simpleParserMs: number;
  readonly readAndHashMs: number;
}

async function measureWith(flow: Flow, tasks: Span[], progress: Progress): Promise<Measured> {
  const repetitions: Repetition[] = [];
  for (let number = 0; number < WARM_UP + REPETITIONS; number += 1) {
    const email = await largeEmail(number);
    tasks.length = 0;
    const delivered = await flow.deliver(email);
    const sources = sourcesOf(delivered.ledger);
    if (sources.joined !== 0 || sources.known !== 0) throw new Error(`run ${number} found something known`);
    const parserMs = await simpleParserMs(email);
    const readMs = await withFile(email, readAndHashMs);
    progress(`${number + 1} of ${WARM_UP + REPETITIONS} mails${number < WARM_UP ? ' (warm-up)' : ''}`);
    if (number >= WARM_UP)
      repetitions.push({
        ...delivered,
        bytes: email.length,
        tasks: [...tasks],
        simpleParserMs: parserMs,
        readAndHashMs: readMs,
      });
  }
  return reportOf(repetitions);
}

const wall = ({ from, to }: Span) => to - from;
const added = (repetition: Repetition) => wall(repetition) - covered(repetition.tasks);
const middle = (repetitions: readonly Repetition[], of: (repetition: Repetition) => number) =>
  median(repetitions.map(of));

function reportOf(repetitions: readonly Repetition[]): Measured {
  const baselines = [
    { name: 'the engines', value: middle(repetitions, ({ tasks }) => covered(tasks)) },
    { name: SIMPLE_PARSER, value: middle(repetitions, (repetition) => repetition.simpleParserMs) },
    { name: READ_AND_HASH, value: middle(repetitions, (repetition) => repetition.readAndHashMs) },
  ];
  const wallMs = middle(repetitions, wall);
  return {
    figures: [
      { name: 'overhead of the flow, median', measured: ms(middle(repetitions, added)), atMost: TARGET_MS, baselines },
      {
        name: 'overhead of the flow, worst',
        measured: ms(percentile(repetitions.map(added), 1)),
        atMost: null,
        baselines: [],
      },
      { name: 'wall time of the run', measured: ms(wallMs), atMost: null, baselines: [] },
      { name: 'engine time (union)', measured: ms(baselines[0]?.value ?? 0), atMost: null, baselines: [] },
    ],
    tables: [whereTable(repetitions)],
    notes: [
      `${(repetitions[0]?.bytes ?? 0).toLocaleString('en-US')} bytes: docx, pdf, png; ${repetitions[0]?.tasks.length} engine tasks on ${availableParallelism()} threads; median of ${repetitions.length} different mails after ${WARM_UP} to warm up.`,
      'Overhead = wall time minus the time in which at least one engine task of the mail was queued or running. Storage in a directory, as `airlock scan` has it.',
    ],
  };
}

/** The overhead by place: time of a stage, or of a wait, in which no engine worked. */
function whereTable(repetitions: readonly Repetition[]): Table {
  const names = [...new Set(repetitions.flatMap(({ stages }) => stages.map(({ stage }) => stage)))];
  const rows: Cell[][] = names.map((name) => {
    const own = (repetition: Repetition) => repetition.stages.filter(({ stage }) => stage === name);
    return [
      name,
      count(middle(repetitions, (repetition) => own(repetition).length)),
      ms(middle(repetitions, (repetition) => covered(own(repetition)))),
      ms(middle(repetitions, (repetition) => uncovered(own(repetition), repetition.tasks))),
    ];
  });
  const waiting = (repetition: Repetition) => wall(repetition) - covered(repetition.stages);
  const idle = (repetition: Repetition) => added(repetition) - uncovered(repetition.stages, repetition.tasks);
  rows.push(['waits, state machine', '', ms(middle(repetitions, waiting)), ms(middle(repetitions, idle))]);
  return { title: 'Where the overhead is (medians)', columns: ['stage', 'times', 'wall', 'overhead'], rows };
}
