import { describe, expect, test } from 'vitest';
import { buildPng } from '../../fixtures/build-image.ts';
import { atom, buildPpt, container, type PptOptions, slide, text } from '../../fixtures/build-ppt.ts';
import { pptRecords, rootClass, streamsOf } from './legacy-contents.ts';
import { disarmed, refusalCode } from './run-disarm.ts';

const run = async (options: PptOptions) => {
  const report = await disarmed(buildPpt(options), 'a.ppt');
  const streams = streamsOf(report.bytes);
  const stream = streams.get('PowerPoint Document') ?? Buffer.alloc(0);
  const records = pptRecords(stream);
  return {
    ...report,
    streams,
    records,
    wide: stream.toString('latin1').replaceAll('\0', ''),
    ids: records.map(({ id }) => id),
    of: (id: number) => records.filter((each) => each.id === id),
  };
};

/** The record of a click, with its action at byte 8. */
const click = (action: number, ...names: readonly Uint8Array[]) => {
  const info = Buffer.alloc(16);
  info[8] = action;
  return container(0x0ff2, [atom(0x0ff3, info), ...names]);
};
const link = (target: string) =>
  container(0x0409, [container(0x0fd7, [atom(0x0fd3, Buffer.alloc(4)), text(`to ${target}`, 0), text(target, 1)])]);

test('a presentation keeps its slides, text and pictures, and every record keeps its place', async () => {
  const picture = atom(0xf01e, Buffer.concat([Buffer.alloc(17, 1), buildPng()]), 0x6e0);
  const { streams, wide, of, bytes, extension } = await run({
    slides: [slide('Quarterly figures'), slide('Outlook')],
    pictures: picture,
  });
  expect(extension).toBe('ppt');
  expect(wide).toContain('Quarterly figures');
  expect(of(0x03ee)).toHaveLength(2);
  expect(streams.get('Pictures')).toEqual(picture);
  expect(streams.get('Current User')?.readUInt32LE(16)).toBe(of(0x0ff5)[0]?.at);
  expect([...streams.keys()].sort()).toEqual(['Current User', 'Pictures', 'PowerPoint Document']);
  expect(rootClass(bytes)).toBe('108d81649b4fcf1186ea00aa00b929e8');
});

test('a disarm gives the same bytes every time, and a second pass changes nothing', async () => {
  const input = buildPpt({ document: [link('file:///c:/a.exe')], slides: [slide('a', click(2))] });
  const once = await disarmed(input, 'a.ppt');
  expect(Buffer.compare((await disarmed(input, 'a.ppt')).bytes, once.bytes)).toBe(0);
  expect((await disarmed(once.bytes, 'a.ppt')).outcome).toBe('already_safe');
});

test.each([
  ['a macro', 1],
  ['a program', 2],
  ['an object', 5],
  ['a clip', 6],
])('a click that starts %s does nothing', async (_what, action) => {
  const { of, wide, kinds } = await run({ slides: [slide('a', click(action, text('evil.exe', 2)))] });
  expect(of(0x0ff3).map(({ data }) => data[8])).toEqual([0]);
  expect(wide).not.toContain('evil');
  expect(kinds).toContain('action');
});

test.each([3, 4, 7])('a click of kind %i, which only leads elsewhere, stays', async (action) => {
  expect((await run({ slides: [slide('a', click(action))] })).of(0x0ff3)[0]?.data[8]).toBe(action);
});

test.each(['file:///c:/a.exe', '\\\\server\\share\\a.exe', 'C:/Windows/cmd.exe', 'javascript:alert(1)', 'ms-msdt:/id'])(
  'the link to %j leads nowhere',
  async (target) => {
    const { wide, kinds } = await run({ document: [link(target)] });
    expect(wide).not.toContain(target);
    expect(kinds).toContain('unsafe hyperlink');
  },
);

test.each(['https://example.com/', 'mailto:a@example.com', '256,1,Outlook'])('the link to %j stays', async (target) => {
  expect((await run({ document: [link(target)] })).wide).toContain(target);
});

describe('removed records', () => {
  test.each([
    ['an embedded object', 0x0fcc],
    ['a linked object', 0x0fce],
    ['a control', 0x0fee],
    ['a reference to an object', 0x0bc1],
    ['a video', 0x1005],
    ['an animation file', 0x1006],
    ['a media clip', 0x1007],
    ['a linked sound', 0x1010],
    ['an embedded sound', 0x07e7],
    ['an embedded font', 0x0fb8],
    ['a routing slip', 0x0406],
    ['a mail envelope', 0x1785],
    ['web publishing', 0x177d],
    ['a package of a newer version', 0x040e],
    ['an animation command', 0xf13b],
    ['an unknown record', 0x7777],
  ])('%s is overwritten in the same length', async (_what, type) => {
    const { ids, wide, of } = await run({ slides: [slide('kept', atom(type, Buffer.from('secret')))] });
    expect(ids).not.toContain(type);
    expect(wide).not.toContain('secret');
    expect(wide).toContain('kept');
    expect(of(0).map(({ data }) => data.toString('hex'))).toEqual(['000000000000']);
  });

  test('a stored object loses its content, and the macro mark is cleared', async () => {
    const { of, kinds } = await run({
      document: [container(0x03ff, [atom(0x0400, Buffer.from('010000000100000002000000', 'hex'))])],
      slides: [slide('a'), atom(0x1011, Buffer.from('d0cf11e0', 'hex'))],
    });
    expect(of(0x1011)[0]?.data.toString('hex')).toBe('00000000');
    expect(of(0x0400)[0]?.data).toEqual(Buffer.alloc(12));
    expect(kinds).toEqual(expect.arrayContaining(['embedded object', 'macro']));
  });

  test('records hidden in the data of a tag are found', async () => {
    const tag = container(0x1388, [
      container(0x138a, [text('___PPT10', 0), atom(0x138b, atom(0x1785, Buffer.from('secret')))]),
    ]);
    expect((await run({ slides: [slide('a', tag)] })).wide).not.toContain('secret');
  });
});

describe('drawings', () => {
  /** The property of a shape with data. */
  const shape = (id: number, data: Uint8Array) => {
    const entry = Buffer.alloc(6);
    entry.writeUInt16LE(id | 0x8000, 0);
    entry.writeUInt32LE(data.length, 2);
    return container(0x040c, [container(0xf004, [atom(0xf00b, Buffer.concat([entry, data]), 1)])]);
  };

  test.each([
    ['a file to load', 0x105],
    ['a picture to fill with', 0x187],
    ['a script', 0x38e],
    ['a package', 0x3a9],
  ])('lose %s', async (_what, id) => {
    expect(
      (await run({ slides: [slide('a', shape(id, Buffer.from('\\\\srv\\evil', 'utf16le')))] })).wide,
    ).not.toContain('evil');
  });

  test('keep names and descriptions', async () => {
    const alt = Buffer.from('a red car\0', 'utf16le');
    expect((await run({ slides: [slide('a', shape(0x381, alt))] })).wide).toContain('a red car');
  });

  test('lose a metafile that calls code and keep one that draws', async () => {
    const wmf = (escapeKind: number) => {
      const head = Buffer.from('010009000003000000000000000000000000', 'hex');
      const call = Buffer.from('0500000026060000000000000300000000000000', 'hex').subarray(0, 10);
      call.writeUInt16LE(escapeKind, 6);
      const drawing = Buffer.concat([head, call, Buffer.from('030000000000', 'hex')]);
      const frame = Buffer.alloc(34);
      frame.writeUInt32LE(drawing.length, 28);
      frame[32] = 0xfe;
      return atom(0xf01b, Buffer.concat([Buffer.alloc(16, 1), frame, drawing]), 0x216);
    };
    expect((await run({ pictures: wmf(15) })).streams.get('Pictures')).toEqual(wmf(15));
    const { streams, kinds } = await run({ pictures: wmf(9) });
    expect(
      streams
        .get('Pictures')
        ?.subarray(8)
        .every((byte) => byte === 0),
    ).toBe(true);
    expect(kinds).toContain('metafile picture');
  });
});

describe('what PowerPoint 2007 and later keep in old presentations', () => {
  /** A package of the newer format, which can look like records of slides. */
  const packed = Buffer.concat([Buffer.from('PK\x03\x04____', 'latin1'), slide('inside a package')]);

  test.each([
    ['a theme', 0x040e],
    ['a layout', 0x041e],
    ['text styles', 0x0423],
    ['table styles', 0x0428],
    ['an animation', 0x2b0b],
    ['a slide of a library', 0x3714],
  ])('%s is removed and counts as no slide', async (_what, type) => {
    for (const record of [atom(type, packed), container(type, [packed])]) {
      const { wide, quality } = await run({ slides: [slide('kept', record), slide('second')] });
      expect(quality.units).toEqual({ kind: 'slides', before: 2, after: 2 });
      expect(wide).toContain('kept');
      expect(wide).not.toContain('inside a package');
    }
  });

  test('a master, its title master and notes are no slides of the show', async () => {
    const objects = [container(0x03f8, [atom(0x041c, Buffer.alloc(4))]), slide('one'), container(0x03f0, [])];
    expect((await run({ slides: objects })).quality.units).toEqual({ kind: 'slides', before: 1, after: 1 });
  });
});

describe('saves that were appended', () => {
  test('the newest one stays alone, so that deleted slides are gone', async () => {
    const { wide, quality, of, kinds } = await run({ earlier: [slide('draft price')], slides: [slide('final price')] });
    expect(wide).toContain('final price');
    expect(wide).not.toContain('draft');
    expect(of(0x0ff5)).toHaveLength(1);
    expect(quality.words).toEqual({ before: 2, kept: 2 });
    expect(kinds).toContain('unused space');
  });

  test('an object of an earlier save that was not saved again stays', async () => {
    const { wide } = await run({ earlier: [slide('first'), slide('second')], slides: [slide('first, new')] });
    expect(wide).toContain('first, new');
    expect(wide).toContain('second');
  });

  test('bytes that no save names are gone, whatever they look like', async () => {
    const { wide, quality } = await run({ stray: Buffer.from('0f00ee03ffffff7fsecret', 'latin1') });
    expect(wide).not.toContain('secret');
    expect(quality.units).toEqual({ kind: 'slides', before: 1, after: 1 });
  });
});

test('a record that claims to be longer than what holds it ends there, and loses nothing', async () => {
  const long = Buffer.from(text('no longer', 0));
  long.writeUInt32LE(0x7fffffff, 4);
  const { wide, kinds, quality } = await run({ slides: [slide('kept', long), slide('next')] });
  expect(wide).toContain('next');
  expect(kinds).toContain('damaged record');
  expect(quality.units).toEqual({ kind: 'slides', before: 2, after: 2 });
});

test('an object that claims to be longer than the stream ends there', async () => {
  const last = Buffer.from(slide('last'));
  last.writeUInt32LE(0x7fffffff, 4);
  const { wide, quality } = await run({ slides: [slide('first'), last] });
  expect(wide).toContain('last');
  expect(quality.units).toEqual({ kind: 'slides', before: 2, after: 2 });
});

test('the name of the last user is removed', async () => {
  const { streams } = await run({ user: 'Ada Lovelace' });
  expect(streams.get('Current User')?.toString('latin1')).not.toContain('Ada');
});

test.each([
  '\x05SummaryInformation',
  '\x05DocumentSummaryInformation',
  'VBA/dir',
  '_VBA_PROJECT_CUR/a',
  'MsoDataStore/a',
  'EncryptedSummary',
])('the stream %j is removed', async (path) => {
  expect([...(await run({ streams: { [path]: Buffer.from('secret') } })).streams.keys()].sort()).toEqual([
    'Current User',
    'PowerPoint Document',
  ]);
});

test.each([
  ['behind a password', { token: 0xf3d1c4df }, 'encrypted'],
  ['whose save names an encryption', { editBytes: 32 }, 'encrypted'],
  ['with the records of one', { document: [container(0x2f14, [])] }, 'encrypted'],
  ['of PowerPoint 95', { token: 1 }, 'unsupported'],
])('a presentation %s is refused', async (_what, options, code) => {
  expect(await refusalCode(buildPpt(options), 'a.ppt')).toBe(code);
});
