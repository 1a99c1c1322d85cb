/** The desk: how fast a change of a run reaches the pages that watch it, what they cost in memory, and how heavy pages are. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Hono } from 'hono';
import { streamOf } from '../../lib/desk/drop/events.ts';
import { createDrops, type Dropped } from '../../lib/desk/drops.ts';
import { listenOn } from '../../lib/desk/listen.ts';
import { MAX_SELECTED } from '../../lib/desk/pages/bulk.tsx';
import { type DropDesk, openDropDesk } from '../desk/drop-rig.ts';
import { airlock } from '../local/console.ts';
import { emailWith } from '../pipeline/rig.ts';
import { count, type Figure, kilobytes, ms, type Part, plain, quantity } from './figure.ts';
import { median, percentile } from './statistics.ts';

const [WATCHERS, CHANGES] = [100, 50];
const PAGE_KB = 100;
const [PARTS, PAGES] = [200, 20];
const RUN_ID = 'a'.repeat(32);
/** As long as that of a mail with findings. */
const VIEW = JSON.stringify({ text: 'x'.repeat(3_000) });

export const desk: Part = {
  name: 'desk',
  title: `The desk: ${WATCHERS} pages watch a run, and the weight of pages`,
  async measure(progress) {
    progress(`${WATCHERS} streams get ${CHANGES} changes`);
    const streams = await streamFigures();
    progress('a real mail is dropped');
    const opened = await openDropDesk('admin');
    try {
      const figures = [...streams, ...(await weights(opened))];
      progress(`a mail of ${PARTS} parts is analysed`);
      figures.push(
        ...(await manyParts(opened, 'parts', (number) => ({ name: `note-${number}.txt`, bytes: `${number}` }))),
      );
      progress(`a mail of ${PARTS} parts with findings is analysed`);
      figures.push(...(await manyParts(opened, 'parts with findings', lure)));
      progress(`${MAX_SELECTED} held mails are released at once`);
      return { figures: [...figures, await bulkRelease(opened)], tables: [], notes: NOTES };
    } finally {
      await opened.close();
    }
  },
};

const NOTES = [
  'Streams are real connections over loopback; their readers run in the same process, so the times and the memory are those of both sides.',
  'The weight of a page is its HTML with the style and, where it has one, the script; without pictures, not compressed.',
];

async function streamFigures(): Promise<Figure[]> {
  const drops = createDrops(() => Date.now());
  let end: (failed: null) => void = () => {};
  const run = () =>
    new Promise<null>((resolve) => {
      end = resolve;
    });
  const dropped = drops.enter()?.begin('mail.eml', 1, { runId: RUN_ID, run }) as Dropped;
  const watchers = { count: 0 };
  const app = new Hono();
  app.get('/', (c) => streamOf(c, watchers, dropped, async () => VIEW));
  const { port, close } = await listenOn(0, app);
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  const all = await Promise.all(Array.from({ length: WATCHERS }, () => watcher(port)));
  await Promise.all(all.map((each) => each.reaches(dropped.version)));
  const each = (process.memoryUsage().rss - before) / WATCHERS;
  const times: number[] = [];
  for (let change = 0; change < CHANGES; change += 1) {
    const started = performance.now();
    drops.begun('parse');
    await Promise.all(all.map(({ reaches }) => reaches(dropped.version)));
    times.push(performance.now() - started);
  }
  end(null);
  const ended = await Promise.all(all.map(({ ended }) => ended));
  await close();
  if (watchers.count !== 0 || ended.length !== WATCHERS) throw new Error('a stream did not end');
  const slow = { name: 'p95', value: percentile(times, 0.95) };
  return [
    { name: 'a change reaches all pages', measured: ms(median(times)), atMost: null, baselines: [slow] },
    plain('memory of a page that watches, both sides', kilobytes(each)),
    plain('pages that watched to the end', count(ended.length)),
  ];
}

/** A page that watches: resolves when it got this version. */
async function watcher(port: number) {
  const answer = await fetch(`http://127.0.0.1:${port}/`);
  if (answer.status !== 200 || answer.body === null) throw new Error(`a stream was refused with ${answer.status}`);
  const waiting: { readonly version: number; readonly told: () => void }[] = [];
  let got = -1;
  const body = answer.body;
  const ended = (async () => {
    let text = '';
    for await (const piece of body.pipeThrough(new TextDecoderStream())) {
      text = (text + piece).slice(-8_000);
      got = Number([...text.matchAll(/id: (\d+)\n/g)].at(-1)?.[1] ?? got);
      for (const { version, told } of waiting) if (got >= version) told();
    }
  })();
  const reaches = (version: number) =>
    new Promise<void>((told) => (got >= version ? told() : void waiting.push({ version, told })));
  return { reaches, ended };
}

async function weights(opened: DropDesk): Promise<Figure[]> {
  const mail = await readFile('test/fixtures/emails/invoice-with-macro.eml', 'latin1');
  const path = (await opened.drop('invoice.eml', mail)).headers.get('location') ?? '';
  const started = performance.now();
  await opened.watch(path);
  const took = performance.now() - started;
  const bytes = async (address: string) => (await (await opened.get(address)).arrayBuffer()).byteLength;
  const style = await bytes('/style.css');
  const run = path.replace('/drops/', '/mails/');
  const pages: readonly (readonly [string, string, string[]])[] = [
    ['the list', '/mails?state=', []],
    ['a mail with 8 parts', run, []],
    ['the stages of a dropped mail', path, ['/live.js', '/preact.js']],
    ['a part side by side', `${run}/parts/1.3`, []],
  ];
  const figures: Figure[] = [];
  for (const [name, address, scripts] of pages) {
    let weight = style + (await bytes(address));
    for (const script of scripts) weight += await bytes(script);
    figures.push({ name: `weight of ${name}`, measured: kilobytes(weight), atMost: PAGE_KB, baselines: [] });
  }
  return [
    ...figures,
    plain('a dropped mail from its first stage to its last, engines not yet started', quantity(took, 'ms')),
  ];
}

/** A page of the web with a script that hides what it does. */
const lure = (number: number) => ({
  name: `lure-${number}.html`,
  bytes: `<p>${number}</p><script>eval(unescape('%61%6c%65%72%74%28%31%29'))</script>`,
});

/** The page of a mail with as many parts as its tree shows. */
async function manyParts(
  opened: DropDesk,
  what: string,
  fileAt: (number: number) => { readonly name: string; readonly bytes: string },
): Promise<Figure[]> {
  const files = Array.from({ length: PARTS - 2 }, (_, number) => fileAt(number));
  const path = (await opened.drop('parts.eml', emailWith({ subject: 'Notes', files }))).headers.get('location') ?? '';
  await opened.watch(path);
  const run = path.replace('/drops/', '/mails/');
  const times: number[] = [];
  let bytes = 0;
  for (let time = 0; time < PAGES; time += 1) {
    const started = performance.now();
    bytes = (await (await opened.get(run)).arrayBuffer()).byteLength;
    times.push(performance.now() - started);
  }
  const style = (await (await opened.get('/style.css')).arrayBuffer()).byteLength;
  const slow = { name: 'p95', value: percentile(times, 0.95) };
  return [
    {
      name: `weight of a mail with ${PARTS} ${what}`,
      measured: kilobytes(bytes + style),
      atMost: PAGE_KB,
      baselines: [],
    },
    { name: `the page of a mail with ${PARTS} ${what}`, measured: ms(median(times)), atMost: null, baselines: [slow] },
  ];
}

const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR', 'STANDARD-ANTIVIRUS', 'TEST-FILE!$H+H*'].join('-');

/** As many held mails as a page selects, released with one form. */
async function bulkRelease({ out, get, headers, origin }: DropDesk): Promise<Figure> {
  const folder = join(out, 'bench-mails');
  await mkdir(folder);
  for (let number = 0; number < MAX_SELECTED; number += 1) {
    const mail = emailWith({ subject: `Invoice ${number}`, files: [{ name: 'x.com', bytes: EICAR }] });
    await writeFile(join(folder, `${number}.eml`), mail);
  }
  await airlock(['scan', '--quiet', '--out', out, folder]);
  const page = await (await get('/mails')).text();
  const csrf = /name="csrf" value="([\w-]+)"/.exec(page)?.[1] ?? '';
  const runs = [...page.matchAll(/name="run" value="([0-9a-f]{32}-\d+)"/g)].map(([, run = '']) => run);
  const body = new URLSearchParams({ csrf, decision: 'release', why: 'the bench' });
  for (const run of runs) body.append('run', run);
  const started = performance.now();
  const answer = await fetch(`${origin}/selected`, { method: 'POST', body, headers: { ...headers, origin } });
  const took = performance.now() - started;
  await rm(folder, { recursive: true });
  const told = await answer.text();
  if (answer.status !== 200 || runs.length !== MAX_SELECTED || !told.includes(`${MAX_SELECTED} of ${MAX_SELECTED}`))
    throw new Error(`${runs.length} mails were selected, and not all of them were released (${answer.status})`);
  return plain(`${MAX_SELECTED} held mails released with one form`, quantity(took / 1_000, 's'));
}
