/** Films and recordings that hold more than sound and pictures. */
import { buildFlac, flacFrameOf } from '../../fixtures/build-flac.ts';
import { box, buildMovie, buildMp3, buildWave, full, id3, trackOf, u32 } from '../../fixtures/build-media.ts';
import { buildOgg, oggPageOf } from '../../fixtures/build-ogg.ts';
import type { Draft, Generator } from './sample.ts';
import { LIVE, LIVE_URL } from './sample.ts';

const quiet = (encoding: string, content: Uint8Array): Draft => ({ encoding, content, hasText: false });
const apple = box('data', u32(1), u32(0), `${LIVE} title`);
const remote = box('url ', u32(0), `${LIVE_URL}\0`);

const MOVIES: Readonly<Record<string, () => readonly Draft[]>> = {
  udta: () => [
    quiet('of the film', buildMovie({ more: { moov: box('udta', box('\xa9xyz', `+50.7+7.1/${LIVE}`)) } })),
    quiet('of a track', buildMovie({ more: { 'moov/trak': box('udta', box('name', LIVE)) } })),
    quiet('at the top', buildMovie({ more: { file: box('udta', LIVE) } })),
    quiet('with a link', buildMovie({ brand: 'qt  ', more: { moov: box('udta', box('\xa9url', LIVE_URL)) } })),
  ],
  meta: () => [
    quiet('of iTunes', buildMovie({ more: { moov: box('meta', u32(0), box('ilst', box('\xa9nam', apple))) } })),
    quiet('at the top', buildMovie({ more: { file: full('meta', 0, LIVE) } })),
    quiet('among the samples', buildMovie({ more: { 'moov/trak/mdia/minf/stbl': full('meta', 0, LIVE) } })),
  ],
  uuid: () => [
    quiet('at the top', buildMovie({ more: { file: box('uuid', Buffer.alloc(16, 1), `<x:xmpmeta>${LIVE}`) } })),
    quiet('in the codec', buildMovie({ more: { stsd: box('uuid', Buffer.alloc(16, 1), LIVE) } })),
    quiet('in a film of pictures', buildMovie({ codec: 'avc1', handler: 'vide', more: { stsd: box('uuid', LIVE) } })),
  ],
  free: () => [
    quiet('at the top', buildMovie({ more: { file: box('free', LIVE) } })),
    quiet('in a list', buildMovie({ more: { moov: box('skip', box('udta', LIVE)) } })),
    quiet('wide', buildMovie({ more: { file: box('wide', LIVE) } })),
  ],
  'other-track': () => [
    quiet(
      'text',
      buildMovie({ tracks: [trackOf({ handler: 'text', codec: 'tx3g', more: { stsd: box('ftab', LIVE) } }, 0)] }),
    ),
    quiet('remote samples', buildMovie({ tracks: [trackOf({ place: remote }, 0)] })),
    quiet(
      'remote with the flag of this file',
      buildMovie({ tracks: [trackOf({ place: box('url ', u32(1), `${LIVE_URL}\0`) }, 0)] }),
    ),
    quiet('remote by name', buildMovie({ tracks: [trackOf({ place: box('urn ', u32(0), `${LIVE_URL}\0`) }, 0)] })),
    quiet('unknown codec', buildMovie({ tracks: [trackOf({ codec: 'evil', more: { stsd: box('x   ', LIVE) } }, 0)] })),
  ],
  only: () => [
    quiet('remote', buildMovie({ place: remote })),
    quiet('remote by an alias', buildMovie({ place: box('alis', u32(0), LIVE) })),
    quiet('protected', buildMovie({ codec: 'enca', more: { stsd: box('sinf', LIVE) } })),
    quiet('compressed list', Buffer.concat([box('ftyp', 'qt  ', u32(0)), box('moov', box('cmov', LIVE))])),
    quiet('two places', buildMovie({ place: Buffer.concat([box('url ', u32(1)), remote]) })),
  ],
  name: () => [quiet('of the handler', buildMovie({ handlerName: `${LIVE} camera` }))],
  tail: () => [
    quiet('text', buildMovie({ tail: `${LIVE} more` })),
    quiet('a box that is too long', buildMovie({ tail: `\0\x01\0\0free${LIVE}` })),
    quiet('a second film', Buffer.concat([buildMovie(), buildMovie({ more: { moov: box('udta', LIVE) } })])),
  ],
  lies: () => [
    quiet('more rows than bytes', buildMovie({ stts: full('stts', 0, u32(0x2000_0000), LIVE) })),
    quiet(
      'a child longer than its box',
      buildMovie({ more: { moov: Buffer.concat([u32(9_999), Buffer.from(`udta${LIVE}`)]) } }),
    ),
    quiet('a size of zero within', buildMovie({ more: { moov: Buffer.concat([u32(0), Buffer.from(`udta${LIVE}`)]) } })),
    quiet('a long size beyond the file', buildMovie({ tail: `\0\0\0\x01udta\x7f\xff\xff\xff\xff\xff\xff\xff${LIVE}` })),
    quiet('two lists', Buffer.concat([buildMovie(), box('moov', box('udta', LIVE))])),
  ],
};

const movie: Generator = (line) => MOVIES[line]?.() ?? [];

const TAGS: Readonly<Record<string, () => readonly Draft[]>> = {
  front: () => [
    quiet('title', buildMp3({ front: id3('TIT2', LIVE) })),
    quiet('page of the seller', buildMp3({ front: id3('WOAR', LIVE_URL) })),
    quiet('object', buildMp3({ front: id3('GEOB', LIVE) })),
    quiet('two tags', buildMp3({ front: Buffer.concat([id3('TIT2', 'a'), id3('PRIV', LIVE)]) })),
    quiet(
      'a tag that is longer than it says',
      buildMp3({ front: Buffer.concat([id3('TIT2', 'a'), Buffer.from(LIVE)]) }),
    ),
  ],
  between: () => [
    quiet('text', buildMp3({ between: LIVE })),
    quiet('a tag', buildMp3({ between: id3('TIT2', LIVE) })),
    quiet(
      'one frame of another kind',
      buildMp3({ between: Buffer.concat([Buffer.from([0xff, 0xf3, 0x40, 0x64]), Buffer.from(LIVE)]) }),
    ),
  ],
  tail: () => [
    quiet('ID3v1', buildMp3({ tail: `TAG${LIVE.padEnd(125, '\0')}` })),
    quiet('APE', buildMp3({ tail: `APETAGEX${'\0'.repeat(24)}${LIVE}` })),
    quiet('lyrics', buildMp3({ tail: `LYRICSBEGIN${LIVE}LYRICS200` })),
    quiet(
      'half a frame',
      buildMp3({ tail: Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x64]), Buffer.from(LIVE)]) }),
    ),
    quiet('a page', buildMp3({ tail: `<html><script>${LIVE}</script>` })),
  ],
};
const tags: Generator = (line) => TAGS[line]?.() ?? [];

const CHUNKS: Readonly<Record<string, () => readonly Draft[]>> = {
  list: () => [
    quiet('in front', buildWave({ chunks: [['LIST', `INFOIART${LIVE}`]] })),
    quiet('behind', buildWave({ after: [['LIST', `INFOICMT${LIVE}`]] })),
    quiet('broadcast', buildWave({ chunks: [['bext', LIVE]] })),
    quiet('tag of MP3', buildWave({ after: [['id3 ', id3('WOAR', LIVE_URL)]] })),
    quiet('XML', buildWave({ after: [['iXML', `<x>${LIVE}</x>`]] })),
    quiet('junk', buildWave({ chunks: [['JUNK', LIVE]] })),
  ],
  twice: () => [
    quiet('second form', buildWave({ chunks: [['fmt ', LIVE.padEnd(16)]] })),
    quiet('second samples', buildWave({ after: [['data', LIVE]] })),
    quiet(
      'second number',
      buildWave({
        chunks: [
          ['fact', u32(1)],
          ['fact', LIVE],
        ],
      }),
    ),
    quiet('other case', buildWave({ after: [['DATA', LIVE]] })),
  ],
  tail: () => [
    quiet('text', buildWave({ tail: LIVE })),
    quiet('a chunk that is too long', buildWave({ after: [['smpl', LIVE]], tail: 'abcd\xff\xff\xff\x7f' })),
    quiet('unknown codec', buildWave({ codec: 0x4242, after: [['LIST', LIVE]] })),
  ],
};
const chunks: Generator = (line) => CHUNKS[line]?.() ?? [];

const picture = Buffer.concat([u32(3), u32(3), Buffer.from('-->'), u32(0), Buffer.alloc(16), Buffer.from(LIVE_URL)]);
const BLOCKS: Readonly<Record<string, () => readonly Draft[]>> = {
  metadata: () => [
    quiet('comment', buildFlac({ blocks: [[4, `\0\0\0\0\x01\0\0\0\x14\0\0\0TITLE=${LIVE}`]] })),
    quiet('picture with a link', buildFlac({ blocks: [[6, picture]] })),
    quiet('of a program', buildFlac({ blocks: [[2, `evil${LIVE}`]] })),
    quiet('cue sheet', buildFlac({ blocks: [[5, LIVE]] })),
    quiet('padding', buildFlac({ blocks: [[1, LIVE]] })),
    quiet('seek table', buildFlac({ blocks: [[3, LIVE]] })),
    quiet('reserved', buildFlac({ blocks: [[126, `<html><script>${LIVE}</script>`]] })),
    quiet('second form', buildFlac({ blocks: [[0, LIVE.padEnd(34)]] })),
  ],
  front: () => [
    quiet('tag of MP3', buildFlac({ front: id3('TIT2', LIVE) })),
    quiet('letters', buildFlac({ front: LIVE })),
    quiet('page', buildFlac({ front: `<html><script>${LIVE}</script>` })),
    quiet('program', buildFlac({ front: `MZ\x90\0${LIVE}` })),
  ],
  between: () => [
    quiet('text', buildFlac({ between: LIVE })),
    quiet('a sync', buildFlac({ between: `\xff\xf8\x19\x08\x03${LIVE}` })),
    quiet('a frame of another number', buildFlac({ between: flacFrameOf(90, LIVE) })),
  ],
  tail: () => [
    quiet('ID3v1', buildFlac({ tail: `TAG${LIVE.padEnd(125, '\0')}` })),
    quiet('archive', buildFlac({ tail: `PK\x03\x04${LIVE}PK\x05\x06${'\0'.repeat(18)}` })),
    quiet('PDF', buildFlac({ tail: `%PDF-1.7 ${LIVE}` })),
    quiet('page', buildFlac({ tail: `<html><script>${LIVE}</script>` })),
    quiet('half a frame', buildFlac({ tail: `${flacFrameOf(6, 'x').toString('latin1', 0, 30)}${LIVE}` })),
    quiet('a second recording', Buffer.concat([buildFlac(), buildFlac({ blocks: [[4, LIVE]] })])),
  ],
  lies: () => [
    quiet(
      'length of a block',
      Buffer.concat([Buffer.from(buildFlac()).fill(0, 4, 5), Buffer.from(`\xff\xff\xff\xff${LIVE}`)]),
    ),
    quiet('no last block', Buffer.concat([Buffer.from(buildFlac()).fill(0, 4, 5), Buffer.from(LIVE)])),
    quiet('number of samples', buildFlac({ told: 0xffff_ffff, blocks: [[4, LIVE]] })),
    quiet('a longer form', Buffer.from(buildFlac({ blocks: [[4, LIVE]] })).fill(60, 7, 8)),
    quiet('sum of a frame', buildFlac({ frames: 2, sound: LIVE }).fill(0, 100, 101)),
  ],
};
const blocks: Generator = (line) => BLOCKS[line]?.() ?? [];

const STREAM = { serial: 9, flags: 2 };
const PAGES: Readonly<Record<string, () => readonly Draft[]>> = {
  comments: () => [
    quiet('of Opus', buildOgg({ comments: `TITLE=${LIVE}` })),
    quiet('of Vorbis', buildOgg({ codec: 'vorbis', comments: `METADATA_BLOCK_PICTURE=${LIVE_URL}` })),
    quiet('over many pages', buildOgg({ codec: 'vorbis', comments: LIVE.repeat(20_000) })),
    quiet('name of the program', buildOgg({ vendor: LIVE })),
    quiet('a second time among the sound', buildOgg({ more: [`OpusTags${LIVE}`] })),
    quiet('a second time in Vorbis', buildOgg({ codec: 'vorbis', more: [`\x03vorbis${LIVE}`] })),
    quiet('a longer introduction', buildOgg({ introduction: LIVE })),
    quiet('a longer introduction of Vorbis', buildOgg({ codec: 'vorbis', introduction: LIVE })),
  ],
  stream: () => [
    quiet('beside', buildOgg({ between: oggPageOf([`fishead\0${LIVE}`], STREAM) })),
    quiet('behind', buildOgg({ tail: oggPageOf([`OpusHead${LIVE}`], STREAM) })),
    quiet('of text', buildOgg({ between: oggPageOf([LIVE], { serial: 3 }) })),
    quiet('of a film in front', Buffer.concat([oggPageOf([`\x80theora${LIVE}`], STREAM), buildOgg()])),
    quiet('first page twice', buildOgg({ between: oggPageOf([`OpusHead${LIVE}`], { serial: 1, flags: 2 }) })),
  ],
  front: () => [
    quiet('text', buildOgg({ front: LIVE })),
    quiet('page', buildOgg({ front: `<html><script>${LIVE}</script>` })),
    quiet('program', buildOgg({ front: `MZ\x90\0${LIVE}` })),
  ],
  between: () => [
    quiet('text', buildOgg({ between: LIVE })),
    quiet('a page with a wrong checksum', buildOgg({ between: oggPageOf([LIVE], { serial: 1, flags: 0, sum: 1 }) })),
    quiet('a packet that goes on from nowhere', buildOgg({ between: oggPageOf([LIVE], { serial: 1, flags: 1 }) })),
  ],
  tail: () => [
    quiet('archive', buildOgg({ tail: `PK\x03\x04${LIVE}PK\x05\x06${'\0'.repeat(18)}` })),
    quiet('PDF', buildOgg({ tail: `%PDF-1.7 ${LIVE}` })),
    quiet('page', buildOgg({ tail: `<html><script>${LIVE}</script>` })),
    quiet('tag of MP3', buildOgg({ tail: `TAG${LIVE.padEnd(125, '\0')}` })),
    quiet('half a page', buildOgg({ tail: `OggS\0${LIVE}` })),
    quiet('pages behind the last', buildOgg({ tail: oggPageOf([LIVE], { serial: 1 }) })),
  ],
  lies: () => [
    quiet('pieces beyond the file', buildOgg({ tail: `OggS\0\0${'\0'.repeat(20)}\xff${'\xff'.repeat(200)}${LIVE}` })),
    quiet('tables that are none', buildOgg({ codec: 'vorbis', tables: LIVE })),
    quiet('a mapping that is too long', buildOgg({ family: 1, introduction: LIVE })),
    quiet('version of the page', Buffer.from(buildOgg({ comments: LIVE })).fill(1, 4, 5)),
  ],
};
const pages: Generator = (line) => PAGES[line]?.() ?? [];

export const mediaSamples: Readonly<Record<string, Generator>> = {
  'media/box': movie,
  'media/tag': tags,
  'media/chunk': chunks,
  'media/block': blocks,
  'media/page': pages,
};
