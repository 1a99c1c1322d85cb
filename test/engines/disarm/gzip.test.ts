import { execFileSync } from 'node:child_process';
import { deflateRawSync, gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { buildGzip, buildTwoFaced } from '../../fixtures/build-gzip.ts';
import { buildDocm } from '../../fixtures/build-office.ts';
import { zipOf } from '../zip-fixture.ts';
import { zipMembers } from './contents.ts';
import { disarmed, refusalCode } from './run-disarm.ts';

const XML = '<?xml version="1.0"?>\n<feedback><row><source_ip>192.0.2.1</source_ip></row></feedback>\n';
const contentOf = (bytes: Uint8Array) => gunzipSync(bytes).toString();

describe('a gzip of one harmless file stays byte for byte', () => {
  test.each([
    ['of zlib', 'report.xml.gz', gzipSync(XML)],
    ['with the time and the name that gzip writes', 'report.xml.gz', buildGzip(XML, { name: 'report.xml' })],
    ['with the name of a temporary file', 'a!b!1.xml.gz', buildGzip(XML, { name: 'tmp-4711.xml' })],
    ['of a table', 'table.csv.gz', gzipSync('a,b\r\n1,2\r\n')],
    ['of a log', 'app.log.gz', gzipSync('10:00 started\n10:01 stopped\n')],
    ['of settings', 'deploy.yaml.gz', gzipSync('a: 1\n')],
    ['of nothing', 'empty.txt.gz', gzipSync('')],
  ])('%s', async (_, name, bytes) => {
    const result = await disarmed(bytes, name);
    expect(result).toMatchObject({ outcome: 'already_safe', extension: 'gz', kinds: [] });
    expect(Buffer.from(result.bytes).equals(bytes)).toBe(true);
  });

  test.each(['-1', '-2', '-3', '-4', '-5', '-6', '-7', '-8', '-9'])(
    'as the program gzip %s writes it',
    async (level) => {
      const rows = Array.from(
        { length: 300 },
        (_, row) => `<row><ip>192.0.2.${row % 250}</ip><n>${(row * row) % 977}</n></row>`,
      );
      const bytes = execFileSync('gzip', ['-c', level], {
        input: `<?xml version="1.0"?>\n<feedback>${rows.join('\n')}</feedback>\n`,
      });
      expect(await disarmed(bytes, 'report.xml.gz')).toMatchObject({ outcome: 'already_safe' });
    },
  );
});

describe('a gzip that could hold more is packed anew', () => {
  const comment = { comment: 'LIVE' };
  test.each([
    ['a comment', buildGzip(XML, comment)],
    ['a further field', buildGzip(XML, { extra: Buffer.from('LIVE') })],
    ['a name of another kind', buildGzip(XML, { name: 'LIVE.js' })],
    ['a name with a path', buildGzip(XML, { name: '../LIVE.xml' })],
    ['a name that begins with a point', buildGzip(XML, { name: '.LIVE.xml' })],
    ['a second stream', Buffer.concat([gzipSync(XML.slice(0, 40)), gzipSync(XML.slice(40))])],
  ])('%s', async (_, bytes) => {
    const result = await disarmed(bytes, 'report.xml.gz');
    expect(result).toMatchObject({ outcome: 'disarmed', extension: 'gz' });
    expect(contentOf(result.bytes)).toBe(XML);
    expect(Buffer.from(result.bytes).toString('latin1')).not.toContain('LIVE');
    expect(await disarmed(result.bytes, 'report.xml.gz')).toMatchObject({ outcome: 'already_safe' });
  });

  test('letters whose packed bytes are the beginning of another archive', async () => {
    const { gzip, text } = buildTwoFaced(Buffer.from('Rar!\x1a\x07\x01\0', 'latin1'));
    expect(contentOf(gzip)).toBe(text);
    expect(gzip.includes('Rar!')).toBe(true);
    const { outcome, bytes } = await disarmed(gzip, 'letters.txt.gz');
    expect([outcome, contentOf(bytes), Buffer.from(bytes).includes('Rar!')]).toEqual(['disarmed', text, false]);
  });

  test.each([
    ['a script of a shell', '#!/bin/sh\nid\n'],
    ['a file in letters', 'begin 644 a.exe'],
  ])('letters whose packed bytes are %s', async (_, hidden) => {
    const { gzip, text } = buildTwoFaced(Buffer.from(hidden));
    expect(gzip.includes(hidden)).toBe(true);
    const { outcome, bytes } = await disarmed(gzip, 'letters.txt.gz');
    expect([outcome, contentOf(bytes), Buffer.from(bytes).includes(hidden)]).toEqual(['disarmed', text, false]);
  });

  test('empty blocks between which bytes are hidden', async () => {
    const empty = Buffer.from([0xf8, 0, 0, 0xff, 0xff]);
    const stream = Buffer.concat([...Array.from({ length: 40 }, () => empty), deflateRawSync(XML)]);
    const bytes = buildGzip(XML, { stream });
    expect(contentOf(bytes)).toBe(XML);
    const result = await disarmed(bytes, 'report.xml.gz');
    expect([result.outcome, contentOf(result.bytes), Buffer.from(result.bytes).includes(empty)]).toEqual([
      'disarmed',
      XML,
      false,
    ]);
  });

  test('a text that quotes a header, and is not compressed', async () => {
    const bytes = gzipSync('A PDF begins with %PDF-1.7 and a line.\n', { level: 0 });
    const result = await disarmed(bytes, 'note.txt.gz');
    expect([result.outcome, contentOf(result.bytes)]).toEqual(['disarmed', contentOf(bytes)]);
  });
});

describe('what is in it is disarmed by its own type', () => {
  test('a formula', async () => {
    const { bytes, extension, kinds } = await disarmed(gzipSync('a,b\n=1,2\n'), 'report.csv.gz');
    expect([extension, contentOf(bytes), kinds]).toEqual(['gz', "a,b\n'=1,2\n", ['formula']]);
  });

  test('a document that needs another name comes in a zip, and so does a file whose name says nothing', async () => {
    const macro = await disarmed(gzipSync(await buildDocm()), 'invoice.docm.gz');
    expect([macro.extension, [...zipMembers(macro.bytes).keys()]]).toEqual(['zip', ['invoice.docx']]);
    const unnamed = await disarmed(gzipSync('hello\n'), 'hello.gz');
    expect([...zipMembers(unnamed.bytes).keys()]).toEqual(['hello.txt']);
    const strange = await disarmed(gzipSync('hello\n'), 'hello.strange.gz');
    expect([...zipMembers(strange.bytes).keys()]).toEqual(['hello.strange.txt']);
  });

  test.each([
    ['a program', 'setup.exe.gz', `MZ\0${'x'.repeat(100)}`],
    ['code', 'run.js.gz', 'alert(1)'],
    ['code called a text', 'run.txt.gz', `MZ\0${'x'.repeat(100)}`],
  ])('%s goes, and a text in a zip says so', async (_, name, content) => {
    const { bytes, extension } = await disarmed(gzipSync(content), name);
    const [[note = '', text] = []] = [...zipMembers(bytes)];
    expect([extension, note]).toEqual(['zip', `${name.slice(0, -3)} (removed).txt`]);
    expect(Buffer.from(text ?? '').toString()).toContain('was removed');
  });

  test('one in a zip stays in it', async () => {
    const inner = gzipSync(XML);
    const { bytes } = await disarmed(zipOf({ 'report.xml.gz': { content: inner }, 'run.js': 'x' }), 'a.zip');
    const members = zipMembers(bytes);
    expect([...members.keys()]).toEqual(['report.xml.gz', 'run.js (removed).txt']);
    expect(Buffer.from(members.get('report.xml.gz') ?? '').equals(inner)).toBe(true);
  });
});

test.each([
  ['bytes behind it', buildGzip(XML, { behind: 'LIVE' }), /^unreadable$/],
  ['a wrong checksum', Buffer.concat([gzipSync(XML).subarray(0, -8), Buffer.alloc(8)]), /^unreadable$/],
  ['a stream that breaks off', gzipSync(XML).subarray(0, 40), /^unreadable$/],
])('%s: it is refused', async (_, bytes, code) => {
  expect(await refusalCode(bytes, 'report.xml.gz')).toMatch(code);
});
