import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodePart } from '../../lib/message/encodings/decode-part.ts';
import type { MessageReading, Replacement } from '../../lib/message/model.ts';
import { readMessage } from '../../lib/message/reading/read.ts';
import { RecoveredPartsError, rebuildMessage } from '../../lib/message/rebuilding/rebuild.ts';
import { DEFAULT_LIMITS } from '../../lib/pipeline/limits.ts';
import { hostileMail } from '../hostile/compose.ts';
import { roundsOf } from '../hostile/share.ts';
import { LINK_WORDS } from './link-words.ts';
import { base64 } from './mail-builder.ts';

const NO_LINKS = { isBlocked: () => false, limits: DEFAULT_LIMITS, words: LINK_WORDS };
const read = (email: Uint8Array) => readMessage(email, DEFAULT_LIMITS);
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const hashes = (reading: MessageReading) => reading.parts.flatMap(({ sha256 }) => sha256 ?? []);

/** Pieces that mail is made of, in any order: far more of them reach the odd paths than random bytes would. */
const PIECES = [
  '\r\n',
  '\n',
  '\r',
  '\r\n\r\n',
  '\n\n',
  ' ',
  '\t',
  '\0',
  'x',
  ': ',
  ';',
  '"',
  '(',
  '=',
  '=41',
  '=\r\n',
  '\xff\xfe',
  'From: a@example.com\r\n',
  'From a\r\n',
  'Subject: =?utf-8?B?eA==?=\r\n',
  'X-Airlock-Run: 1\r\n',
  'MIME-Version: 1.0\r\n',
  'Content-Type: multipart/mixed; boundary=a\r\n',
  'Content-Type: multipart/mixed; boundary="b"\r\n',
  'Content-Type: multipart/digest; boundary=a\r\n',
  'Content-Type: message/rfc822\r\n',
  'Content-Type: text/html\r\n',
  'Content-Type:',
  'Content-Disposition: attachment; filename*0*=utf-8\'\'%41; filename*1="b"\r\n',
  'Content-Transfer-Encoding: base64\r\n',
  'Content-Transfer-Encoding: quoted-printable\r\n',
  'Content-ID: <a@b>\r\n',
  '--a\r\n',
  '--a--\r\n',
  '\r\n--b\r\n',
  '\r\n--b--',
  '--a',
  '--b ',
  'QUJD',
  'QUI=\r\n',
  'begin 644 a\r\n',
  'hello\r\n',
];
const soup = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 40 })
  .map((pieces) => Buffer.from(pieces.join(''), 'latin1'));

describe('any bytes', () => {
  const checkReading = async (email: Uint8Array) => {
    const reading = await read(email);
    expect(reading.parts.length).toBeGreaterThan(0);
    let last = 0;
    for (const { header, body, sha256 } of reading.parts.filter((part) => part.recovered === null)) {
      expect(header.start).toBeGreaterThanOrEqual(last);
      expect(header.end).toBeGreaterThanOrEqual(header.start);
      expect(body.start).toBe(header.end);
      expect(body.end).toBeGreaterThanOrEqual(body.start);
      expect(body.end).toBeLessThanOrEqual(email.length);
      last = sha256 === null ? header.end : body.end;
    }
    expect(reading.warnings.map(({ code }) => code)).not.toContain('unaccounted_bytes');
    const { headers, bodies, boundariesAndOutside, unaccounted } = reading.account;
    expect(headers + bodies + boundariesAndOutside + unaccounted).toBe(email.length);
    expect(new Set(reading.parts.map(({ path }) => path)).size).toBe(reading.parts.length);
    for (const part of reading.parts.filter(({ sha256 }) => sha256 !== null)) {
      const bytes = decodePart(email, part);
      expect({ sha256: hashOf(bytes), size: bytes.length }).toEqual({ sha256: part.sha256, size: part.size });
    }
  };

  test('are read without an exception, into ordered parts that account for every byte', async () => {
    await fc.assert(fc.asyncProperty(soup, checkReading), { numRuns: roundsOf(1_500) });
    await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), checkReading), { numRuns: roundsOf(200) });
  });

  test('give the same reading in pieces of any size', async () => {
    const hostile = fc.nat(5_000).map((number) => hostileMail(number).email);
    const sizes = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 12 });
    const check = async (email: Buffer, pieces: readonly number[]) => {
      let next = 0;
      const inPieces = await readMessage(email, DEFAULT_LIMITS, () => pieces[next++ % pieces.length] ?? 1);
      expect(inPieces).toEqual(await read(email));
    };
    await fc.assert(fc.asyncProperty(fc.oneof(soup, hostile), sizes, check), { numRuns: roundsOf(150) });
  });

  test('are rebuilt without an exception, or refused because of a part outside of the tree', async () => {
    const check = async (email: Buffer) => {
      const reading = await read(email);
      const leaves = reading.parts.filter(({ sha256 }) => sha256 !== null);
      const replacements = new Map(leaves.map(({ path }) => [path, text('x')]));
      const rebuild = () =>
        rebuildMessage(email, reading, { replacements, names: new Map(), links: NO_LINKS, headers: [] });
      if (reading.parts.some(({ recovered }) => recovered !== null)) expect(rebuild).toThrow(RecoveredPartsError);
      else rebuild();
    };
    await fc.assert(fc.asyncProperty(soup, check), { numRuns: roundsOf(500) });
  });
});

const text = (content: string): Replacement => ({
  type: 'text/plain',
  charset: 'utf-8',
  filename: 'notice.txt',
  isInline: false,
  method: null,
  keepContentId: false,
  bytes: Buffer.from(content),
});

interface Tree {
  readonly kind: 'leaf' | 'multipart' | 'message';
  readonly content: string;
  readonly encoding: 'none' | 'base64';
  readonly children: readonly Tree[];
}

const content = fc.stringMatching(/^[ -~]{0,80}(\r?\n[a-z -]{0,40}){0,3}$/).map((line) => line.replace(/^begin/gm, ''));
const leaf = fc.record({
  kind: fc.constant('leaf' as const),
  content,
  encoding: fc.constantFrom('none' as const, 'base64' as const),
  children: fc.constant<readonly Tree[]>([]),
});
const treeOf = (depth: number): fc.Arbitrary<Tree> =>
  depth === 0
    ? leaf
    : fc.oneof(
        leaf,
        fc.record({
          kind: fc.constantFrom('multipart' as const, 'message' as const),
          content: fc.constant(''),
          encoding: fc.constant('none' as const),
          children: fc.array(treeOf(depth - 1), { minLength: 1, maxLength: 3 }),
        }),
      );

/** Well-formed MIME of a tree; boundaries are the path, so no two are the same. */
function written({ kind, content, encoding, children }: Tree, path: string): string {
  const first = children[0];
  if (kind === 'message' && first !== undefined)
    return `Content-Type: message/rfc822\r\n\r\nSubject: in\r\n${written(first, `${path}m`)}`;
  if (kind === 'multipart') {
    const parts = children.map((child, at) => `--=_${path}\r\n${written(child, `${path}${at}`)}\r\n`);
    return `Content-Type: multipart/mixed; boundary="=_${path}"\r\n\r\n${parts.join('')}--=_${path}--\r\n`;
  }
  if (encoding === 'none') return `Content-Type: text/plain\r\n\r\n${content}`;
  return `Content-Type: image/png; name=a.png\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64(content)}`;
}

describe('any well-formed message', () => {
  const email = treeOf(4).map((root) => Buffer.from(`From: a@example.com\r\n${written(root, 'p')}`));

  test('is read alike by both readings, without a warning', async () => {
    const check = async (bytes: Buffer) => {
      expect((await read(bytes)).warnings).toEqual([]);
    };
    await fc.assert(fc.asyncProperty(email, check), { numRuns: roundsOf(300) });
  });

  test('rebuilt with some leaves replaced has exactly the leaves it should', async () => {
    const check = async (bytes: Buffer, picks: readonly boolean[]) => {
      const reading = await read(bytes);
      const notice = hashes(await read(Buffer.from('Subject: x\r\n\r\nnotice')))[0];
      const leaves = reading.parts.filter(({ sha256 }) => sha256 !== null);
      const picked = leaves.filter((_, at) => picks[at % picks.length]);
      const replacements = new Map(picked.map(({ path }) => [path, text('notice')]));
      const rebuilt = await read(
        rebuildMessage(bytes, reading, {
          replacements,
          names: new Map(),
          links: NO_LINKS,
          headers: [{ name: 'X-Airlock-Run', value: 'r' }],
        }).bytes,
      );
      expect(rebuilt.warnings).toEqual([]);
      expect(hashes(rebuilt)).toEqual(leaves.map((leaf) => (picked.includes(leaf) ? notice : leaf.sha256)));
    };
    await fc.assert(fc.asyncProperty(email, fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }), check), {
      numRuns: roundsOf(200),
    });
  });
});
