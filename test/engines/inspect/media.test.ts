/** Films and recordings as the second look sees them: nothing of an ordinary one is a finding, and each thing that must be gone is. */
import { describe, expect, test } from 'vitest';
import { box, buildMovie, buildMp3, buildWave, full, id3, trackOf, u32 } from '../../fixtures/build-media.ts';
import { foundIn } from '../disarm/run-media.ts';

describe('a film', () => {
  const inMovie = (more: Readonly<Record<string, Uint8Array>>) => foundIn(buildMovie({ more }));
  const FTYP = box('ftyp', 'isom', u32(0));
  const MVHD = full('mvhd', 0, Buffer.alloc(96));
  /** A film of one track that holds what is handed in. */
  const withTrack = (...content: Buffer[]) => Buffer.concat([FTYP, box('moov', MVHD, box('trak', ...content))]);
  const withTable = (...content: Buffer[]) => withTrack(box('mdia', box('minf', box('stbl', ...content))));
  const withInformation = (...content: Buffer[]) => withTrack(box('mdia', box('minf', ...content)));

  test('of sound or pictures is nothing but that', () => {
    expect(foundIn(buildMovie())).toEqual([]);
    expect(foundIn(buildMovie({ codec: 'avc1', handler: 'vide' }))).toEqual([]);
    expect(foundIn(buildMovie({ tracks: [trackOf({}, 0)] }))).toEqual([]);
  });

  test.each([
    ['the file', box('styp', 'isom')],
    ['the file', box('moof', box('mfhd', u32(0)), box('traf', box('tfhd'), box('tfdt'), box('trun')))],
    ['the film', box('mvex', box('mehd', u32(0)), box('trex', u32(0)))],
    ['the track', box('edts', full('elst', 0, u32(1), Buffer.alloc(12)))],
  ])('may have in %s a box more', (place, content) => {
    const path = { 'the file': 'file', 'the film': 'moov', 'the track': 'moov/trak' }[place] ?? '';
    expect(inMovie({ [path]: content })).toEqual([]);
  });

  test.each(['ctts', 'co64', 'stss', 'stps', 'stz2'])('may have the table %s', (type) => {
    expect(inMovie({ 'moov/trak/mdia/minf/stbl': full(type, 0, u32(0)) })).toEqual([]);
  });

  test.each(['udta', 'meta', 'uuid', 'pdin', 'iods', 'keys', 'free2', 'mdat', 'ftyp', 'stsd', 'junk'])(
    'may not have %s where it does not belong',
    (type) => {
      for (const path of ['moov', 'moov/trak', 'moov/trak/mdia/minf/stbl'])
        if (!(type === 'stsd' && path.endsWith('stbl')))
          expect(inMovie({ [path]: box(type.slice(0, 4) === 'free' ? 'frex' : type, 'x') }), path).toEqual([
            'media-box',
          ]);
    },
  );

  test.each(['moov', 'moof', 'moov/trak'])('may not have another %s in it', (path) => {
    const inner = path === 'moov/trak' ? box('moov', box('trak')) : box(path);
    for (const place of ['moov', 'moov/trak']) expect(inMovie({ [place]: inner })).toEqual(['media-box']);
  });

  test.each(['meta', 'uuid', 'junk', 'mvhd', 'trak', 'xmoov'])('may not have %s beside its film', (type) => {
    expect(inMovie({ file: box(type.slice(0, 4), 'x') })).toContain('media-box');
  });

  test.each(['free', 'skip', 'wide'])('has free space (%s) that is empty', (type) => {
    for (const path of ['file', 'moov', 'moov/trak']) {
      expect(inMovie({ [path]: box(type, Buffer.alloc(9)) })).toEqual([]);
      expect(inMovie({ [path]: box(type, Buffer.alloc(9), 'x') })).toEqual(['media-free-space']);
      expect(inMovie({ [path]: box(type, 'x', Buffer.alloc(9)) })).toEqual(['media-free-space']);
    }
  });

  test('has one beginning, one film and a track', () => {
    expect(foundIn(Buffer.concat([buildMovie(), FTYP]))).toEqual(['media-box-count']);
    expect(foundIn(Buffer.concat([buildMovie(), box('moov', MVHD, box('trak'))]))).toEqual(['media-box-count']);
    expect(foundIn(FTYP)).toEqual(['media-box-count', 'media-empty']);
    expect(foundIn(Buffer.concat([FTYP, box('moov', MVHD)]))).toEqual(['media-empty']);
  });

  test('has nothing behind it, and no box that is longer than what holds it', () => {
    for (const tail of ['x', '\0\0\0\0', '\0\0\0\x08fre', '\0\0\0\x07free', '\0\0\0\x09free', '\0\0\0\0free'])
      expect(foundIn(buildMovie({ tail })), JSON.stringify(tail)).toEqual(['media-left-over']);
    const long = box('free', Buffer.alloc(8));
    long.writeUInt32BE(17, 0);
    expect(inMovie({ moov: long })).toEqual(['media-left-over']);
    // QuickTime ends a list of boxes with four zeros; nothing else may be there.
    expect(inMovie({ 'moov/trak': u32(0) })).toEqual([]);
    expect(inMovie({ 'moov/trak': u32(1) })).toEqual(['media-left-over']);
    expect(inMovie({ 'moov/trak': Buffer.alloc(3) })).toEqual(['media-left-over']);
  });

  test('may say the size of its samples in 64 bits, or leave it open at its end', () => {
    const large = (size: number) => Buffer.concat([u32(1), Buffer.from('mdat'), u32(0), u32(size), Buffer.alloc(20)]);
    expect(inMovie({ file: large(36) })).toEqual([]);
    for (const size of [15, 35, 37]) expect(inMovie({ file: large(size) }), String(size)).toEqual(['media-left-over']);
    const open = (type: string) => Buffer.concat([u32(0), Buffer.from(type), Buffer.alloc(20)]);
    expect(inMovie({ file: open('mdat') })).toEqual([]);
    expect(inMovie({ file: open('free') })).toEqual(['media-left-over']);
    expect(inMovie({ moov: open('mdat') })).toEqual(['media-left-over']);
  });

  test('has no name of what made it', () => {
    expect(foundIn(buildMovie({ handlerName: 'a program' }))).toEqual(['media-name']);
    const handler = (bytes: number) =>
      withTrack(box('mdia', full('hdlr', 0, u32(0), 'soun', Buffer.alloc(bytes), 'x')));
    expect(foundIn(handler(0))).toEqual(['media-name']);
    expect(foundIn(withTrack(box('mdia', full('hdlr', 0, u32(1), 'xxxx'))))).toEqual([]);
  });

  test('has no times', () => {
    expect(foundIn(buildMovie({ time: 1 }))).toEqual(['media-time', 'media-time', 'media-time']);
    const head = (version: number, times: number[]) => {
      const content = Buffer.alloc(100);
      content[0] = version;
      for (const at of times) content[at] = 1;
      return foundIn(Buffer.concat([FTYP, box('moov', box('mvhd', content), box('trak'))]));
    };
    for (const at of [4, 7, 8, 11]) expect(head(0, [at])).toEqual(['media-time']);
    for (const at of [1, 3, 12, 16]) expect(head(0, [at])).toEqual([]);
    for (const at of [4, 12, 19]) expect(head(1, [at])).toEqual(['media-time']);
    for (const at of [3, 20]) expect(head(1, [at])).toEqual([]);
  });

  test('has a short list of brands', () => {
    const brands = (bytes: number) =>
      foundIn(Buffer.concat([box('ftyp', Buffer.alloc(bytes)), box('moov', MVHD, box('trak'))]));
    expect(brands(512)).toEqual([]);
    expect(brands(513)).toEqual(['media-size']);
  });

  test.each<[string, Buffer, string[]]>([
    ['in the file itself', box('url ', u32(1)), []],
    ['in the file itself, as QuickTime says it', box('alis', u32(1)), []],
    ['at an address', box('url ', u32(0), 'http://a.example/\0'), ['media-remote']],
    ['at an address behind the flag', box('url ', u32(1), 'http://a.example/\0'), ['media-remote']],
    ['nowhere', box('url ', u32(0)), ['media-remote']],
    ['in another form', box('urn ', u32(1)), ['media-remote']],
    ['in a form without a name', Buffer.from('junk'), ['media-remote']],
  ])('has its samples %s', (_, place, found) => {
    expect(foundIn(buildMovie({ place }))).toEqual(found);
    expect(foundIn(withInformation(box('dinf', full('dref', 0, u32(1), box('url ', u32(1)), place))))).toEqual(found);
  });

  test.each([
    ['stts', 8],
    ['ctts', 8],
    ['stsc', 12],
    ['stco', 4],
    ['co64', 8],
    ['stss', 4],
    ['stps', 4],
  ])('has the rows of the table %s that it says: %i bytes each', (type, bytes) => {
    const table = (length: number) => withTable(full(type, 0, u32(2), Buffer.alloc(length)));
    expect(foundIn(table(bytes * 2))).toEqual([]);
    expect(foundIn(table(bytes * 2 - 1))).toEqual(['media-table']);
  });

  test('has the rows of its edits, which are longer in version 1', () => {
    const edits = (version: number, length: number) =>
      foundIn(withTrack(box('edts', full('elst', version << 24, u32(2), Buffer.alloc(length)))));
    expect([edits(0, 24), edits(0, 23)]).toEqual([[], ['media-table']]);
    expect([edits(1, 40), edits(1, 39)]).toEqual([[], ['media-table']]);
    expect(foundIn(withTable(full('stts', 1 << 24, u32(2), Buffer.alloc(16))))).toEqual([]);
  });

  const SOUND = 'mp4a samr sawb alac ac-3 ec-3 Opus fLaC sowt twos ulaw alaw lpcm in24 in32 fl32 fl64 raw_'.split(' ');
  const PICTURES =
    'avc1 avc3 hvc1 hev1 mp4v s263 vp08 vp09 av01 mjpa mjpb apch apcn apcs apco ap4h dvh1 dvhe jpeg'.split(' ');
  const entry = (codec: string, head: Buffer, ...settings: Buffer[]) =>
    withTable(full('stsd', 0, u32(1), box(codec.replace('_', ' '), head, ...settings)));

  test.each(SOUND)('may have sound in %s, and behind its head only settings', (codec) => {
    expect(foundIn(entry(codec, Buffer.alloc(28)))).toEqual([]);
    expect(foundIn(entry(codec, Buffer.alloc(28), box('esds', 'x')))).toEqual([]);
    expect(foundIn(entry(codec, Buffer.alloc(28), box('udta', 'x')))).toEqual(['media-box']);
  });

  test.each(PICTURES)('may have pictures in %s', (codec) => {
    expect(foundIn(entry(codec, Buffer.alloc(78)))).toEqual([]);
    expect(foundIn(entry(codec, Buffer.alloc(78), box('avcC', 'x')))).toEqual([]);
    expect(foundIn(entry(codec, Buffer.alloc(78), box('udta', 'x')))).toEqual(['media-box']);
  });

  test.each(['text', 'tx3g', 'tmcd', 'mp4s', 'rtp ', 'xmp4', 'MP4A', 'avc2'])('may not have %s', (codec) => {
    expect(foundIn(entry(codec, Buffer.alloc(78)))).toEqual(['media-codec']);
  });

  test('has a codec with a whole head', () => {
    expect(foundIn(entry('mp4a', Buffer.alloc(19)))).toEqual(['media-codec']);
    expect(foundIn(entry('mp4a', Buffer.alloc(20)))).toEqual([]);
  });

  test('has longer heads of sound in the versions of QuickTime', () => {
    const head = (version: number, bytes: number) => {
      const content = Buffer.alloc(bytes);
      content.writeUInt16BE(version, 8);
      return foundIn(entry('mp4a', content, box('wave', 'x')));
    };
    expect(head(0, 28)).toEqual([]);
    expect(head(1, 44)).toEqual([]);
    expect(head(2, 64)).toEqual([]);
    expect(head(0, 44)).not.toEqual([]);
    expect(head(2, 60)).not.toEqual([]);
  });

  const SETTINGS =
    'avcC hvcC esds pasp colr btrt fiel clap dOps dfLa vpcC av1C dvcC dvvC chan wave alac damr d263 dac3 dec3 gama clli mdcv'.split(
      ' ',
    );
  test.each(SETTINGS)('may say of its codec %s', (type) => {
    expect(foundIn(entry('avc1', Buffer.alloc(78), box(type, 'x')))).toEqual([]);
    expect(foundIn(entry('avc1', Buffer.alloc(78), box(type.toUpperCase().padEnd(4, 'X'), 'x')))).toEqual([
      'media-box',
    ]);
  });

  test('may have space behind its codec that is empty, and four zeros', () => {
    const behind = (...content: Buffer[]) => foundIn(entry('mp4a', Buffer.alloc(28), ...content));
    expect(behind(box('free', Buffer.alloc(5)))).toEqual([]);
    expect(behind(box('free', 'x'))).toEqual(['media-box']);
    expect(behind(box('esds'))).toEqual([]);
    expect(behind(u32(0))).toEqual([]);
    expect(behind(u32(1))).toEqual(['media-box']);
    expect(behind(Buffer.alloc(5))).toEqual(['media-box']);
    expect(behind(Buffer.from('\0\0\0\x07esds'))).toEqual(['media-box']);
    expect(behind(Buffer.from('\0\0\0\x0aesds\0'))).toEqual(['media-box']);
  });
});

describe('a WAV recording', () => {
  const wave = (chunks: readonly (readonly [string, string])[]) => buildWave({ chunks });

  test('of a form and samples is nothing but that', () => {
    expect(foundIn(buildWave())).toEqual([]);
    expect(foundIn(wave([['fact', '\0\0\0\0']]))).toEqual([]);
  });

  test.each([
    ['a list in front of its samples', wave([['LIST', 'INFO']])],
    ['a list behind them', buildWave({ after: [['LIST', 'INFO']] })],
    ['samples twice', buildWave({ after: [['data', 'x']] })],
    ['a fact behind them', buildWave({ after: [['fact', 'x']] })],
    [
      'a fact twice',
      wave([
        ['fact', 'x'],
        ['fact', 'x'],
      ]),
    ],
    ['a form twice', wave([['fmt ', 'x']])],
    [
      'four chunks and more',
      wave([
        ['fact', 'x'],
        ['LIST', 'x'],
        ['LIST', 'x'],
      ]),
    ],
  ])('with %s is a finding', (_, bytes) => {
    expect(foundIn(bytes)).toContain('media-chunk');
  });

  test('has the size that it says', () => {
    for (const change of [-2, -1, 1, 2]) {
      const bytes = Buffer.from(buildWave());
      bytes.writeUInt32LE(bytes.readUInt32LE(4) + change, 4);
      expect(foundIn(bytes)).toEqual(['media-size']);
    }
  });

  test.each(['x', 'data\0\0\0'])('with %j behind it is a finding, also when its size counts it', (tail) => {
    const bytes = Buffer.from(buildWave({ tail }));
    bytes.writeUInt32LE(bytes.length - 8, 4);
    expect(foundIn(bytes)).toEqual(['media-left-over']);
  });

  test('has a chunk that ends in the file', () => {
    const bytes = Buffer.from(buildWave());
    bytes.writeUInt32LE(402, 40);
    expect(foundIn(bytes)).toEqual(['media-left-over']);
  });

  test('has a form of at most 128 bytes', () => {
    const form = (bytes: number) => {
      const content = Buffer.concat([
        Buffer.from('fmt '),
        Buffer.alloc(4),
        Buffer.alloc(bytes),
        Buffer.from('data\0\0\0\0'),
      ]);
      content.writeUInt32LE(bytes, 4);
      const head = Buffer.concat([Buffer.from('RIFF'), Buffer.alloc(4), Buffer.from('WAVE')]);
      head.writeUInt32LE(content.length + 4, 4);
      return foundIn(Buffer.concat([head, content]));
    };
    expect(form(128)).toEqual([]);
    expect(form(130)).toEqual(['media-size']);
  });

  test('of another kind is none', () => {
    expect(foundIn(Buffer.from(buildWave()).fill('ACON', 8, 12))).toEqual(['media-left-over']);
    expect(foundIn(Buffer.from(buildWave()).fill('RIFX', 0, 4))).toEqual(['media-left-over']);
  });
});

describe('an MP3 recording', () => {
  /** Kilobits of layer III and samples a second, of ISO/IEC 11172-3 and 13818-3 and of version 2.5. */
  const LOW = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
  const VERSIONS = [
    {
      bits: 3,
      kilobits: [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
      hertz: [44_100, 48_000, 32_000],
      samples: 1_152,
    },
    { bits: 2, kilobits: LOW, hertz: [22_050, 24_000, 16_000], samples: 576 },
    { bits: 0, kilobits: LOW, hertz: [11_025, 12_000, 8_000], samples: 576 },
  ];
  const header = (version: number, kilobits: number, hertz: number, padding = 0, layer = 1) =>
    Buffer.of(0xff, 0xe0 | (version << 3) | (layer << 1) | 1, (kilobits << 4) | (hertz << 2) | (padding << 1), 0x64);
  const frame = (head: Buffer, bytes: number) => Buffer.concat([head, Buffer.alloc(bytes - 4)]);

  test.each(VERSIONS)('of version $bits has frames as long as their sound', ({ bits, kilobits, hertz, samples }) => {
    for (const [rate, kilobit] of kilobits.entries())
      for (const [index, hz] of hertz.entries())
        for (const padding of [0, 1]) {
          // A frame holds a fixed number of samples, so its bytes follow from its rates.
          const bytes = Math.floor((samples * kilobit * 125) / hz) + padding;
          const head = header(bits, rate + 1, index, padding);
          expect(foundIn(Buffer.concat([frame(head, bytes), frame(head, bytes)]))).toEqual([]);
          for (const wrong of [-1, 1])
            expect(foundIn(Buffer.concat([frame(head, bytes + wrong), frame(head, bytes)]))).toEqual([
              'media-left-over',
            ]);
        }
  });

  test.each([
    ['another layer', header(3, 9, 0, 0, 2)],
    ['no layer', header(3, 9, 0, 0, 0)],
    ['a reserved version', header(1, 9, 0)],
    ['a free rate', header(3, 0, 0)],
    ['a rate that is none', header(3, 15, 0)],
    ['a reserved number of samples', header(3, 9, 3)],
    ['a sync that is none', Buffer.of(0xff, 0xdb, 0x90, 0x64)],
    ['half a sync', Buffer.of(0x7f, 0xfb, 0x90, 0x64)],
  ])('with %s is none', (_, head) => {
    expect(foundIn(frame(head, 417))).toEqual(['media-left-over']);
  });

  test.each([
    ['another version', frame(header(2, 8, 0), 208)],
    ['another number of samples', frame(header(3, 9, 1), 384)],
    ['another layer', frame(header(3, 9, 0, 0, 2), 417)],
  ])('is of one kind from its first frame to its last: %s', (_, other) => {
    expect(foundIn(Buffer.concat([buildMp3(), other]))).toEqual(['media-left-over']);
  });

  test('may change its rate and its channels', () => {
    expect(foundIn(Buffer.concat([buildMp3(), frame(header(3, 1, 0), 104), frame(header(3, 9, 0, 1), 418)]))).toEqual(
      [],
    );
  });

  test.each(['TAGx', '\0', '\xff\xfb\x90'])(
    'has nothing in front of its frames, between them or behind them: %j',
    (text) => {
      for (const at of ['front', 'between', 'tail'])
        expect(foundIn(buildMp3({ [at]: Buffer.from(text, 'latin1') })), at).toEqual(['media-left-over']);
      expect(foundIn(buildMp3({ front: id3('TIT2', 'a') }))).toEqual(['media-left-over']);
    },
  );

  test('that is cut off, or empty, is a finding', () => {
    expect(foundIn(buildMp3().subarray(0, -1))).toEqual(['media-left-over']);
    expect(foundIn(new Uint8Array(0))).toEqual(['media-empty']);
    expect(foundIn(Buffer.of(0xff, 0xfb, 0x90))).toEqual(['media-left-over']);
  });
});
