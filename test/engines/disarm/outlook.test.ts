import { createRequire } from 'node:module';
import { simpleParser } from 'mailparser';
import { describe, expect, test } from 'vitest';
import { inflateRtf } from '../../../lib/engines/disarm/rtf/compressed.ts';
import { buildDocm } from '../../fixtures/build-office.ts';
import { buildTnef, mapiProperties, tnefAttribute, zeroEnded } from '../../fixtures/build-tnef.ts';
import { everyLayer } from './contents.ts';
import { disarmed, refusalCode } from './run-disarm.ts';

type CompoundLibrary = typeof import('cfb');
const compound = createRequire(import.meta.url)('cfb') as CompoundLibrary;

/** An Outlook message with streams of the given paths. Missing property streams are added. */
function msgOf(streams: Readonly<Record<string, string | Uint8Array>>): Buffer {
  const file = compound.utils.cfb_new();
  const add = (path: string, content: Uint8Array) => compound.utils.cfb_add(file, `/${path}`, Buffer.from(content));
  for (const [path, content] of Object.entries(streams)) {
    add(path, typeof content === 'string' ? Buffer.from(content, 'utf16le') : content);
  }
  return Buffer.from(compound.write(file, { type: 'buffer' }) as Buffer);
}

/** A property stream: header, then id and value of 32-bit properties. */
function fixed(headerBytes: number, values: Readonly<Record<number, number>> = {}): Buffer {
  const entries = Object.entries(values).map(([id, value]) => {
    const entry = Buffer.alloc(16);
    entry.writeUInt16LE(3, 0);
    entry.writeUInt16LE(Number(id), 2);
    entry.writeInt32LE(value, 8);
    return entry;
  });
  return Buffer.concat([Buffer.alloc(headerBytes), ...entries]);
}

const text = (id: string) => `__substg1.0_${id}001F`;

describe('MSG', () => {
  test('carries over people, subject, texts and attachments, and disarms them', async () => {
    const msg = msgOf({
      '__properties_version1.0': fixed(32),
      [text('0037')]: 'Grüße, and more',
      [text('0C1A')]: 'Jörg',
      [text('5D01')]: 'joerg@a.example',
      [text('1000')]: 'Plain text',
      '__substg1.0_10130102': Buffer.from('<p>HTML text</p><script>LIVE</script>'),
      '__recip_version1.0_#00000000/__properties_version1.0': fixed(8, { 3093: 1 }),
      [`__recip_version1.0_#00000000/${text('3001')}`]: 'Bob, B.',
      [`__recip_version1.0_#00000000/${text('39FE')}`]: 'bob@a.example',
      '__recip_version1.0_#00000001/__properties_version1.0': fixed(8, { 3093: 2 }),
      [`__recip_version1.0_#00000001/${text('39FE')}`]: 'cc@a.example',
      '__attach_version1.0_#00000000/__properties_version1.0': fixed(8),
      [`__attach_version1.0_#00000000/${text('3707')}`]: 'invoice.docm',
      '__attach_version1.0_#00000000/__substg1.0_37010102': await buildDocm(),
      '__attach_version1.0_#00000001/__properties_version1.0': fixed(8),
      [`__attach_version1.0_#00000001/${text('3707')}`]: 'run.exe',
      '__attach_version1.0_#00000001/__substg1.0_37010102': Buffer.from('MZ\0LIVE'),
    });
    const { bytes, extension } = await disarmed(msg, 'a.msg');
    expect(extension).toBe('eml');
    const read = await simpleParser(Buffer.from(bytes));
    expect([read.subject, read.from?.value[0]]).toEqual([
      'Grüße, and more',
      { name: 'Jörg', address: 'joerg@a.example' },
    ]);
    expect(JSON.stringify([read.to, read.cc])).toMatch(/Bob, B\..*bob@a\.example.*cc@a\.example/);
    expect(read.text).toContain('Plain text');
    expect(read.text).toContain('"run.exe" was removed');
    expect(read.html).toContain('HTML text');
    expect(read.attachments.map(({ filename }) => filename)).toEqual(['invoice.docx']);
    expect(await everyLayer(bytes, 'eml')).not.toContain('LIVE');
  });

  test('a message within the message comes out as a message', async () => {
    const inner = '__attach_version1.0_#00000000/__substg1.0_3701000D';
    const msg = msgOf({
      '__properties_version1.0': fixed(32),
      [text('0037')]: 'Outer',
      '__attach_version1.0_#00000000/__properties_version1.0': fixed(8, { 14085: 5 }),
      [`${inner}/__properties_version1.0`]: fixed(24),
      [`${inner}/${text('0037')}`]: 'Inner',
      [`${inner}/${text('1000')}`]: 'Inner text',
    });
    const { bytes, text: raw } = await disarmed(msg, 'a.msg');
    expect(raw).toMatch(/Subject: Outer[\s\S]*Content-Type: message\/rfc822[\s\S]*Subject: Inner[\s\S]*Inner text/);
    expect(await disarmed(bytes, 'a.eml')).toMatchObject({ outcome: 'already_safe' });
  });

  test('a page in a message within the message keeps the style sheet that Word gave it', async () => {
    const inner = '__attach_version1.0_#00000000/__substg1.0_3701000D';
    const sheet = 'p.MsoNormal, li.MsoNormal\n\t{margin:0cm;\n\tfont-size:11.0pt;}\na:link\n\t{color:#0563C1;}';
    const msg = msgOf({
      '__properties_version1.0': fixed(32),
      '__attach_version1.0_#00000000/__properties_version1.0': fixed(8, { 14085: 5 }),
      [`${inner}/__properties_version1.0`]: fixed(24),
      [`${inner}/__substg1.0_10130102`]: Buffer.from(
        `<html><head><style><!--\n${sheet}\n--></style></head><body><p class=MsoNormal>Inner</p></body></html>`,
      ),
    });
    const { text: raw } = await disarmed(msg, 'a.msg');
    expect(raw).toContain('p.MsoNormal, li.MsoNormal { margin: 0cm; font-size: 11.0pt }');
  });

  test('one that Outlook saved before anything was written in it comes out empty', async () => {
    const rich = Buffer.from('{\\rtf1\\ansi\\deff0{\\fonttbl{\\f0 Arial;}}\\pard\\par}', 'latin1');
    const header = Buffer.alloc(16);
    header.writeUInt32LE(rich.length + 12, 0);
    header.writeUInt32LE(rich.length, 4);
    header.write('MELA', 8, 'latin1');
    const msg = msgOf({
      '__properties_version1.0': fixed(32),
      [text('001A')]: 'IPM.Note',
      '__substg1.0_10090102': Buffer.concat([header, rich]),
    });
    expect(await disarmed(msg, 'blank.msg')).toMatchObject({ extension: 'eml', quality: { words: { before: 0 } } });
  });

  test('one whose text is lost is refused, also when nothing else is in it', async () => {
    const msg = msgOf({
      '__properties_version1.0': fixed(32),
      '__substg1.0_10090102': Buffer.from('no rich text at all'),
    });
    expect(await refusalCode(msg, 'a.msg')).not.toBeNull();
  });

  test('without properties it is refused', async () => {
    expect(await refusalCode(msgOf({ [text('0037')]: 'x' }), 'a.msg')).toBe('unsupported');
  });
});

describe('TNEF', () => {
  test('carries over subject, text and attachments, and disarms them', async () => {
    const tnef = buildTnef(
      tnefAttribute(1, 0x18004, zeroEnded('Subject')),
      tnefAttribute(
        1,
        0x69003,
        mapiProperties(
          [0x1000001e, zeroEnded('Plain text')],
          [0x10130102, Buffer.from('<p>HTML</p><script>LIVE</script>')],
        ),
      ),
      tnefAttribute(2, 0x69002, Buffer.alloc(14)),
      tnefAttribute(2, 0x18010, zeroEnded('INVOIC~1.DOC')),
      tnefAttribute(2, 0x6800f, await buildDocm()),
      tnefAttribute(2, 0x69005, mapiProperties([0x3707001f, Buffer.from('invoice.docm\0', 'utf16le')])),
    );
    const { bytes } = await disarmed(tnef, 'winmail.dat');
    const read = await simpleParser(Buffer.from(bytes));
    expect([read.subject, read.text?.trim(), read.html]).toEqual([
      'Subject',
      'Plain text',
      expect.stringContaining('HTML'),
    ]);
    expect(read.attachments.map(({ filename }) => filename)).toEqual(['invoice.docx']);
    expect(await everyLayer(bytes, 'eml')).not.toContain('LIVE');
  });

  test.each([
    ['an attribute longer than the file', buildTnef(Buffer.from([1, 4, 0x80, 1, 0, 0xff, 0xff, 0xff, 0x7f, 0]))],
    ['properties that break off', buildTnef(tnefAttribute(1, 0x69003, Buffer.from([9, 0, 0, 0, 0x1e, 0, 0, 0x10])))],
    [
      'a property of no known type',
      buildTnef(tnefAttribute(1, 0x69003, mapiProperties([0x10000abc, Buffer.alloc(4)]))),
    ],
  ])('refused: %s', async (_, tnef) => {
    expect(await refusalCode(tnef, 'winmail.dat')).toBe('unreadable');
  });

  test('containers within containers without end are refused', async () => {
    let tnef = buildTnef(tnefAttribute(1, 0x18004, zeroEnded('core')));
    for (let level = 0; level < 12; level++) {
      const object = Buffer.concat([Buffer.alloc(16), tnef]);
      tnef = buildTnef(
        tnefAttribute(2, 0x69002, Buffer.alloc(14)),
        tnefAttribute(2, 0x69005, mapiProperties([0x3701000d, object])),
      );
    }
    expect(await refusalCode(tnef, 'winmail.dat')).toBe('oversize');
  });
});

test('compressed rich text is the example of its specification (MS-OXRTFCP 3.1)', () => {
  const compressed =
    '2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0';
  const plain = '{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n';
  expect(Buffer.from(inflateRtf(Buffer.from(compressed, 'hex'), 1_000)).toString('latin1')).toBe(plain);
  expect(() => inflateRtf(Buffer.from(compressed, 'hex'), 10)).toThrow('too long');
});
