/**
 * `npx tsx test/hostile/fuzz.ts --minutes N [--seed N]`: takes hostile and ordinary mail apart and puts it together in ways
 * nobody thought of, and reads the result. A mail that breaks a promise of the reader is written to test/hostile/finds, where
 * a test reads it from then on.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ORDINARY_MAIL } from '../message/ordinary-mail.ts';
import { ATTACKS } from './attacks.ts';
import { hostileMail } from './compose.ts';
import { brokenPromise } from './promises.ts';

const FINDS = new URL('./finds/', import.meta.url);
const SEED_MAILS = 400;
const SMALL_ATTACK = 20_000;
const LARGEST = 200_000;
/** Bytes and lines that readers trip over. */
const TOKENS = [
  ...[
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
  ],
  ...['Content-Type: multipart/mixed; boundary=fooBar\r\n', 'Content-Type: message/rfc822\r\n', 'boundary='],
  ...['Content-Transfer-Encoding: base64\r\n', 'Content-Transfer-Encoding: quoted-printable\r\n', 'begin 644 a\r\n'],
  ...['=ybegin line=1 size=1 name=a\r\n', '\xff\xfe', '\xef\xbb\xbf', "filename*0*=utf-8''%41;", '=?utf-8?B?QQ==?='],
];

type Random = (below: number) => number;

function random(seed: number): Random {
  let state = seed | 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % Math.max(1, below);
  };
}

/** One change: a token put in, bytes taken out, doubled or flipped, or the tail of another mail. */
function mutate(email: Buffer, corpus: readonly Buffer[], below: Random): Buffer {
  const at = below(email.length);
  const length = below(below(2) === 0 ? 8 : 400);
  const head = email.subarray(0, at);
  const rest = email.subarray(at + length);
  switch (below(6)) {
    case 0:
      return Buffer.concat([head, Buffer.from(TOKENS[below(TOKENS.length)] ?? '', 'latin1'), email.subarray(at)]);
    case 1:
      return Buffer.concat([head, rest]);
    case 2:
      return Buffer.concat([email.subarray(0, at + length), email.subarray(at)]);
    case 3: {
      const other = corpus[below(corpus.length)] ?? email;
      return Buffer.concat([head, other.subarray(below(other.length))]);
    }
    case 4: {
      const copy = Buffer.from(email);
      if (copy.length > 0) copy[at] = below(256);
      return copy;
    }
    default:
      return Buffer.concat([head, Buffer.from(TOKENS[below(TOKENS.length)] ?? '', 'latin1'), rest]);
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { minutes: { type: 'string', default: '1' }, seed: { type: 'string', default: '1' } },
  });
  const minutes = Number(values.minutes);
  if (!(minutes > 0)) throw new TypeError('--minutes needs a number above zero');
  const below = random(Number(values.seed));
  const corpus = [
    ...ORDINARY_MAIL.map(({ email }) => email),
    ...Array.from({ length: SEED_MAILS }, (_, number) => hostileMail(number).email),
    ...ATTACKS.map((attack) => attack.build(SMALL_ATTACK)),
  ];
  const kinds = new Set<string>();
  const deadline = performance.now() + minutes * 60_000;
  let mails = 0;
  let finds = 0;
  for (; performance.now() < deadline; mails++) {
    let email = corpus[below(corpus.length)] ?? Buffer.alloc(0);
    for (let change = below(6); change >= 0; change--) email = mutate(email, corpus, below).subarray(0, LARGEST);
    const { broken, kind } = await brokenPromise(email);
    if (broken !== null) {
      finds++;
      mkdirSync(FINDS, { recursive: true });
      const name = `${createHash('sha256').update(email).digest('hex').slice(0, 16)}.eml`;
      writeFileSync(new URL(name, FINDS), email);
      process.stdout.write(`${name}: ${broken}\n`);
    } else if (!kinds.has(kind)) {
      // Another set of warnings is another path through the reader: worth going on from.
      kinds.add(kind);
      corpus.push(email);
    }
  }
  process.stdout.write(`${mails} mails, ${kinds.size} kinds of reading, ${finds} finds\n`);
  process.exitCode = finds === 0 ? 0 : 1;
}

await main();
