import { describe, expect, test } from 'vitest';
import { filesOf, openAs } from './containers.ts';

function uuencoded(name: string, content: string): string {
  const lines = content.match(/[\s\S]{1,45}/g) ?? [];
  const digit = (value: number) => String.fromCharCode(value === 0 ? 0x60 : value + 0x20);
  const encode = (line: string) => {
    const bytes = Buffer.from(line, 'latin1');
    let out = digit(bytes.length);
    for (let at = 0; at < bytes.length; at += 3) {
      const group = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
      for (const shift of [18, 12, 6, 0]) out += digit((group >> shift) & 0x3f);
    }
    return out;
  };
  return [`begin 644 ${name}`, ...lines.map(encode), '`', 'end', ''].join('\n');
}

function yencoded(name: string, content: string): string {
  const escaped = [...Buffer.from(content, 'latin1')].map((byte) => {
    const out = (byte + 42) & 0xff;
    return [0, 10, 13, 61].includes(out) ? `=${String.fromCharCode((out + 64) & 0xff)}` : String.fromCharCode(out);
  });
  return `=ybegin line=128 size=${content.length} name=${name}\r\n${escaped.join('')}\r\n=yend size=${content.length}\r\n`;
}

const TEXT = { detectedType: 'text/plain', declaredType: 'text/plain', role: 'body' } as const;
const EVERY_BYTE = String.fromCharCode(...Array.from({ length: 256 }, (_, byte) => byte));

describe('files written into a text', () => {
  test('uuencode, several files in one text, with every byte value', async () => {
    const text = `Hello\n\n${uuencoded('a b.exe', EVERY_BYTE)}\nand\n${uuencoded('second.js', 'alert(1)')}bye`;
    const found = await openAs(text, TEXT);
    expect([found.kind, filesOf(found)]).toEqual([
      'encoded-block',
      [
        ['a b.exe', EVERY_BYTE],
        ['second.js', 'alert(1)'],
      ],
    ]);
  });

  test('uuencode with anything behind the digits of each line, which programs pass over', async () => {
    const lines = uuencoded('a.exe', EVERY_BYTE).split('\n');
    const others = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte)).filter(
      (one) => !/[\r\n]/.test(one),
    );
    for (const tail of [...others, 'x'.repeat(3), ' junk', '!'.repeat(100)]) {
      const text = lines.map((line, at) => (at > 0 && at < lines.length - 3 ? line + tail : line)).join('\n');
      expect(filesOf(await openAs(text, TEXT)), JSON.stringify(tail)).toContainEqual(['a.exe', EVERY_BYTE]);
    }
  });

  const wrongDigits = (text: string) =>
    text.replace(
      /^(?!begin|end|`)(.)(.*)$/gm,
      (_, count: string, digits: string) =>
        count + digits.replace(/[!-?]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0x40)),
    );

  test('uuencode with digits that no program writes and tolerant programs read', async () => {
    const text = wrongDigits(uuencoded('a.exe', EVERY_BYTE));
    expect(text).toMatch(/[a-z]{9}/);
    expect(filesOf(await openAs(text, TEXT))).toEqual([['a.exe', EVERY_BYTE]]);
    expect(filesOf(await openAs(text.replace(/^(?!begin|end|`)(.+)$/gm, '$1 and more'), TEXT))).toEqual([
      ['a.exe', EVERY_BYTE],
    ]);
  });

  test('the base64 form of uuencode with other characters between its digits', async () => {
    const digits = Buffer.from('MZ hidden').toString('base64').replace(/./g, '$& ');
    expect(filesOf(await openAs(`begin-base64 644 x.exe\n${digits}\n====\n`, TEXT))).toContainEqual([
      'x.exe',
      'MZ hidden',
    ]);
  });

  test.each([
    'begin 644 of them\nAnd then we went on to speak about the letters of the year before that one.\nend\n',
    'begin 2027 and end\n#1 is what we do first, and then we look at all the others.\n',
    'begin 0700 at St. Pancras\nAnd then we went on to speak about the letters of the year before that one.\n',
  ])('no file in sentences of people: %j', async (text) => {
    expect((await openAs(text, TEXT)).kind).toBeNull();
  });

  test('the base64 form of uuencode', async () => {
    const text = `begin-base64 644 x.bin\r\n${Buffer.from('MZ hidden').toString('base64')}\r\n====\r\n`;
    expect(filesOf(await openAs(text, TEXT))).toEqual([['x.bin', 'MZ hidden']]);
  });

  test('yEnc, with every byte value', async () => {
    expect(filesOf(await openAs(`Hi\r\n${yencoded('y.exe', EVERY_BYTE)}`, TEXT))).toEqual([['y.exe', EVERY_BYTE]]);
  });

  test('a block without an end reaches to the end of the text', async () => {
    const cut = uuencoded('a.exe', 'MZ payload').replace(/`\nend\n/, '');
    expect(filesOf(await openAs(cut, TEXT))).toEqual([['a.exe', 'MZ payload']]);
  });

  test('a damaged file is found up to the damage, and without the damaged lines', async () => {
    const content = 'MZ '.repeat(60);
    const [first, ...rest] = uuencoded('a.exe', content).split(/(?<=^begin.*\n.*\n)/s);
    const damaged = `${first}- no data -\nand none here\n${rest.join('')}`;
    expect(filesOf(await openAs(damaged, TEXT))).toEqual([
      ['a.exe', content.slice(0, 45)],
      ['a.exe', content],
    ]);
  });

  test('a text that the reader of its message has searched is not opened again, unless it holds more files than the limit', async () => {
    const files = (count: number) => Array.from({ length: count }, (_, at) => uuencoded(`${at}.txt`, 'x')).join('');
    const read = { ...TEXT, wasRead: true, limits: { containerMembers: 1_000 } };
    expect((await openAs(files(100), read)).kind).toBeNull();
    const found = await openAs(files(101), read);
    expect([found.kind, found.outcome]).toEqual(['encoded-block', 'over_budget']);
  });

  test.each([
    ['a sentence', 'begin 644 files are what we sent you last week, as discussed\nRegards'],
    ['a word in a line', 'we begin 644 x\nM0000'],
    ['code', 'begin\n  x := 1;\nend.'],
  ])('%s is no file', async (_, text) => {
    expect((await openAs(text, TEXT)).kind).toBeNull();
  });

  test('a text of begin lines is read only in part, and is reported', async () => {
    const found = await openAs('\rbegin '.repeat(300_000), TEXT);
    expect([found.kind, found.outcome]).toEqual(['encoded-block', 'over_budget']);
  });

  test('more files than are looked at', async () => {
    const text = Array.from({ length: 12 }, (_, at) => uuencoded(`${at}.txt`, 'x')).join('');
    const found = await openAs(text, { ...TEXT, limits: { containerMembers: 11 } });
    expect([found.outcome, found.members.length]).toEqual(['over_budget', 11]);
  });

  test('is said of each file: its name, and nothing else', async () => {
    const { members, outcome, detail } = await openAs(uuencoded('a.exe', 'MZ'), TEXT);
    expect([outcome, detail]).toEqual(['opened', '']);
    expect(members).toEqual([
      {
        path: '1',
        untrustedNames: ['a.exe'],
        declaredType: 'application/octet-stream',
        charset: null,
        role: 'attachment',
        bytes: Buffer.from('MZ'),
      },
    ]);
  });

  test.each(['\n', '\r', '\r\n'])('begins at the start of a line behind %j', async (end) => {
    const block = uuencoded('a.exe', 'MZ').replaceAll('\n', end === '\r' ? '\r\n' : end);
    expect((await openAs(`words${end}${block}`, TEXT)).kind).toBe('encoded-block');
    expect((await openAs(`words${end}${yencoded('a.exe', 'MZ')}`, TEXT)).kind).toBe('encoded-block');
    expect((await openAs(`words ${yencoded('a.exe', 'MZ')}`, TEXT)).kind).toBeNull();
  });

  test('BinHex, which has no begin line, is opened where the reader of the message did not', async () => {
    const head = '(This file must be converted with BinHex 4.0)\r\n\r\n:';
    expect((await openAs(`${head}$f*TEQKPH#jdCA0d!*!%!3!-J\r\n:`, { ...TEXT, wasRead: true })).kind).toBeNull();
  });
});
