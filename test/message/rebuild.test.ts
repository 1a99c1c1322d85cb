import { describe, expect, test } from 'vitest';
import { decodePart } from '../../lib/message/encodings/decode-part.ts';
import type { AddedHeader, Replacement } from '../../lib/message/model.ts';
import { readMessage } from '../../lib/message/reading/read.ts';
import { rebuildMessage } from '../../lib/message/rebuilding/rebuild.ts';
import { DEFAULT_LIMITS } from '../../lib/pipeline/limits.ts';
import { LINK_WORDS } from './link-words.ts';
import { lines, mail, multipart, PDF, PICTURE, TEXT } from './mail-builder.ts';
import { ORDINARY_MAIL } from './ordinary-mail.ts';

const read = (email: Uint8Array) => readMessage(email, DEFAULT_LIMITS);
const hashes = async (email: Uint8Array) => (await read(email)).parts.flatMap(({ sha256 }) => sha256 ?? []);
const withBytes = (text: string, more: Partial<Replacement> = {}): Replacement => ({
  type: 'text/plain',
  charset: 'utf-8',
  filename: null,
  isInline: true,
  method: null,
  keepContentId: false,
  bytes: Buffer.from(text),
  ...more,
});
const NO_LINKS = { isBlocked: () => false, limits: DEFAULT_LIMITS, words: LINK_WORDS };
const NOTICE = withBytes('Removed: it was not safe. Grüße\n');

async function rebuild(email: Uint8Array, replaced: Record<string, Replacement> = {}, headers: AddedHeader[] = []) {
  const replacements = new Map(Object.entries(replaced));
  const plan = { replacements, names: new Map(), links: NO_LINKS, headers };
  return Buffer.from(rebuildMessage(email, await read(email), plan).bytes);
}

async function leafAt(email: Uint8Array, path: string) {
  const part = (await read(email)).parts.find((candidate) => candidate.path === path);
  if (part === undefined) throw new Error(`no part ${path}`);
  return { part, text: Buffer.from(decodePart(email, part)).toString() };
}

describe('every ordinary shape', () => {
  test.each(ORDINARY_MAIL)('keeps its leaves when nothing is replaced: $name', async ({ email }) => {
    const rebuilt = await rebuild(email);
    expect(await hashes(rebuilt)).toEqual(await hashes(email));
    expect((await read(rebuilt)).warnings).toEqual([]);
  });

  test.each(ORDINARY_MAIL)('can have any leaf replaced, and no other changes: $name', async ({ email }) => {
    const { parts } = await read(email);
    const leaves = parts.filter(({ sha256 }) => sha256 !== null);
    for (const [index, { path }] of leaves.entries()) {
      const rebuilt = await rebuild(email, { [path]: NOTICE });
      const reading = await read(rebuilt);
      expect(reading.warnings).toEqual([]);
      expect(await hashes(rebuilt)).toEqual(
        (await hashes(email)).with(
          index,
          (await hashes(mail('Content-Type: text/plain', '', NOTICE.bytes.toString())))[0] as string,
        ),
      );
    }
  });
});

describe('bytes', () => {
  const email = mail(multipart('mixed', 'b', [TEXT, PDF]));

  test('stay unchanged when nothing is replaced or added', async () => expect(await rebuild(email)).toEqual(email));

  test('of untouched parts stay, encoded body and header', async () => {
    const rebuilt = (await rebuild(email, { '1.2': NOTICE })).toString();
    expect(rebuilt).toContain(`--b\r\n${TEXT}\r\n--b\r\nContent-Type: text/plain;\r\n charset=utf-8\r\n`);
    expect(rebuilt).not.toContain('report');
  });

  test('of a bare LF message get bare LF headers and lines', async () => {
    const bare = Buffer.from(email.toString().replaceAll('\r\n', '\n'));
    const long = withBytes('x'.repeat(500));
    expect((await rebuild(bare, { '1.2': long }, [{ name: 'X-Airlock-Run', value: 'r' }])).includes('\r')).toBe(false);
  });

  test('in base64 stand in lines of 76', async () => {
    const rebuilt = (await rebuild(email, { '1.2': withBytes('x'.repeat(500)) })).toString();
    const longest = Math.max(...rebuilt.split('\r\n').map((line) => line.length));
    expect(longest).toBe(76);
  });
});

describe('a message whose whole body is replaced', () => {
  const email = Buffer.from(
    lines(
      'From: a@example.com',
      'Subject: folded',
      '\ttwice',
      'Content-Type: text/html',
      'Content-Language: en',
      '',
      '<script>x</script>',
    ),
  );

  test('keeps its own headers, gets fresh Content-* headers and a MIME-Version', async () => {
    const rebuilt = (await rebuild(email, { '1': NOTICE })).toString();
    expect(rebuilt).toMatch(
      /^From: a@example.com\r\nSubject: folded\r\n\ttwice\r\nMIME-Version: 1.0\r\nContent-Type: text\/plain;/,
    );
    expect(rebuilt).not.toContain('Content-Language');
    expect((await leafAt(Buffer.from(rebuilt), '1')).text).toBe(NOTICE.bytes.toString());
  });

  test('inside another message keeps that message its headers', async () => {
    const outer = mail(multipart('mixed', 'b', [TEXT, `Content-Type: message/rfc822\r\n\r\n${email.toString()}`]));
    const rebuilt = (await rebuild(outer, { '1.2.1': NOTICE })).toString();
    expect(rebuilt).toContain('Subject: folded\r\n\ttwice\r\nMIME-Version: 1.0\r\nContent-Type: text/plain;');
    expect(rebuilt).not.toContain('script');
  });
});

describe('what is left out', () => {
  test('forged X-Airlock headers in upper or lower case; added ones stand on top', async () => {
    const email = mail(
      'x-airlock-verdict: benign',
      '\tfolded',
      'X-AIRLOCK-Run: 1',
      'Content-Type: text/plain',
      '',
      'x',
    );
    const added = [{ name: 'X-Airlock-Run', value: 'abc' }];
    for (const replaced of [{}, { '1': NOTICE }]) {
      const rebuilt = (await rebuild(email, replaced, added)).toString();
      expect(rebuilt.match(/x-airlock/gi)).toHaveLength(1);
      expect(rebuilt.startsWith('X-Airlock-Run: abc\r\nReturn-Path:')).toBe(true);
      expect(rebuilt).not.toContain('folded');
    }
  });

  test('forged X-Airlock headers at every nesting: of parts, and of messages in messages', async () => {
    const email = mail(
      'X-Airlock-Run: 1',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'X-Airlock-Outcome: delivered',
      'Content-Type: text/plain',
      '',
      'x',
      '--b',
      'X-Airlock-Summary: safe',
      'Content-Type: message/rfc822',
      '',
      'From: c@sender.example',
      'X-Airlock-Pass: 1; 0123456789abcdef0123456789abcdef',
      'Content-Type: message/rfc822',
      '',
      'Subject: inmost',
      'x-airlock-signature: valid',
      'Content-Type: text/plain',
      '',
      'y',
      '--b--',
      '',
    );
    const rebuilt = (await rebuild(email, {}, [])).toString();
    expect(rebuilt).toMatch(/^Subject: inmost\r?$/m);
    expect(rebuilt).not.toMatch(/x-airlock/i);
  });

  test('an mbox line', async () => {
    const email = Buffer.from('From a@example.com Fri Nov 20 2026\nFrom: a@example.com\n\nhello\n');
    expect((await rebuild(email)).toString()).toBe('From: a@example.com\n\nhello\n');
  });

  test('text in front of and behind the parts that is not only words, at every level', async () => {
    const inner = `${multipart('mixed', 'i', [TEXT], 'secret: one\r\n')}secret: two\r\n`;
    const email = Buffer.concat([
      mail(multipart('mixed', 'o', [inner, PDF], 'secret: three\r\n')),
      Buffer.from('secret: four\r\n'),
    ]);
    const rebuilt = await rebuild(email);
    expect(rebuilt.toString()).not.toContain('secret');
    expect(await hashes(rebuilt)).toEqual(await hashes(email));
    expect((await read(rebuilt)).warnings).toEqual([]);
  });
});

describe('nothing given breaks out of a header', () => {
  const email = mail(multipart('related', 'b', [TEXT, PICTURE]));
  const withName = async (filename: string) => {
    const rebuilt = await rebuild(email, {
      '1.2': withBytes('x', { filename, isInline: false, type: 'image/png', charset: null }),
    });
    return { rebuilt: rebuilt.toString('latin1'), names: (await leafAt(rebuilt, '1.2')).part.untrustedNames };
  };

  test.each([
    ['a line break', 'a\r\nX-Evil: 1\r\n\r\n<script>.png', 'aX-Evil: 1<script>.png'],
    ['quotes', 'a"; filename="b.exe', 'a"; filename="b.exe'],
    ['a backslash', 'a\\".png', 'a\\".png'],
    ['text turned around', 'invoice\u202Egnp.exe', 'invoicegnp.exe'],
    ['NUL and other control characters', 'a\0b\x07c\x85.png', 'abc.png'],
    ['line separators', 'a\u2028b\u2029.png', 'ab.png'],
    ['letters of other scripts', 'Grüße 報告.png', 'Grüße 報告.png'],
    ['an encoded word', '=?utf-8?Q?a=0D=0AX-Evil:_1?=', '=_utf-8?Q?a=0D=0AX-Evil:_1?='],
    ['percent signs', "utf-8''%0d%0a.png", "utf-8''%0d%0a.png"],
  ])('in a name: %s', async (_, filename, expected) => {
    const { rebuilt, names } = await withName(filename);
    expect(names).toEqual([expected]);
    expect(rebuilt).not.toMatch(/^X-Evil/im);
    expect(Math.max(...rebuilt.split('\r\n').map((line) => line.length))).toBeLessThan(100);
  });

  test('bounds an endless name', async () => {
    expect((await withName('é'.repeat(5_000))).names[0]?.length).toBe(200);
  });

  test('drops a name when no character of it is left', async () => expect((await withName('\r\n')).names).toEqual([]));

  test('in an added header', async () => {
    const rebuilt = await rebuild(email, {}, [
      { name: 'X-Airlock-Note', value: `a\r\nX-Evil: é\0${'b'.repeat(2_000)}` },
    ]);
    const [first = '', second] = rebuilt.toString('latin1').split('\r\n');
    expect(first).toMatch(/^X-Airlock-Note: a {2}X-Evil: \? b+$/);
    expect(first.length).toBeLessThan(998);
    expect(second).toBe('Return-Path: <ann@example.com>');
  });

  test('refuses an added header that is not X-Airlock, and a path that is no leaf', async () => {
    await expect(rebuild(email, {}, [{ name: 'Subject', value: 'x' }])).rejects.toThrow(TypeError);
    await expect(rebuild(email, { '1': NOTICE })).rejects.toThrow(TypeError);
    await expect(rebuild(email, { '1.9': NOTICE })).rejects.toThrow(TypeError);
  });

  test('in a type', async () => {
    const rebuilt = await rebuild(email, { '1.2': withBytes('x', { type: 'image/png\r\nX-Evil: 1' }) });
    expect((await leafAt(rebuilt, '1.2')).part.declaredType).toBe('application/octet-stream');
  });
});

describe('a Content-ID', () => {
  const kept = withBytes('x', { type: 'image/png', charset: null, filename: 'a.png', keepContentId: true });
  test.each([
    ['is kept when asked for', '<a.b$c@example.com>', true, 'a.b$c@example.com'],
    ['is dropped when not', '<a@example.com>', false, null],
    ['is dropped when it is not well formed', '<a"b>c@example.com>', true, null],
  ])('%s', async (_, id, keepContentId, expected) => {
    const part = lines('Content-Type: image/png', `Content-ID: ${id}`, '', 'x');
    const rebuilt = await rebuild(mail(multipart('related', 'b', [TEXT, part])), { '1.2': { ...kept, keepContentId } });
    expect((await leafAt(rebuilt, '1.2')).part.untrustedContentId).toBe(expected);
  });
});
