/** Work that a service is given: a large upload, a small one to its end, and a thousand at once. */
import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Agent, fetch } from 'undici';
import { withScratch } from './baselines.ts';
import { count, type Measured, ms, type Part, type Progress, quantity } from './figure.ts';
import { BENCH_HEADERS, type ServedProcess, serveProcess } from './service-process.ts';
import { median } from './statistics.ts';

const LARGE_BYTES = 100_000_000;
const LARGE_GROWTH_MB = 60;
const SMALL_BYTES = 10_000;
const SMALL_REPETITIONS = 40;
const SMALL_OVERHEAD_MS = 60;
const MANY = 1_000;
const AT_ONCE = 64;
const POLL_MS = 5;
const BOUNDARY = 'service-work-boundary';

export const serviceWork: Part = {
  name: 'service-work',
  title: 'The service at work: a file of 100 MB, a text of 10 KB to its end, a thousand submissions at once',
  measure: (progress) =>
    withScratch(async (folder) => {
      const service = await serveProcess(join(folder, 'data'));
      // fetch would share its connections with whatever ran before.
      const dispatcher = new Agent({ connections: AT_ONCE });
      const client = clientOf(service.url, dispatcher);
      try {
        progress('warm up');
        for (let n = 0; n < 5; n += 1) await client.ended(await client.submit(text(n)));
        const small = await measureSmall(client, progress);
        const many = await measureMany(client, progress);
        const large = await measureLarge(service, dispatcher, folder, client, progress);
        return { figures: [...small.figures, ...many.figures, ...large.figures], tables: [], notes: large.notes };
      } finally {
        await dispatcher.close();
        await service.stop();
      }
    }),
};

/** A text that nobody has sent before. */
const text = (number: number) =>
  Buffer.from(`${number} ${randomBytes(SMALL_BYTES / 2).toString('hex')}`.slice(0, SMALL_BYTES));

interface Seen {
  readonly reports: readonly { readonly status: string; readonly duration: number | null }[];
}
type Client = ReturnType<typeof clientOf>;

function clientOf(url: string, dispatcher: Agent) {
  const json = async (
    path: string,
    init: { method?: string; body?: Buffer; headers?: Record<string, string> } = {},
  ) => {
    const headers = { ...BENCH_HEADERS, ...init.headers };
    const response = await fetch(url + path, { ...init, headers, dispatcher });
    const body = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${body}`);
    return JSON.parse(body) as unknown;
  };
  return {
    submit: async (bytes: Buffer): Promise<string> => {
      const body = Buffer.concat([formStart('small.txt'), bytes, FORM_END]);
      const answer = await json('/submissions/static', { method: 'POST', body, headers: FORM_HEADERS });
      return (answer as { uuid: string }).uuid;
    },
    /** The submission when all its reports have ended. */
    ended: async (uuid: string): Promise<Seen> => {
      for (;;) {
        const seen = (await json(`/submissions/${uuid}`)) as Seen;
        if (seen.reports.every(({ status }) => status === 'completed' || status === 'error')) return seen;
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
    },
    total: async (): Promise<number> => ((await json('/submissions?limit=1')) as { total: number }).total,
  };
}

const FORM_HEADERS = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
const FORM_END = Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
const formStart = (filename: string) =>
  Buffer.from(
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${filename}"\r\n` +
      'Content-Type: application/octet-stream\r\n\r\n',
  );

async function measureSmall(client: Client, progress: Progress): Promise<Pick<Measured, 'figures'>> {
  progress('a text of 10 KB, from the submission to the finished report');
  const whole: number[] = [];
  const over: number[] = [];
  for (let n = 0; n < SMALL_REPETITIONS; n += 1) {
    const started = performance.now();
    const { reports } = await client.ended(await client.submit(text(n)));
    const elapsed = performance.now() - started;
    whole.push(elapsed);
    over.push(elapsed - 1_000 * reports.reduce((sum, { duration }) => sum + (duration ?? 0), 0));
  }
  return {
    figures: [
      { name: 'text of 10 KB, submission to finished, p50', measured: ms(median(whole)), atMost: null, baselines: [] },
      {
        name: "text of 10 KB, over the engine's own time, p50",
        measured: ms(median(over)),
        atMost: SMALL_OVERHEAD_MS,
        baselines: [],
      },
    ],
  };
}

async function measureMany(client: Client, progress: Progress): Promise<Pick<Measured, 'figures'>> {
  progress(`${MANY} submissions, ${AT_ONCE} at a time`);
  const before = await client.total();
  const started = performance.now();
  const uuids: string[] = [];
  let next = 0;
  const sender = async () => {
    while (next < MANY) {
      next += 1;
      uuids.push(await client.submit(text(next)));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sender));
  const posted = performance.now() - started;
  let unfinished = 0;
  for (const uuid of uuids) {
    const { reports } = await client.ended(uuid);
    if (reports.some(({ status }) => status !== 'completed')) unfinished += 1;
  }
  const all = performance.now() - started;
  const lost = MANY - ((await client.total()) - before);
  const doubled = uuids.length - new Set(uuids).size;
  const none = (name: string, value: number) => ({ name, measured: count(value), atMost: 0, baselines: [] });
  return {
    figures: [
      none(`${MANY} submissions: lost`, Math.max(0, lost)),
      none(`${MANY} submissions: doubled`, Math.max(0, -lost) + doubled),
      none(`${MANY} submissions: not completed`, unfinished),
      {
        name: `${MANY} submissions: posted`,
        measured: quantity(MANY / (posted / 1_000), '/s'),
        atMost: null,
        baselines: [],
      },
      {
        name: `${MANY} submissions: analysed`,
        measured: quantity(MANY / (all / 1_000), '/s'),
        atMost: null,
        baselines: [],
      },
    ],
  };
}

async function measureLarge(
  service: ServedProcess,
  dispatcher: Agent,
  folder: string,
  client: Client,
  progress: Progress,
): Promise<Measured> {
  const path = join(folder, 'large.bin');
  await pipeline(Readable.from(randomPieces()), createWriteStream(path));
  const before = service.residentBytes();
  if (before === null)
    return { figures: [], tables: [], notes: ['this system does not tell the memory of another process'] };
  progress('a file of 100 MB');
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, service.residentBytes() ?? 0);
  }, 5);
  try {
    const started = performance.now();
    const uuid = await uploadLarge(service.url, dispatcher, path);
    const uploadedMs = performance.now() - started;
    const uploadPeak = peak;
    await client.ended(uuid);
    const baselines = [{ name: 'the whole file in memory', value: LARGE_BYTES / 1e6 }];
    const grown = (bytes: number) => quantity((bytes - before) / 1e6, 'MB');
    return {
      figures: [
        {
          name: 'file of 100 MB: growth while it is uploaded',
          measured: grown(uploadPeak),
          atMost: LARGE_GROWTH_MB,
          baselines,
        },
        {
          name: 'file of 100 MB: growth until it is analysed',
          measured: grown(peak),
          atMost: LARGE_GROWTH_MB,
          baselines,
        },
        { name: 'file of 100 MB: upload', measured: ms(uploadedMs), atMost: null, baselines: [] },
      ],
      tables: [],
      notes: ['growth of the resident set of the service over a service that has worked already, sampled every 5 ms'],
    };
  } finally {
    clearInterval(watch);
  }
}

function* randomPieces(): Generator<Buffer> {
  for (let written = 0; written < LARGE_BYTES; written += 1_000_000) yield randomBytes(1_000_000);
}

async function uploadLarge(url: string, dispatcher: Agent, path: string): Promise<string> {
  const body = async function* (): AsyncGenerator<Uint8Array> {
    yield formStart('large.bin');
    yield* createReadStream(path, { highWaterMark: 256 * 1024 });
    yield FORM_END;
  };
  const headers = { ...BENCH_HEADERS, ...FORM_HEADERS };
  const init = { method: 'POST', headers, body: body(), duplex: 'half', dispatcher } as const;
  const response = await fetch(`${url}/submissions/static`, init);
  if (response.status !== 200) throw new Error(`the upload answered ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { uuid: string }).uuid;
}
