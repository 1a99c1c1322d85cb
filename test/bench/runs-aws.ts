/** What a page of the index costs in DynamoDB: its requests, which decide how long it takes and what it costs. The table is that of the twin, on this machine. */
import { sha256Hex } from '../../lib/pipeline/keys.ts';
import { overviewOf } from '../../lib/pipeline/runs/overview.ts';
import type { Fact, FactKind } from '../../lib/pipeline/runs/row.ts';
import { timesHeld } from '../../lib/pipeline/runs/times-held.ts';
import { createDynamoRuns } from '../../lib/storage/dynamodb/runs.ts';
import { RUNS_TABLE, serverRig } from '../twin/rig.ts';
import { count, type Figure, type Part } from './figure.ts';
import { BORN, fact, madeUp } from './runs-made-up.ts';

const RUNS = 600;
const PAGE = 50;
const SECONDS = 1_000;

export const runsAws: Part = {
  name: 'runs-aws',
  title: `Requests to DynamoDB for a page of the index of ${RUNS} made-up runs`,
  async measure(progress) {
    let requests = 0;
    const counted = () => {
      requests += 1;
      return null;
    };
    const rig = await serverRig({ interrupt: counted });
    try {
      const index = createDynamoRuns({ client: rig.dynamo, tableName: RUNS_TABLE, keptDays: 30, clock: rig.clock });
      for (let number = 0; number < RUNS; number += 1) await index.put(madeUp(number));
      progress(`${RUNS} runs are in the index`);
      const written: Figure = figure('a run is written', requests / RUNS);
      const figures: Figure[] = [];
      for (const [name, { facts, rows, since = null, until = null }] of Object.entries(QUESTIONS)) {
        requests = 0;
        const page = await index.list({ facts, since, until, after: null, most: PAGE });
        if (page.rows.length !== rows) throw new Error(`${name}: ${page.rows.length} rows, not ${rows}`);
        figures.push(figure(name, requests));
      }
      requests = 0;
      await timesHeld(index, BORN + RUNS * SECONDS);
      figures.push(figure(`how often mail was held, which was ${RUNS / 3} times`, requests));
      requests = 0;
      await overviewOf(index, 30, BORN + RUNS * SECONDS);
      figures.push(figure('the overview of 30 days, with the times at which mail was held', requests));
      return { figures: [written, ...figures], tables: [], notes: NOTES };
    } finally {
      await rig.close();
    }
  },
};

const NOTES = [
  `A page has ${PAGE} rows. A request to DynamoDB takes milliseconds within a region; those of one page follow each other.`,
];

const figure = (name: string, requests: number): Figure => ({
  ...{ name, measured: count(requests), atMost: null, baselines: [] },
});

interface Asked {
  readonly facts: readonly Fact[];
  readonly rows: number;
  readonly since?: number;
  readonly until?: number;
}

const one = (kind: FactKind, value: string, rows = PAGE): Asked => ({ facts: [fact(kind, value)], rows });
const QUESTIONS: Readonly<Record<string, Asked>> = {
  'a page of everything': { facts: [], rows: PAGE },
  'a page by state': one('state', 'quarantined'),
  'a page by a word of every subject': one('word', 'invoice'),
  'a page by hash': one('hash', sha256Hex('file 500'), 1),
  'a page that finds nothing': one('sender', 'nobody@sender.example', 0),
  'a page between two times': { facts: [], rows: PAGE, since: BORN + 100 * SECONDS, until: BORN + 400 * SECONDS },
  'a page by state and a word of every subject': {
    facts: [fact('state', 'quarantined'), fact('word', 'invoice')],
    rows: PAGE,
  },
  'a page by two facts that never occur together': {
    facts: [fact('state', 'delivered'), fact('reason', 'suspicious')],
    rows: 0,
  },
};
