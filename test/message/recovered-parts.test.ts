import { describe, expect, test } from 'vitest';
import { decodePart } from '../../lib/message/encodings/decode-part.ts';
import { readMessage } from '../../lib/message/reading/read.ts';
import { RecoveredPartsError, rebuildMessage } from '../../lib/message/rebuilding/rebuild.ts';
import { DEFAULT_LIMITS } from '../../lib/pipeline/limits.ts';
import { LINK_WORDS } from './link-words.ts';
import { base64, lines, mail, multipart, PDF, TEXT } from './mail-builder.ts';

const SECRET = `MZ not really a program, only bytes in its place: ${'0123456789'.repeat(12)}`;
const FILE = lines('Content-Type: application/x; name=a.exe', 'Content-Transfer-Encoding: base64', '', base64(SECRET));
const NO_LINKS = { isBlocked: () => false, limits: DEFAULT_LIMITS, words: LINK_WORDS };
const read = (email: Buffer) => readMessage(email, DEFAULT_LIMITS);

async function leafWith(email: Buffer, content = SECRET) {
  const { parts, warnings } = await read(email);
  const leaf = parts.find(
    (part) => part.sha256 !== null && Buffer.from(decodePart(email, part)).toString('latin1') === content,
  );
  return { leaf, codes: warnings.map(({ code }) => code) };
}

describe('a leaf outside of the tree', () => {
  const email = Buffer.concat([mail(multipart('mixed', 'b', [TEXT])), Buffer.from(`--b\r\n${FILE}\r\n--b--\r\n`)]);

  test('has a path below the part it was found in, its names, the reading that found it, and its bytes', async () => {
    const { leaf, codes } = await leafWith(email);
    expect(leaf).toMatchObject({
      path: '1~1',
      parent: '1',
      depth: 1,
      role: 'attachment',
      readings: ['recovery'],
      untrustedNames: ['a.exe'],
      size: SECRET.length,
    });
    expect(codes).toEqual(expect.arrayContaining(['text_outside_parts', 'part_recovered']));
  });

  test('makes a rebuild impossible', async () => {
    const reading = await read(email);
    const rebuild = () =>
      rebuildMessage(email, reading, { replacements: new Map(), names: new Map(), links: NO_LINKS, headers: [] });
    expect(rebuild).toThrow(RecoveredPartsError);
  });
});

describe('a file is found', () => {
  const part = (...header: readonly string[]) => mail(multipart('mixed', 'b', [TEXT, lines(...header)]));
  const body = base64(SECRET);
  const uuencoded = 'begin 644 a.exe\r\n#0V%T\r\n`\r\nend';
  test.each([
    ['behind a second label', part('Content-Transfer-Encoding: 7bit', 'Content-Transfer-Encoding: base64', '', body)],
    ['under a label that lies', part('Content-Type: a/b; name=x', 'Content-Transfer-Encoding: 8bit', '', body)],
    ['under a label in quotes', part('Content-Transfer-Encoding: "base64"', '', body)],
    ['under a list of labels', part('Content-Transfer-Encoding: 7bit, base64', '', body)],
    ['without a blank line', part('Content-Type: a/b; name=x', 'Content-Transfer-Encoding: base64', body)],
    ['behind a line of blanks', part('Content-Transfer-Encoding: base64', ' ', body)],
    ['without a boundary', mail('Content-Type: multipart/mixed', '', '--x', TEXT, '--x', FILE, '--x--')],
    [
      'with bare CRs',
      Buffer.from(
        mail(multipart('mixed', 'b', [TEXT, FILE]))
          .toString()
          .replaceAll('\r\n', '\r'),
      ),
    ],
    ['in UTF-16', Buffer.from(`\ufeff${mail(multipart('mixed', 'b', [TEXT, FILE])).toString()}`, 'utf16le')],
    ['behind blank lines', Buffer.concat([Buffer.from('\r\n\r\n'), mail(multipart('mixed', 'b', [TEXT, FILE]))])],
    ['in a multipart in base64', mail(encoded(multipart('mixed', 'b', [TEXT, FILE])))],
    ['in front of the first boundary', mail(multipart('mixed', 'b', [TEXT], `--c\r\n${FILE}\r\n--c--\r\n`))],
  ])('%s', async (_, email) => expect((await leafWith(email)).leaf).toBeDefined());

  test.each([
    ['uuencoded in a text', mail('', 'see', uuencoded, '')],
    ['uuencoded in a quoted-printable text', mail('Content-Transfer-Encoding: quoted-printable', '', uuencoded, '')],
    ['under a uuencode label', part('Content-Type: a/b', 'Content-Transfer-Encoding: x-uuencode', '', uuencoded)],
    [
      'uuencoded behind the last boundary',
      Buffer.concat([mail(multipart('mixed', 'b', [TEXT, PDF])), Buffer.from(uuencoded)]),
    ],
    ['as begin-base64', mail('', 'begin-base64 644 a.exe', 'Q2F0', '====', '')],
    ['as yEnc', mail('', '=ybegin line=128 size=3 name=a.exe', '\x6d\x8b\x9e', '=yend size=3', '').toString('utf8')],
  ])('%s', async (_, email) => {
    const bytes = typeof email === 'string' ? Buffer.from(email, 'latin1') : email;
    expect((await leafWith(bytes, 'Cat')).leaf).toBeDefined();
  });
});

describe('a uuencoded program whose zeros are spaces is found', () => {
  // A program begins with runs of zeros, so that its lines end in spaces.
  const zeros = Buffer.alloc(40).toString('latin1');
  const program = `MZ\x90${zeros}PE${zeros}${zeros}code${zeros}${zeros}`;
  const uuencoded = uuencodedLines(Buffer.from(program, 'latin1'));
  const cut = uuencoded.map((line) => line.trimEnd());
  test.each([
    ['as written', ['begin 644 a.exe', ...uuencoded, '`', 'end']],
    ['with the ends of its lines cut', ['begin 644 a.exe', ...cut, '`', 'end']],
    ['without a mode and a name', ['begin', ...uuencoded, '`', 'end']],
    ['without an end', ['begin 644 a.exe', ...uuencoded]],
    ['behind quotation marks', ['begin 644 a.exe', ...uuencoded, '`', 'end'].map((line) => `> ${line}`)],
  ])('%s', async (_, file) => {
    const { leaf, codes } = await leafWith(mail('', 'see', '', ...file, ''), program);
    expect(leaf).toBeDefined();
    expect(codes).toContain('hidden_file');
  });
});

test.each([
  ['begin 2027 and end', '2030. IT IS LONG.'],
  ['begin 644 of the list', 'and not before'],
  ['begin', 'MEETING AT NOON'],
])('a sentence that begins like a uuencoded file is no file: %s', async (...sentence) => {
  const { warnings, parts } = await read(mail('', 'The work will', ...sentence, '', 'Ana'));
  expect(warnings).toEqual([]);
  expect(parts).toHaveLength(1);
});

function uuencodedLines(bytes: Buffer): string[] {
  const digit = (value: number) => String.fromCharCode(0x20 + value);
  const lineOf = (piece: Buffer) =>
    digit(piece.length) +
    Array.from({ length: Math.ceil(piece.length / 3) }, (_, group) => {
      const value = ((piece[group * 3] ?? 0) << 16) | ((piece[group * 3 + 1] ?? 0) << 8) | (piece[group * 3 + 2] ?? 0);
      return [18, 12, 6, 0].map((shift) => digit((value >> shift) & 0x3f)).join('');
    }).join('');
  return Array.from({ length: Math.ceil(bytes.length / 45) }, (_, at) => lineOf(bytes.subarray(at * 45, at * 45 + 45)));
}

function encoded(entity: string): string {
  const [header = '', ...rest] = entity.split('\r\n\r\n');
  return `${header}\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64(rest.join('\r\n\r\n'))}`;
}

describe('malformed base64 is listed in every way that programs decode it:', () => {
  const first = Buffer.from('first part, as long as it likes').toString('base64');
  const contents = async (body: string) => {
    const email = mail('Content-Type: a/b; name=x', 'Content-Transfer-Encoding: base64', '', body);
    const { parts } = await read(email);
    return parts.map((part) => Buffer.from(decodePart(email, part)).toString('latin1'));
  };

  test('text after the padding is read on, or left out', async () => {
    expect(await contents(`${first}\r\nQUJD`)).toEqual(
      expect.arrayContaining(['first part, as long as it likesABC', 'first part, as long as it likes']),
    );
  });

  test('URL-safe digits are digits, or junk', async () => {
    const safe = Buffer.from('??>>??>>').toString('base64url');
    expect(await contents(safe)).toContain('??>>??>>');
  });

  test('a line of other text is letters, or left out', async () => {
    expect(await contents(`This is not base64!\r\n${first}`)).toContain('first part, as long as it likes');
  });
});
