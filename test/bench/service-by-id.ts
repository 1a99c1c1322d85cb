/** GET /submissions/:uuid: how many a second on one core, and how long one takes at half of that. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Figure, type Measured, ms, type Progress, quantity } from './figure.ts';
import { BENCH_HEADERS, bareProcess, canPin, loaded } from './service-process.ts';
import { median, percentile } from './statistics.ts';

const WARM_UP_MS = 3_000;
const FULL_MS = 2_000;
const HALF_MS = 3_000;
/** Full load, half of what that gave, and the bare server in turns: what else the machine does meanwhile meets all of them. */
const ROUNDS = 9;
const P99_MS = 10;

/** Everything that was measured, of all rounds. */
interface Rounds {
  /** Requests per second at full load, one of each round. */
  readonly full: number[];
  /** At half load, like the other two: a list for each round. */
  readonly service: (readonly number[])[];
  readonly bare: (readonly number[])[];
  readonly lateness: (readonly number[])[];
}

/** Measures the service at `url`. The paths of `ids` are written to a file in `folder`, for the process that asks for them. */
export async function measureById(
  url: string,
  ids: readonly string[],
  folder: string,
  progress: Progress,
): Promise<Measured> {
  const pathsFile = join(folder, 'paths.json');
  await writeFile(pathsFile, JSON.stringify(ids.map((id) => `/submissions/${id}`)));
  progress('warm up');
  await loaded({ url, pathsFile, perSecond: null, forMs: WARM_UP_MS });
  const example = await fetch(`${url}/submissions/${ids[0]}`, { headers: BENCH_HEADERS });
  const bare = await bareProcess(await example.text());
  const rounds: Rounds = { full: [], service: [], bare: [], lateness: [] };
  try {
    await loaded({ url: bare.url, pathsFile, perSecond: null, forMs: WARM_UP_MS });
    for (let round = 1; round <= ROUNDS; round += 1) {
      progress(`GET by id, round ${round} of ${ROUNDS}`);
      await measureRound(rounds, url, bare.url, pathsFile);
    }
    return figuresOf(rounds);
  } finally {
    await bare.stop();
  }
}

async function measureRound(rounds: Rounds, url: string, bareUrl: string, pathsFile: string): Promise<void> {
  const full = await loaded({ url, pathsFile, perSecond: null, forMs: FULL_MS });
  const perSecond = full.perSecond / 2;
  const service = await loaded({ url, pathsFile, perSecond, forMs: HALF_MS });
  const bare = await loaded({ url: bareUrl, pathsFile, perSecond, forMs: HALF_MS });
  rounds.full.push(full.perSecond);
  rounds.service.push(service.times);
  rounds.lateness.push(service.lateness);
  rounds.bare.push(bare.times);
}

/** The percentile of each round, and of these the median. */
function inMiddleRound(rounds: readonly (readonly number[])[], share: number): number {
  return median(rounds.map((times) => percentile(times, share)));
}

function figuresOf({ full, service, bare, lateness }: Rounds): Measured {
  const figure = (share: number, name: string, atMost: number | null): Figure => ({
    name: `GET by id, ${name} at half load`,
    measured: ms(inMiddleRound(service, share)),
    atMost,
    baselines: [{ name: 'a bare web server at the same rate', value: inMiddleRound(bare, share) }],
  });
  const row = (name: string, rounds: readonly (readonly number[])[]) => [
    name,
    ...[0.5, 0.9, 0.99, 0.999, 1].map((share) => ms(percentile(rounds.flat(), share))),
  ];
  const p99s = (rounds: readonly (readonly number[])[]) =>
    rounds.map((times) => percentile(times, 0.99).toFixed(1)).join(', ');
  return {
    figures: [
      { name: 'GET by id, as fast as possible', measured: quantity(median(full), '/s'), atMost: null, baselines: [] },
      figure(0.5, 'p50', null),
      figure(0.99, 'p99', P99_MS),
    ],
    tables: [
      {
        title: `At half load, all rounds together: ${service.flat().length} requests, in each round at a constant rate`,
        columns: ['', 'p50', 'p90', 'p99', 'p99.9', 'most'],
        rows: [
          row('GET by id, from when it was meant to be sent', service),
          row('of which the sender was late', lateness),
          row('a bare web server, in turns with it', bare),
        ],
      },
    ],
    notes: [
      `p50 and p99 are those of the middle round of ${ROUNDS}: a stop of the whole machine, which a virtual one has now and then, fills the 99th`,
      `percentile of the round it falls into. p99 by round, in ms: ${p99s(service)}; of the bare web server: ${p99s(bare)}`,
      `half load is half of what full load gave just before: ${full.map((rate) => rate.toFixed(0)).join(', ')} a second`,
      canPin
        ? 'the service has one core and the load another; other programs of the machine may use both'
        : 'the service and the load share the cores: taskset, which would keep them apart, is not there',
    ],
  };
}
