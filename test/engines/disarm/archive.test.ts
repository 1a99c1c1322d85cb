import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { buildDocm, buildZip } from '../../fixtures/build-office.ts';
import { packed } from '../../formats/archives/archives.ts';
import { zipOf } from '../zip-fixture.ts';
import { everyLayer, zipMembers } from './contents.ts';
import { disarmed, refusalCode } from './run-disarm.ts';

const REPORT = 'REMOVED FILES.txt';
const names = (bytes: Uint8Array) => [...zipMembers(bytes).keys()];
/** The name and the text of the last member. */
const lastOf = (bytes: Uint8Array) => {
  const [name, content] = [...zipMembers(bytes)].at(-1) ?? [];
  return { name, text: Buffer.from(content ?? '').toString('utf8') };
};

/** A tar (POSIX ustar) of files and links. */
function tarOf(entries: readonly { name: string; content?: string; type?: string; link?: string }[]): Buffer {
  const blocks = entries.flatMap(({ name, content = '', type = '0', link = '' }) => {
    const header = Buffer.alloc(512);
    header.write(name, 0);
    header.write('0000644\0', 100);
    header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
    header.write('00000000000\0        ', 136);
    header.write(type, 156);
    header.write(link, 157);
    header.write('ustar\x0000', 257);
    header.write(
      `${header
        .reduce((sum, byte) => sum + byte, 0)
        .toString(8)
        .padStart(6, '0')}\0 `,
      148,
    );
    const data = Buffer.alloc(Math.ceil(content.length / 512) * 512);
    data.write(content);
    return [header, data];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1_024)]);
}

test('a table in an archive is read as a table, even when it looks like something else', async () => {
  const zip = zipOf({ 't.csv': `[\r\n"=cmd|' /C LIVE'!A0"\r\n,1]`, 'u.csv': "1,2,3;-2+3+cmd|' /C calc'!A0,4" });
  const members = zipMembers((await disarmed(zip, 'a.zip')).bytes);
  expect(Buffer.from(members.get('t.csv') ?? '').toString()).toBe('[\r\ncommand removed\r\n,1]');
  expect(Buffer.from(members.get('u.csv') ?? '').toString()).toBe("1,2,3;'-2+3+cmd|' /C calc'!A0,4");
});

test('an archive whose first file is a stored PDF is read as an archive', async () => {
  const tar = tarOf([
    { name: 'a.pdf', content: '%PDF-1.4\n1 0 obj\n<<>>\nendobj\n' },
    { name: 'readme.txt', content: 'KEEP' },
  ]);
  const { bytes, extension } = await disarmed(tar, 'a.tar');
  expect([extension, names(bytes)]).toEqual(['zip', ['readme.txt', 'a.pdf (removed).txt']]);
});

describe('zip', () => {
  test('members are disarmed and renamed after their types, and the folders stay', async () => {
    const zip = zipOf({
      'docs/invoice.docm': { content: await buildDocm() },
      'docs/table.csv': '=1+1,2\n',
      'readme.TXT': 'hello',
      notes: 'plain',
    });
    const { bytes, kinds, extension } = await disarmed(zip, 'a.zip');
    expect([extension, names(bytes)]).toEqual([
      'zip',
      ['docs/invoice.docx', 'docs/table.csv', 'readme.TXT', 'notes.txt'],
    ]);
    expect(Buffer.from(zipMembers(bytes).get('docs/table.csv') ?? '').toString()).toBe("'=1+1,2\n");
    expect(kinds).toEqual(expect.arrayContaining(['macro', 'formula']));
    expect(await disarmed(bytes, 'a.zip')).toMatchObject({ outcome: 'already_safe' });
  });

  test.each([
    ['a program', { 'a.exe': `MZ\0${'x'.repeat(100)}` }, /a\.exe.* was removed[\s\S]*program/],
    ['a text called a program', { 'a.com': 'X5O' }, /a\[\.\]com.* was removed[\s\S]*its name makes/],
    ['a program called a text', { 'a.txt': `\x7fELF${'x'.repeat(100)}\0` }, /a\.txt.* was removed[\s\S]*program/],
    ['a script', { 'run.js': 'x' }, /run\.js.* was removed[\s\S]*JavaScript/],
    ['a path out of the archive', { '../LIVE.txt': 'x' }, /misleading name - its name leads out/],
    ['a path out of the archive with backslashes', { '..\\LIVE.txt': 'x' }, /leads out/],
    ['an absolute path', { '/etc/LIVE': 'x' }, /absolute/],
    ['a drive', { 'C:\\LIVE.txt': 'x' }, /absolute/],
    ['a device', { 'con.txt': 'x' }, /device/],
    ['settings of a folder', { 'desktop.ini': 'x' }, /whole folder/],
    ['settings of a folder below, with a dot behind them', { 'a/Desktop.INI. ': 'x' }, /whole folder/],
    ['a folder with such a name', { 'folder.htt/a.txt': 'x' }, /whole folder/],
    ['settings of a folder of KDE', { '.directory': 'x' }, /whole folder/],
    ['a name that shows as another', { 'LIVE\u202etxt.exe': 'x' }, /invisible/],
    ['an extension behind blanks', { 'LIVE.pdf        .exe': 'x' }, /behind blanks/],
    ['a link', { link: { content: '/etc/passwd', unixMode: 0o120777 } }, /link.* was removed[\s\S]*it is a link/],
    ['a device node', { node: { content: '', unixMode: 0o060644 } }, /node.* was removed[\s\S]*it is a link/],
  ] as const)('%s is left out, and a text says so', async (_, members, sentence) => {
    const { bytes } = await disarmed(zipOf({ 'ok.txt': 'ok', ...members }), 'a.zip');
    const { name, text } = lastOf(bytes);
    const isMisleading = text.includes('misleading name');
    expect(names(bytes)).toEqual(['ok.txt', isMisleading ? REPORT : `${Object.keys(members)[0]} (removed).txt`]);
    expect(text).toMatch(sentence);
    expect(`${name} ${text}`).not.toContain('LIVE');
    expect(await disarmed(bytes, 'a.zip')).toMatchObject({ outcome: 'already_safe' });
  });

  test('the text stands in the folder of the file, and takes the name of no other file', async () => {
    const { bytes } = await disarmed(zipOf({ 'a/x.js (removed).txt': 'mine', 'a/x.js': 'x' }), 'a.zip');
    expect(names(bytes)).toEqual(['a/x.js (removed).txt', 'a/x.js (removed) (2).txt']);
    expect(Buffer.from(zipMembers(bytes).get('a/x.js (removed).txt') ?? '').toString()).toBe('mine');
  });

  test('of very many files that are left out, a few get a text and one list names the others', async () => {
    const programs = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`${index}.js`, 'x']));
    const { bytes } = await disarmed(zipOf({ 'ok.txt': 'ok', ...programs }), 'a.zip');
    expect(names(bytes)).toHaveLength(22);
    expect(lastOf(bytes).text).toContain('and 80 more');
  });

  test('two files with the same name are both kept under two names', async () => {
    const zip = await buildZip([
      ['a.txt', 'one'],
      ['A.TXT', 'two'],
    ]);
    expect(names((await disarmed(zip, 'a.zip')).bytes)).toEqual(['a.txt', 'A (2).TXT']);
  });

  test('bytes before, between and behind the members are removed', async () => {
    const zip = Buffer.concat([zipOf({ 'a.txt': 'x' }), Buffer.from('LIVE')]);
    expect((await disarmed(zip, 'a.zip')).text).not.toContain('LIVE');
  });

  test('archives and messages within archives are disarmed at every depth', async () => {
    const mail =
      'From: a@a.example\r\nSubject: x\r\nTo: b@a.example\r\nContent-Type: text/html\r\n\r\n<p>deep</p><script>LIVE</script>';
    const inner = zipOf({ 'm.eml': mail, 'x.js': 'LIVE' });
    const { bytes } = await disarmed(
      zipOf({
        'inner.zip': { content: inner },
        't.tar.gz': {
          content: gzipSync(
            tarOf([
              { name: 'b.vbs', content: 'LIVE' },
              { name: 'c.txt', content: 'kept' },
            ]),
          ),
        },
      }),
      'a.zip',
    );
    const layers = await everyLayer(bytes, 'zip');
    expect(names(bytes)).toEqual(['inner.zip', 't.tar.zip']);
    for (const kept of ['deep', 'kept']) expect(layers).toContain(kept);
    expect(layers).not.toContain('LIVE');
  });
});

describe('bombs and damage are refused in time', () => {
  const refused = async (bytes: Uint8Array, name: string, limits = {}) => {
    return refusalCode(bytes, name, { limits });
  };
  const zeros = '\0'.repeat(8 * 1024 * 1024);

  test('a member that expands a thousand times', async () => {
    expect(await refused(zipOf({ 'a.txt': zeros }), 'a.zip', { ratio: 500 })).toBe('oversize');
  });
  test('a member that lies about its size', async () => {
    const zip = zipOf({ 'a.txt': { content: zeros, claimedSize: 10 } });
    expect(await refused(zip, 'a.zip', { inflatedBytes: 1024 * 1024 })).toMatch(/^(oversize|unreadable)$/);
  });
  test('too many members', async () => {
    const members = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`${index}.txt`, 'x']));
    expect(await refused(zipOf(members), 'a.zip', { entries: 50 })).toBe('oversize');
  });
  test('too many members on all levels together', async () => {
    const level = (content: Uint8Array) =>
      zipOf(Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`${index}.zip`, { content }])));
    const bomb = level(level(level(zipOf({ 'a.txt': 'x', 'b.txt': 'x' }))));
    expect(await refused(bomb, 'a.zip', { entries: 200 })).toBe('oversize');
  });
  test('too many bytes on all levels together', async () => {
    const inner = zipOf({ 'a.txt': 'random-ish text '.repeat(40_000) });
    const members = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`${index}.zip`, { content: inner }]));
    expect(await refused(zipOf(members), 'a.zip', { inflatedBytes: 4 * 1024 * 1024 })).toBe('oversize');
  });
  test('archives nested deeper than the limit', async () => {
    let zip = zipOf({ 'a.txt': 'x' });
    for (let depth = 0; depth < 12; depth++) zip = zipOf({ 'a.zip': { content: zip } });
    expect(await refused(zip, 'a.zip')).toBe('oversize');
  });
  test('a gzip that expands without end', async () => {
    expect(await refused(gzipSync(Buffer.alloc(64 * 1024 * 1024)), 'a.gz', { inflatedBytes: 1024 * 1024 })).toBe(
      'oversize',
    );
  });
  test('a gzip that lies about its size', async () => {
    const gzip = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    gzip.writeUInt32LE(10, gzip.length - 4);
    expect(await refused(gzip, 'a.gz', { inflatedBytes: 1024 * 1024 })).toMatch(/^(oversize|unreadable)$/);
  });
  test.each(['7z', 'rar', 'xz', 'bz2', 'gz'])('a damaged %s', async (name) => {
    const magic: Record<string, string> = {
      '7z': '7z\xbc\xaf\x27\x1c\0\x04',
      rar: 'Rar!\x1a\x07\x01\0',
      xz: '\xfd7zXZ\0',
      bz2: 'BZh91AY&SY',
      gz: '\x1f\x8b\x08\0',
    };
    const bytes = Buffer.concat([Buffer.from(magic[name] ?? '', 'latin1'), Buffer.alloc(200, 7)]);
    expect(await refused(bytes, `a.${name}`)).toMatch(/^(unreadable|oversize|encrypted)$/);
  });
});

describe('other archives', () => {
  test('a tar becomes a zip without links and without paths that lead out of it', async () => {
    const tar = tarOf([
      { name: 'docs/a.txt', content: 'kept' },
      { name: 'docs/link', type: '2', link: '/etc/passwd' },
      { name: '../LIVE.js', content: 'LIVE' },
    ]);
    const { bytes, extension } = await disarmed(tar, 'a.tar');
    expect(extension).toBe('zip');
    expect(names(bytes)).toEqual(expect.arrayContaining(['docs/a.txt', 'docs/link (removed).txt']));
    expect(await everyLayer(bytes, 'zip')).not.toContain('passwd');
  });

  test('a tar.gz is one archive, and a bzip2 of one file gives that file its own name', async () => {
    const tgz = gzipSync(tarOf([{ name: 'a.txt', content: 'kept' }]));
    expect(names((await disarmed(tgz, 'a.tgz')).bytes)).toEqual(['a.txt']);
    const single = await disarmed(await packed('bzip2', { 'x.csv': 'a,b\n=1,2\n' }), 'report.csv.bz2');
    expect(names(single.bytes)).toEqual(['report.csv']);
    expect(Buffer.from(zipMembers(single.bytes).get('report.csv') ?? '').toString()).toBe("a,b\n'=1,2\n");
  });

  test('unpacking does not change the exit code of the process', async () => {
    const before = process.exitCode;
    await refusalCode(Buffer.from('7z\xbc\xaf\x27\x1c'.padEnd(200, 'x'), 'latin1'), 'a.7z');
    expect(process.exitCode).toBe(before);
  });
});
