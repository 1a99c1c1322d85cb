/**
 * `npm run fuzz -- --minutes N [--seed N]`: takes hostile and ordinary mail apart and puts it together in ways
 * nobody thought of, and reads the result. A mail that breaks a promise of the reader is written to test/hostile/finds, where
 * a test reads it from then on.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ORDINARY_MAIL } from '../message/ordinary-mail.ts';
import { ATTACKS } from './attacks.ts';
import { hostileMail } from './compose.ts';
import { brokenFlowPromise } from './flow-promises.ts';
import { fuzzEngines } from './fuzz-engines.ts';
import { mutate, type Random, random } from './mutate.ts';
import { brokenPromise } from './promises.ts';

const FINDS = new URL('./finds/', import.meta.url);
const SEED_MAILS = 400;
const SMALL_ATTACK = 20_000;
const LARGEST = 200_000;
/** Bytes and lines that may break readers. */
const TOKENS = [
  '\r',
  '\n',
  '\r\n',
  '\r\n\r\n',
  '\0',
  ' ',
  '\t',
  '--',
  '--fooBar',
  '--fooBar--\r\n',
  '=',
  '==',
  ';',
  '"',
  '(',
  '\\',
  ':',
  'Content-Type: multipart/mixed; boundary=fooBar\r\n',
  'Content-Type: message/rfc822\r\n',
  'boundary=',
  'Content-Transfer-Encoding: base64\r\n',
  'Content-Transfer-Encoding: quoted-printable\r\n',
  'begin 644 a\r\n',
  '=ybegin line=1 size=1 name=a\r\n',
  '\xff\xfe',
  '\xef\xbb\xbf',
  "filename*0*=utf-8''%41;",
  '=?utf-8?B?QQ==?=',
];

const HELP = `npm run fuzz -- [--engines] [--minutes N] [--seed N]

Reads mail that is taken apart and put together at random, and checks what the reader promises of any bytes.
  --engines    files instead: damaged at random and given to the engines, which must end in a result or a clear failure
  --minutes N  how long (default 1; fractions are allowed)
  --seed N     another row of mails (default 1)
  --help       this text

A mail that breaks a promise is kept in test/hostile/finds, where the tests read it from then on. The exit code is 1 when there
was one. Ctrl-C ends the run early.
`;
const PROGRESS_EVERY_MS = 5_000;

interface Progress {
  read: number;
  finds: number;
  readonly kinds: Set<string>;
}

function summaryOf({ read, kinds, finds }: Progress): string {
  return `${read} read, ${kinds.size} kinds of reading, ${finds} finds`;
}

/** A number above zero. Throws TypeError for anything else. */
function positive(name: string, text: string): number {
  const value = Number(text);
  if (!(value > 0 && value < Number.POSITIVE_INFINITY)) throw new TypeError(`--${name} needs a number above zero`);
  return value;
}

/** Shows progress: on a terminal in one line, elsewhere in a line each time. It writes to stderr, so that stdout holds only results. */
function show(text: string): void {
  process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${text}` : `${text}\n`);
}

function clear(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
}

function keep(email: Buffer, broken: string): void {
  mkdirSync(FINDS, { recursive: true });
  const name = `${createHash('sha256').update(email).digest('hex').slice(0, 16)}.eml`;
  writeFileSync(new URL(name, FINDS), email);
  clear();
  process.stdout.write(`${name}: ${broken}\n`);
}

/** Reads mails until `isOver`. */
async function fuzz(below: Random, progress: Progress, isOver: () => boolean): Promise<void> {
  const corpus = [
    ...ORDINARY_MAIL.map(({ email }) => email),
    ...Array.from({ length: SEED_MAILS }, (_, number) => hostileMail(number).email),
    ...ATTACKS.map((attack) => attack.build(SMALL_ATTACK)),
  ];
  for (; !isOver(); progress.read++) {
    let email = corpus[below(corpus.length)] ?? Buffer.alloc(0);
    for (let change = below(6); change >= 0; change--)
      email = mutate(email, corpus, TOKENS, below).subarray(0, LARGEST);
    const { broken: unread, kind } = await brokenPromise(email);
    const broken = unread ?? (await brokenFlowPromise(email));
    if (broken !== null) {
      progress.finds++;
      keep(email, broken);
    } else if (!progress.kinds.has(kind)) {
      // Another set of warnings is another path through the reader: worth going on from.
      progress.kinds.add(kind);
      corpus.push(email);
    }
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      engines: { type: 'boolean', default: false },
      minutes: { type: 'string', default: '1' },
      seed: { type: 'string', default: '1' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const minutes = positive('minutes', values.minutes);
  const below = random(positive('seed', values.seed));
  const progress: Progress = { read: 0, finds: 0, kinds: new Set() };
  const started = performance.now();
  let [isStopped, shownAt] = [false, started];
  process.once('SIGINT', () => {
    isStopped = true;
  });
  const isOver = (): boolean => {
    const now = performance.now();
    if (now - shownAt > PROGRESS_EVERY_MS) {
      shownAt = now;
      show(`${((now - started) / 60_000).toFixed(1)} of ${minutes} minutes: ${summaryOf(progress)}`);
    }
    return isStopped || now - started >= minutes * 60_000;
  };
  if (values.engines) await fuzzEngines(below, progress, isOver);
  else await fuzz(below, progress, isOver);
  clear();
  process.stdout.write(`${summaryOf(progress)}\n`);
  process.exitCode = progress.finds === 0 ? 0 : 1;
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\nSee npm run fuzz -- --help\n`);
  process.exitCode = 2;
}
