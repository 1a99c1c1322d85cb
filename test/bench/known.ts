/** How fast a mail goes through when everything in it is known: what a newsletter or a second recipient costs. */
import { type Analysis, openAnalysis } from '../../lib/local/session/analysis.ts';
import { mapBounded } from '../../lib/pipeline/bounded.ts';
import { STAGE_NAMES } from '../../lib/pipeline/model.ts';
import type { Analyzer } from '../../lib/pipeline/ports.ts';
import { memoryBlobs } from '../../lib/storage/memory.ts';
import { READ_AND_HASH, readAndHashMs, SIMPLE_PARSER, simpleParserMs, withFile } from './baselines.ts';
import { type Cell, type Figure, type Measured, ms, type Part, type Progress, quantity, type Table } from './figure.ts';
import { createFlow, type Delivered, type Flow, sourcesOf } from './flow.ts';
import { smallEmails } from './mails.ts';
import { median, percentile, timed } from './statistics.ts';

const WARM_UP = 50;
const ONE_BY_ONE = 250;
const TOGETHER = 400;
const IN_FLIGHT = 8;
const TARGET_MS = 12;
/** Against simpleParser, which reads a mail once. */
const TARGET_RATIO = 3;

export const known: Part = {
  name: 'known',
  title: 'A 10 KB mail whose hashes are all known, in process',
  async measure(progress) {
    const analysis = await openAnalysis(null, null, new AbortController().signal);
    try {
      return await measureWith(analysis, progress);
    } finally {
      await analysis.close();
    }
  },
};

async function measureWith({ analyzerFor }: Analysis, progress: Progress): Promise<Measured> {
  const blobs = memoryBlobs();
  const counted = countingSubmits(analyzerFor(blobs));
  const flow = createFlow(blobs, counted.analyzer);
  const email = await smallEmails();
  progress('the first mail goes to the engines');
  const first = await flow.deliver(email(0));
  const sent = counted.submits();
  if (sent === 0) throw new Error('the first mail submitted nothing');
  let number = 1;
  progress(`${WARM_UP} mails to warm up`);
  for (; number <= WARM_UP; number += 1) await flow.deliver(email(number));
  progress(`${ONE_BY_ONE} mails one by one, and the baselines between them`);
  const alone = await oneByOne(flow, email, number);
  number += ONE_BY_ONE;
  progress(`${TOGETHER} mails, ${IN_FLIGHT} in flight`);
  const emails = Array.from({ length: TOGETHER }, (_, index) => email(number + index));
  const together: Delivered[] = [];
  const wallMs = await timed(async () => {
    together.push(...(await mapBounded(emails, IN_FLIGHT, (mail) => flow.deliver(mail))));
  });
  assertAllKnown([...alone.delivered, ...together], counted.submits() - sent);
  return {
    figures: figuresOf(alone, wallMs),
    tables: [stagesTable(alone.delivered)],
    notes: [
      `${email(1).length.toLocaleString('en-US')} bytes; ${artifactsOf(first)}; ${sent} submissions for the first mail, 0 for the ${number - 1 + TOGETHER} after it.`,
      'Real stages, scan-email.asl.json in the interpreter, storage in memory; from the intake object to the delivered message.',
    ],
  };
}

interface OneByOne {
  readonly delivered: readonly Delivered[];
  readonly simpleParserMs: number;
  readonly readAndHashMs: number;
}

async function oneByOne(flow: Flow, email: (number: number) => Buffer, start: number): Promise<OneByOne> {
  const delivered: Delivered[] = [];
  const parsers: number[] = [];
  const reads: number[] = [];
  await withFile(email(start), async (path) => {
    for (let index = 0; index < ONE_BY_ONE; index += 1) {
      delivered.push(await flow.deliver(email(start + index)));
      parsers.push(await simpleParserMs(email(start + index)));
      reads.push(await readAndHashMs(path));
    }
  });
  return { delivered, simpleParserMs: median(parsers), readAndHashMs: median(reads) };
}

function figuresOf(alone: OneByOne, togetherMs: number): Figure[] {
  const times = alone.delivered.map(({ from, to }) => to - from);
  const baselines = [
    { name: SIMPLE_PARSER, value: alone.simpleParserMs },
    { name: READ_AND_HASH, value: alone.readAndHashMs },
  ];
  const perSecond = (TOGETHER * 1_000) / togetherMs;
  const inTurn = {
    name: 'one mail at a time',
    value: (1_000 * times.length) / times.reduce((sum, time) => sum + time, 0),
  };
  return [
    { name: 'time per mail, p50', measured: ms(median(times)), atMost: TARGET_MS, baselines },
    {
      name: `the same against ${SIMPLE_PARSER}`,
      measured: quantity(median(times) / alone.simpleParserMs, 'x'),
      atMost: TARGET_RATIO,
      baselines: [],
    },
    { name: 'time per mail, p95', measured: ms(percentile(times, 0.95)), atMost: null, baselines: [] },
    {
      name: `throughput, ${IN_FLIGHT} in flight`,
      measured: quantity(perSecond, '/s'),
      atMost: null,
      baselines: [inTurn],
    },
  ];
}

function stagesTable(delivered: readonly Delivered[]): Table {
  const used = STAGE_NAMES.filter((name) => delivered[0]?.stages.some(({ stage }) => stage === name));
  const rows: Cell[][] = used.map((name) => {
    const times = delivered.flatMap(({ stages }) =>
      stages.filter(({ stage }) => stage === name).map(({ from, to }) => to - from),
    );
    return [name, ms(median(times)), ms(percentile(times, 0.95))];
  });
  const between = delivered.map(({ from, to, stages }) =>
    stages.reduce((rest, span) => rest - (span.to - span.from), to - from),
  );
  rows.push(['state machine', ms(median(between)), ms(percentile(between, 0.95))]);
  return { title: 'Where the time goes', columns: ['stage', 'p50', 'p95'], rows };
}

function artifactsOf({ ledger }: Delivered): string {
  const urls = ledger.artifacts.filter(({ type }) => type === 'url').length;
  const attachments = ledger.parts.filter(({ role }) => role === 'attachment').length;
  return `${ledger.artifacts.length} artifacts (${attachments} attachment, ${urls} URLs, ${ledger.artifacts.length - urls - attachments} bodies)`;
}

/** Counts what is sent to the service. */
function countingSubmits(analyzer: Analyzer): { analyzer: Analyzer; submits(): number } {
  let submits = 0;
  const submit: Analyzer['submit'] = (request) => {
    submits += 1;
    return analyzer.submit(request);
  };
  return { analyzer: { ...analyzer, submit }, submits: () => submits };
}

function assertAllKnown(delivered: readonly Delivered[], submitted: number): void {
  if (submitted !== 0) throw new Error(`${submitted} submissions although every hash was known`);
  const runs = new Set(delivered.map(({ ledger }) => ledger.runId));
  if (runs.size !== delivered.length) throw new Error('two mails were the same run');
  const unknown = delivered.find(({ ledger }) => {
    const { submitted: sent, joined } = sourcesOf(ledger) as { submitted: number; joined: number };
    return sent + joined > 0;
  });
  if (unknown) throw new Error(`run ${unknown.ledger.runId} did not know every report`);
}
