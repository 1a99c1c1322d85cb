/** Runs the engines on ordinary and hostile files that are damaged at random. None may hold an engine or end it with a fault. */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { DEFAULT_ENGINE_LIMITS } from '../../lib/engines/engine.ts';
import { createEnginePool, type EnginePool } from '../../lib/engines/threads/pool.ts';
import { ordinaryFiles } from '../checkers/ordinary.ts';
import { FORMATS, samplesIn } from './disarm/samples.ts';
import { mutate, type Random } from './mutate.ts';

/** The folder of finds. A test reads each of them from then on. */
export const ENGINE_FINDS = new URL('./finds/engines/', import.meta.url);
const MAX_SEED = 200_000;
/** Processor time of one engine on one file. Ordinary files of this size take a tenth of it. */
const TIME_MS = 5_000;
const THREADS = 2;

/** Bytes that may break readers of files: delimiters, too large numbers, important names, records without length. */
const TOKENS = [
  ')',
  '(',
  '{',
  '}',
  '>>',
  '<<',
  '[',
  ']',
  '<',
  '>',
  '/',
  '%',
  'R',
  ' 0 R',
  'obj',
  'endobj',
  'stream',
  'endstream',
  '-1',
  '0',
  '99999999999',
  '1e308',
  '0.5',
  '/Length 0',
  '/W [0 0 0]',
  '/Type',
  '/Kids',
  '/Prev 0',
  'xref',
  'trailer',
  'PK\x03\x04',
  'PK\x01\x02',
  'PK\x05\x06',
  '\xff\xff\xff\xff',
  '\0\0\0\0',
  '\xff\xff\xff\x7f',
  '\0\0\0\x80',
  '\xfe\xff\xff\xff',
  '<!--',
  ']]>',
  '<![CDATA[',
  '&#x0;',
  '<!DOCTYPE a [',
  '</',
  '/>',
  '"',
  "'",
  '{\\rtf1',
  '\\bin9999999 ',
  "\\'",
  '\\u-1 ',
  'BEGIN:VCALENDAR\r\n',
  '\r\n\r\n',
  '\r\n ',
  ';',
  ':',
  '\xff\xd8\xff',
  'GIF89a',
  'IHDR',
  'MZ',
  '\xd0\xcf\x11\xe0',
];

interface Seed {
  readonly name: string;
  readonly bytes: Buffer;
}

interface Progress {
  read: number;
  finds: number;
  readonly kinds: Set<string>;
}

async function seeds(): Promise<readonly Seed[]> {
  const ordinary = await ordinaryFiles(false);
  const hostile = (await Promise.all(FORMATS.map((format) => samplesIn(format)))).flat();
  return [...ordinary, ...hostile]
    .map(({ name, bytes }) => ({ name, bytes: Buffer.from(bytes) }))
    .filter(({ bytes }) => bytes.length <= MAX_SEED);
}

/** What is wrong with the end of an engine, in words. Null when all of them ended as they should. */
export async function faultOn(pool: EnginePool, name: string, bytes: Uint8Array): Promise<string | null> {
  const input = { bytes, untrustedName: name, password: null };
  for (const engine of ['static', 'disarm'] as const) {
    const report = await pool.run({ engine, input });
    if (report.outcome !== 'failed') continue;
    const { code, message } = report.failure;
    if (code === 'timeout' || code === 'engine_failed') return `${engine}: ${code}: ${message}`;
  }
  return null;
}

/** The engines under the limits of this search. */
export function openSearchedPool(): EnginePool {
  return createEnginePool({ threads: THREADS, limits: { ...DEFAULT_ENGINE_LIMITS, timeoutMs: TIME_MS } });
}

/** Damages files until `isOver`. A file that holds or breaks an engine is kept. */
export async function fuzzEngines(below: Random, progress: Progress, isOver: () => boolean): Promise<void> {
  const corpus = await seeds();
  const bytes = corpus.map((seed) => seed.bytes);
  const pool = openSearchedPool();
  const search = async () => {
    while (!isOver()) {
      const seed = corpus[below(corpus.length)] as Seed;
      const sameKind = bytes.filter((_, index) => corpus[index]?.name === seed.name);
      let damaged = seed.bytes;
      for (let change = below(6); change >= 0; change--) damaged = mutate(damaged, sameKind, TOKENS, below);
      const fault = await faultOn(pool, seed.name, damaged);
      progress.read++;
      progress.kinds.add(seed.name);
      if (fault === null) continue;
      progress.finds++;
      keep(seed.name, damaged, fault);
    }
  };
  await Promise.all(Array.from({ length: THREADS }, search));
  await pool.close();
}

function keep(seedName: string, bytes: Uint8Array, fault: string): void {
  mkdirSync(ENGINE_FINDS, { recursive: true });
  const extension = /\.(\w{1,8})$/.exec(seedName)?.[1] ?? 'bin';
  const name = `${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}.${extension}`;
  writeFileSync(new URL(name, ENGINE_FINDS), bytes);
  process.stdout.write(`${name}: ${fault}\n`);
}
