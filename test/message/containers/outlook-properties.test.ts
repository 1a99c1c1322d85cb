/** Each property of an Outlook message and of TNEF that holds a text, a name or a file, alone. */
import CFB from 'cfb';
import { describe, expect, test } from 'vitest';
import { type Claims, openAs } from './containers.ts';
import { literalRtf, mapiProperties, msgOf, type OutlookMail, type Property, tnefOf } from './outlook.ts';

const utf16 = (text: string) => Buffer.from(text, 'utf16le');
/** More than is looked at is said, and not cut off. */
const OVER = { outcome: 'over_budget', members: [] };
const MSG: Claims = { detectedType: 'application/vnd.ms-outlook' };

/** A compound file of streams by their paths. */
function storageOf(streams: Readonly<Record<string, Uint8Array | string>>): Buffer {
  const file = CFB.utils.cfb_new();
  for (const [path, content] of Object.entries(streams))
    CFB.utils.cfb_add(file, `/${path}`, Buffer.from(content as string, 'latin1'));
  // The library adds a stream of its own, which it cannot leave out.
  return Buffer.from(CFB.write(file, { type: 'buffer' }) as Uint8Array);
}

/** Everything that is said of the members, with their bytes as text. */
async function membersOf(bytes: Uint8Array, claims: Claims = MSG) {
  const { members } = await openAs(bytes, claims);
  return members.map(({ bytes: content, path: _, ...rest }) => ({
    ...rest,
    text: Buffer.from(content).toString('utf8'),
  }));
}
const body = (declaredType: string, text: string) => ({
  untrustedNames: [],
  declaredType,
  charset: null,
  role: 'body',
  text,
});
const attached = (untrustedNames: string[], text: string, declaredType = 'application/octet-stream') => ({
  untrustedNames,
  declaredType,
  charset: null,
  role: 'attachment',
  text,
});

describe('an Outlook message', () => {
  test.each(['a.msg', 'A.OFT '])('may be called %j', async (name) => {
    expect((await openAs(msgOf({}), { untrustedNames: ['a.txt', name] })).kind).toBe('outlook-message');
  });
  test.each(['a.msg.txt', 'amsg'])('is not called %j', async (name) => {
    expect((await openAs(msgOf({}), { untrustedNames: [name] })).kind).toBeNull();
  });
  test('is a compound file', async () => {
    expect((await openAs(msgOf({}).fill(0, 7, 8), MSG)).kind).toBeNull();
    const { outcome, members } = await openAs(Buffer.from('d0cf11e0a1b11ae1', 'hex'), MSG);
    expect([outcome, members]).toEqual(['damaged', []]);
  });

  test.each([
    ['1000001F', utf16('Grüße €'), body('text/plain', 'Grüße €')],
    ['1000001E', 'plain words', body('text/plain', 'plain words')],
    ['10130102', '<b>hi</b>', body('text/html', '<b>hi</b>')],
    ['1013001E', '<b>hi</b>', body('text/html', '<b>hi</b>')],
    ['10090102', literalRtf('{\\rtf1 hi}'), attached([], '{\\rtf1 hi}', 'application/rtf')],
  ])('has a text in %s', async (tag, content, member) => {
    expect(await membersOf(storageOf({ [`__substg1.0_${tag}`]: content }))).toEqual([member]);
  });

  test('has the text of each kind once: the one in Unicode, and the page in bytes', async () => {
    const streams = { '1000001F': utf16('new'), '1000001E': 'old', '10130102': '<i>', '1013001E': '<b>' };
    const named = Object.fromEntries(Object.entries(streams).map(([tag, text]) => [`__substg1.0_${tag}`, text]));
    expect(await membersOf(storageOf(named))).toEqual([body('text/plain', 'new'), body('text/html', '<i>')]);
  });

  test.each([
    ['0037001F', utf16('Grüße\0rest')],
    ['0037001E', 'Gr\xfc\xdfe\0rest'],
  ])('has its subject in %s', async (tag, content) => {
    const { untrustedTexts } = await openAs(storageOf({ [`__substg1.0_${tag}`]: content }), MSG);
    expect(untrustedTexts).toEqual(['Grüße']);
  });

  test('has a subject of at most a thousand characters', async () => {
    const { untrustedTexts } = await openAs(storageOf({ '__substg1.0_0037001F': utf16('a'.repeat(1_001)) }), MSG);
    expect(untrustedTexts).toEqual(['a'.repeat(1_000)]);
  });

  const ATTACHMENT = '__attach_version1.0_#00000000/__substg1.0_';
  const attachment = (streams: Readonly<Record<string, Uint8Array | string>>) =>
    storageOf(Object.fromEntries(Object.entries(streams).map(([tag, text]) => [ATTACHMENT + tag, text])));

  test.each(['3707001F', '3704001F', '3001001F'])('has files with their names: %s', async (tag) => {
    expect(await membersOf(attachment({ [tag]: utf16('a.exe'), '37010102': 'MZ' }))).toEqual([
      attached(['a.exe'], 'MZ'),
    ]);
  });

  test('has every name of a file once, the long one first', async () => {
    const names = { '3001001F': utf16('a.exe'), '3704001E': 'A~1.EXE', '3707001F': utf16('a.exe'), '37010102': 'MZ' };
    expect(await membersOf(attachment(names))).toEqual([attached(['a.exe', 'A~1.EXE'], 'MZ')]);
    expect(await membersOf(attachment({ '3707001F': utf16('\0'), '37010102': 'MZ' }))).toEqual([attached([], 'MZ')]);
  });

  test('has the declared type of a file, in small letters', async () => {
    expect(await membersOf(attachment({ '370E001F': utf16('Text/HTML'), '37010102': '<p>' }))).toEqual([
      attached([], '<p>', 'text/html'),
    ]);
  });

  test('has the streams of an object of another program', async () => {
    const object = '__attach_version1.0_#00000000/__substg1.0_3701000D/';
    const found = await membersOf(storageOf({ [`${object}CONTENTS`]: 'MZ one', [`${object}Package`]: 'MZ two' }));
    expect(found).toEqual(expect.arrayContaining([attached(['CONTENTS'], 'MZ one'), attached(['Package'], 'MZ two')]));
    expect(found).toHaveLength(2);
  });

  const nested = (levels: number): OutlookMail =>
    levels === 0 ? { body: 'deepest' } : { messages: [nested(levels - 1)] };

  test('is read 16 messages deep', async () => {
    expect(await openAs(msgOf(nested(16)), MSG)).toMatchObject({ outcome: 'opened', members: [{}] });
    expect(await openAs(msgOf(nested(17)), MSG)).toMatchObject({ outcome: 'over_budget', members: [] });
  });

  test('is read up to the limits for members and for one file', async () => {
    const files = msgOf({ body: 'x', files: { a: '1', b: '2', c: '3' }, messages: [{ body: 'y' }] });
    const first = await openAs(files, { ...MSG, limits: { containerMembers: 3 } });
    expect([first.outcome, first.members.length]).toEqual(['over_budget', 3]);
    expect(await openAs(files, { ...MSG, limits: { containerMembers: 5 } })).toMatchObject({ outcome: 'opened' });
    const rtf = msgOf({ rtf: literalRtf('{\\rtf1 abc}') });
    expect(await openAs(rtf, { ...MSG, limits: { memberBytes: 11 } })).toMatchObject({
      outcome: 'opened',
      members: [{}],
    });
    expect(await openAs(rtf, { ...MSG, limits: { memberBytes: 10 } })).toMatchObject(OVER);
  });
});

describe('TNEF', () => {
  const RENDER = [2, 0x9002, Buffer.alloc(14)] as const;
  const message = (...properties: readonly Property[]) => tnefOf([1, 0x9003, mapiProperties(...properties)]);
  const file = (...properties: readonly Property[]) => tnefOf(RENDER, [2, 0x9005, mapiProperties(...properties)]);

  test.each([
    ['the attribute', tnefOf([1, 0x800c, 'words\0']), body('text/plain', 'words')],
    ['the attribute, without its NUL', tnefOf([1, 0x800c, 'words']), body('text/plain', 'words')],
    ['the property in Unicode', message([0x1000, 0x1f, utf16('Grüße')]), body('text/plain', 'Grüße')],
    ['the property in bytes', message([0x1000, 0x1e, Buffer.from('words')]), body('text/plain', 'words')],
    ['the page', message([0x1013, 0x102, Buffer.from('<p>')]), body('text/html', '<p>')],
    ['rich text', message([0x1009, 0x102, literalRtf('{\\rtf1}')]), attached([], '{\\rtf1}', 'application/rtf')],
  ])('has a text in %s', async (_, bytes, member) => {
    expect(await membersOf(bytes)).toEqual([member]);
  });

  test.each([
    ['the attribute', tnefOf([1, 0x8004, 'Hello\0'])],
    ['the property', message([0x0037, 0x1f, utf16('Hello\0')])],
  ])('has its subject in %s', async (_, bytes) => {
    expect(await openAs(bytes)).toMatchObject({
      outcome: 'opened',
      detail: '',
      untrustedTexts: ['Hello'],
      members: [],
    });
  });

  test.each([
    ['the attributes', tnefOf(RENDER, [2, 0x8010, 'a.exe\0'], [2, 0x800f, 'MZ'])],
    ['the attributes without a beginning', tnefOf([2, 0x8010, 'a.exe\0'], [2, 0x800f, 'MZ'])],
    ['the properties', file([0x3707, 0x1f, utf16('a.exe\0')], [0x3701, 0x102, Buffer.from('MZ')])],
    ['the short name', file([0x3704, 0x1e, Buffer.from('a.exe\0')], [0x3701, 0x102, Buffer.from('MZ')])],
  ])('has a file in %s', async (_, bytes) => {
    expect(await membersOf(bytes)).toEqual([attached(['a.exe'], 'MZ')]);
  });

  test('has the declared type of a file, in small letters, and no empty name', async () => {
    const bytes = file(
      [0x370e, 0x1e, Buffer.from('Text/HTML\0')],
      [0x3707, 0x1e, Buffer.from('\0')],
      [0x3701, 0x102, Buffer.from('<p>')],
    );
    expect(await membersOf(bytes)).toEqual([attached([], '<p>', 'text/html')]);
  });

  test('has every name of a file once', async () => {
    const bytes = tnefOf(
      RENDER,
      [2, 0x8010, 'a.exe\0'],
      [2, 0x9005, mapiProperties([0x3707, 0x1e, Buffer.from('a.exe\0')])],
      [2, 0x800f, 'MZ'],
    );
    expect(await membersOf(bytes)).toEqual([attached(['a.exe'], 'MZ')]);
  });

  test('has a file for each beginning of one, also an empty one, and none without data', async () => {
    const bytes = tnefOf(RENDER, [2, 0x8010, 'a\0'], RENDER, [2, 0x800f, ''], RENDER, [2, 0x800f, 'b']);
    expect(await membersOf(bytes)).toEqual([attached([], ''), attached([], 'b')]);
  });

  test('is read up to the limit for one file', async () => {
    const bytes = message([0x1009, 0x102, literalRtf('{\\rtf1 abc}')]);
    expect(await openAs(bytes, { limits: { memberBytes: 11 } })).toMatchObject({ outcome: 'opened', members: [{}] });
    expect(await openAs(bytes, { limits: { memberBytes: 10 } })).toMatchObject(OVER);
  });

  test('that ends in the middle of an attribute is damaged', async () => {
    const bytes = tnefOf([1, 0x800c, 'words']);
    expect((await openAs(bytes.subarray(0, -3))).outcome).toBe('damaged');
    // Only the checksum is missing, which no program needs.
    expect((await openAs(bytes.subarray(0, -2))).outcome).toBe('opened');
  });
});
