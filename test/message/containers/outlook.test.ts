import { describe, expect, test } from 'vitest';
import { fileCase } from '../../fixtures/cases.ts';
import { filesOf, openAs } from './containers.ts';
import { literalRtf, mapiProperties, msgOf, tnefOf } from './outlook.ts';

const SUBJECT = 0x8004;
const BODY = 0x800c;
const RENDER = 0x9002;
const TITLE = 0x8010;
const DATA = 0x800f;
const ATTACHMENT = 0x9005;
const MESSAGE = 0x9003;
const utf16 = (text: string) => Buffer.from(text, 'utf16le');

describe('TNEF (winmail.dat)', () => {
  test('holds bodies and attachments, with the long name first', async () => {
    const stream = tnefOf(
      [1, SUBJECT, 'Invoice\0'],
      [1, BODY, 'Dear Bob\0'],
      [
        1,
        MESSAGE,
        mapiProperties([0x1013, 0x102, Buffer.from('<p>Dear')], [0x1009, 0x102, literalRtf('{\\rtf1 Dear}')]),
      ],
      [2, RENDER, Buffer.alloc(14)],
      [2, TITLE, 'INVOIC~1.EXE\0'],
      [2, DATA, 'MZ one'],
      [2, ATTACHMENT, mapiProperties([0x3707, 0x1f, utf16('invoice.pdf.exe\0')])],
      [2, RENDER, Buffer.alloc(14)],
      [2, TITLE, 'two.txt\0'],
      [2, DATA, 'two'],
    );
    const found = await openAs(stream);
    expect([found.kind, found.outcome, found.untrustedTexts]).toEqual(['tnef', 'opened', ['Invoice']]);
    expect(filesOf(found)).toEqual([
      ['', 'Dear Bob'],
      ['', '<p>Dear'],
      ['', '{\\rtf1 Dear}'],
      ['invoice.pdf.exe', 'MZ one'],
      ['two.txt', 'two'],
    ]);
    expect(found.members[3]?.untrustedNames).toEqual(['invoice.pdf.exe', 'INVOIC~1.EXE']);
  });

  test('an attached message is found as the TNEF stream that it is', async () => {
    const inner = tnefOf([2, RENDER, Buffer.alloc(14)], [2, TITLE, 'deep.exe\0'], [2, DATA, 'MZ deep']);
    const object = Buffer.concat([Buffer.alloc(16, 7), inner]);
    const outer = tnefOf([2, RENDER, Buffer.alloc(14)], [2, ATTACHMENT, mapiProperties([0x3701, 0x0d, object])]);
    const [member] = (await openAs(outer)).members;
    expect(Buffer.from(member?.bytes ?? []).equals(inner)).toBe(true);
    expect(filesOf(await openAs(member?.bytes ?? ''))).toEqual([['deep.exe', 'MZ deep']]);
  });

  test('a stream that is cut off gives the members it holds, and is damaged', async () => {
    const stream = tnefOf([2, RENDER, Buffer.alloc(14)], [2, TITLE, 'a.exe\0'], [2, DATA, 'MZ payload']);
    const found = await openAs(stream.subarray(0, -6));
    expect([found.outcome, filesOf(found)]).toEqual(['damaged', [['a.exe', 'MZ pay']]]);
  });
});

describe('Outlook messages (.msg)', () => {
  const MSG = { detectedType: 'application/vnd.ms-outlook', untrustedNames: ['fwd.msg'] };

  test('hold bodies and attachments, of attached messages too', async () => {
    const bytes = msgOf({
      subject: 'Outer',
      body: 'Grüße',
      html: '<b>hi</b>',
      rtf: literalRtf('{\\rtf1}'),
      files: { 'räum.txt': 'small', 'big.bin': 'x'.repeat(9_000) },
      messages: [{ subject: 'Inner', body: 'in', files: { 'inner.exe': 'MZ' }, messages: [{ body: 'deepest' }] }],
    });
    const found = await openAs(bytes, MSG);
    expect([found.kind, found.outcome]).toEqual(['outlook-message', 'opened']);
    expect(
      new Map(filesOf(found).map(([name, content]) => [`${name}|${content.slice(0, 9)}`, content.length])),
    ).toEqual(
      new Map([
        [`|${Buffer.from('Grüße').toString('latin1')}`, 7],
        ['|<b>hi</b>', 9],
        ['|{\\rtf1}', 7],
        ['räum.txt|small', 5],
        ['big.bin|xxxxxxxxx', 9_000],
        ['|in', 2],
        ['inner.exe|MZ', 2],
        ['|deepest', 7],
      ]),
    );
    expect(found.untrustedTexts).toEqual(expect.arrayContaining(['Outer', 'Inner']));
  });

  test('with false tables are damaged, and the reading ends', async () => {
    const bytes = msgOf({ body: 'x', files: { 'a.txt': 'y'.repeat(5_000) } });
    for (const at of [44, 48, 60, 68, 76, 512, 516, 1_024]) {
      const broken = Buffer.from(bytes);
      broken.writeUInt32LE(1, at);
      const { kind, outcome } = await openAs(broken, MSG);
      expect([kind, ['opened', 'damaged', 'over_budget'].includes(outcome)]).toEqual(['outlook-message', true]);
    }
    expect((await openAs(bytes.subarray(0, 700), MSG)).outcome).toBe('damaged');
  });

  test('a compound file of another kind is not opened', async () => {
    expect((await openAs(msgOf({ body: 'x' }), { detectedType: 'application/msword' })).kind).toBeNull();
  });
});

test.each([
  ['winmail.dat', {}],
  ['message.msg', { detectedType: 'application/vnd.ms-outlook' }],
])('%s holds its text and its document', async (name, claims) => {
  const found = await openAs(fileCase(name), claims);
  expect(found.outcome).toBe('opened');
  expect(found.members.some(({ role }) => role === 'body')).toBe(true);
  expect(filesOf(found).map(([file]) => file)).toContain('invoice.docm');
});
