/** AMR and AIFF recordings, and AVI, WebM and Matroska films, that hold more than sound and pictures. */
import {
  buildAiff,
  buildAmr,
  buildAvi,
  buildWebm,
  element,
  riffChunk,
  riffList,
  vorbisSettings,
} from '../../fixtures/build-films.ts';
import type { Draft, Generator } from './sample.ts';
import { LIVE, LIVE_URL } from './sample.ts';

const quiet = (encoding: string, content: Uint8Array): Draft => ({ encoding, content, hasText: false });
const TAILS: Readonly<Record<string, string>> = {
  text: LIVE,
  // The first letter of a page alone begins a frame of AMR.
  page: `\n<html><script>${LIVE}</script>`,
  archive: `PK\x03\x04${LIVE}PK\x05\x06${'\0'.repeat(18)}`,
  'tag of MP3': `TAG${LIVE.padEnd(125, '\0')}`,
};
const tails = (build: (tail: string) => Uint8Array) =>
  Object.entries(TAILS).map(([name, tail]) => quiet(name, build(tail)));

const VOICES: Readonly<Record<string, () => readonly Draft[]>> = {
  tail: () => [
    ...tails((tail) => buildAmr({ tail })),
    ...tails((tail) => buildAmr({ isWide: true, tail })).map((draft) => ({
      ...draft,
      encoding: `wide, ${draft.encoding}`,
    })),
    quiet('half a frame', buildAmr({ tail: `\x3c${LIVE.slice(0, 20)}` })),
    quiet('a frame with a reserved bit', buildAmr({ tail: `\x3d${LIVE.padEnd(31)}` })),
    quiet('a frame of a type that there is none of', buildAmr({ tail: `\x4c${LIVE}` })),
  ],
};

const FORMS: Readonly<Record<string, () => readonly Draft[]>> = {
  chunk: () => [
    quiet('name', buildAiff({ chunks: [['NAME', LIVE]] })),
    quiet('author', buildAiff({ after: [['AUTH', LIVE]] })),
    quiet('notes', buildAiff({ chunks: [['ANNO', LIVE_URL]] })),
    quiet('tag of MP3', buildAiff({ after: [['ID3 ', LIVE]] })),
    quiet('of a program', buildAiff({ coding: 'NONE', chunks: [['APPL', LIVE]] })),
    quiet('name of the coding', buildAiff({ coding: 'sowt', codingName: `\x10${LIVE.padEnd(17)}` })),
    quiet('second samples', buildAiff({ after: [['SSND', LIVE]] })),
    quiet('second form', buildAiff({ chunks: [['COMM', LIVE.padEnd(18)]] })),
    quiet('in front of the samples', buildAiff({ hidden: LIVE })),
    quiet('other case', buildAiff({ after: [['ssnd', LIVE]] })),
  ],
  tail: () => [
    ...tails((tail) => buildAiff({ tail })),
    quiet('unknown coding', buildAiff({ coding: 'evil', after: [['NAME', LIVE]] })),
  ],
};

const CHUNKS: Readonly<Record<string, () => readonly Draft[]>> = {
  list: () => [
    quiet('title', buildAvi({ more: { file: riffList('INFO', riffChunk('INAM', LIVE)) } })),
    quiet('name of a stream', buildAvi({ more: { strl: riffChunk('strn', LIVE) } })),
    quiet('data of a driver', buildAvi({ more: { strl: riffChunk('strd', LIVE) } })),
    quiet('index of a stream', buildAvi({ more: { strl: riffChunk('indx', LIVE) } })),
    quiet('in the head', buildAvi({ more: { hdrl: riffList('odml', riffChunk('dmlh', LIVE)) } })),
    quiet('among the pictures', buildAvi({ more: { movi: riffChunk('ix00', LIVE) } })),
    quiet('text among the pictures', buildAvi({ more: { movi: riffChunk('00tx', LIVE) } })),
    quiet('of a stream that there is none of', buildAvi({ more: { movi: riffChunk('07dc', LIVE) } })),
    quiet(
      'a list that is called like pictures',
      buildAvi({ more: { movi: riffList('00dc', riffChunk('INAM', LIVE)) } }),
    ),
    quiet('XMP', buildAvi({ more: { file: riffChunk('_PMX', `<x:xmpmeta>${LIVE}`) } })),
    quiet('junk', buildAvi({ more: { file: riffChunk('JUNK', LIVE) } })),
  ],
  tail: () => [
    ...tails((tail) => buildAvi({ tail })),
    quiet('a further part', buildAvi({ tail: riffChunk('RIFF', `AVIX${LIVE}`) })),
    quiet('a second film', Buffer.concat([buildAvi(), buildAvi({ more: { file: riffChunk('IDIT', LIVE) } })])),
  ],
  lies: () => [
    quiet('unknown codec', buildAvi({ codec: 'EVIL', more: { strl: riffChunk('strd', LIVE) } })),
    quiet('a stream of text', buildAvi({ kind: 'txts', more: { movi: riffChunk('00tx', LIVE) } })),
    quiet('two heads', buildAvi({ more: { file: riffList('hdrl', riffChunk('strn', LIVE)) } })),
    quiet('a chunk that is too long', buildAvi({ more: { file: `JUNK\xff\xff\xff\x7f${LIVE}` } })),
    quiet(
      'an index of other places',
      buildAvi({ index: Buffer.alloc(16, 0x7f), more: { file: riffChunk('IDIT', LIVE) } }),
    ),
  ],
};

const flac = (content: string) =>
  Buffer.concat([
    Buffer.from('fLaC\0\0\0\x22'),
    Buffer.alloc(34, 1),
    Buffer.of(0x84, 0, 0, content.length),
    Buffer.from(content),
  ]);
const ELEMENTS: Readonly<Record<string, () => readonly Draft[]>> = {
  metadata: () => [
    quiet('title', buildWebm({ more: { info: element('7ba9', LIVE) } })),
    quiet('name of the file', buildWebm({ more: { info: element('7384', LIVE_URL) } })),
    quiet('program', buildWebm({ program: LIVE })),
    quiet('tags', buildWebm({ more: { segment: element('1254c367', element('7373', LIVE)) } })),
    quiet(
      'attached file',
      buildWebm({ kind: 'matroska', more: { segment: element('1941a469', element('61a7', LIVE)) } }),
    ),
    quiet('chapters', buildWebm({ more: { segment: element('1043a770', LIVE) } })),
    quiet('name of a track', buildWebm({ more: { track: element('536e', LIVE) } })),
    quiet('language', buildWebm({ more: { track: element('22b59c', LIVE) } })),
    quiet('page of the codec', buildWebm({ more: { track: element('3b4040', LIVE_URL) } })),
    quiet('in the head', buildWebm({ more: { head: element('4281', LIVE) } })),
    quiet('in a cluster', buildWebm({ more: { cluster: element('af', LIVE) } })),
    quiet('unknown', buildWebm({ more: { segment: element('4242', LIVE) } })),
    quiet('in a film of a browser', buildWebm({ isLive: true, program: LIVE, more: { info: element('7ba9', LIVE) } })),
    quiet('tags behind a film of a browser', buildWebm({ isLive: true, more: { segment: element('1254c367', LIVE) } })),
    quiet('comments of Vorbis', buildWebm({ codec: 'A_VORBIS', type: 2, settings: vorbisSettings(`TITLE=${LIVE}`) })),
    quiet('comments of FLAC', buildWebm({ kind: 'matroska', codec: 'A_FLAC', type: 2, settings: flac(LIVE) })),
  ],
  free: () => [
    quiet('in the segment', buildWebm({ more: { segment: element('ec', LIVE) } })),
    quiet('in a cluster', buildWebm({ more: { cluster: element('ec', LIVE) } })),
    quiet('checksum', buildWebm({ more: { info: element('bf', LIVE) } })),
  ],
  track: () => [
    quiet(
      'subtitles',
      buildWebm({
        more: {
          tracks: element(
            'ae',
            element('d7', '\x02'),
            element('83', '\x11'),
            element('86', 'S_TEXT/UTF8'),
            element('536e', LIVE),
          ),
        },
      }),
    ),
    quiet('block of no track', buildWebm({ more: { cluster: element('a3', `\x82\0\0\x80${LIVE}`) } })),
    quiet('group of no track', buildWebm({ more: { cluster: element('a0', element('a1', `\x85\0\0\0${LIVE}`)) } })),
    quiet('only subtitles', buildWebm({ type: 0x11, codec: 'S_TEXT/UTF8', program: LIVE })),
    quiet('unknown codec', buildWebm({ codec: 'V_EVIL', program: LIVE })),
    quiet('packed once more', buildWebm({ program: LIVE, more: { track: element('6d80', element('6240', LIVE)) } })),
  ],
  lies: () => [
    quiet('two types of a track', buildWebm({ program: LIVE, more: { track: element('83', '\x11') } })),
    quiet(
      'two tracks of a number',
      buildWebm({
        program: LIVE,
        more: { tracks: element('ae', element('d7', '\x01'), element('83', '\x01'), element('86', 'V_VP8')) },
      }),
    ),
    quiet('a value that is too long', buildWebm({ more: { info: element('4489', LIVE.repeat(3)) } })),
    quiet('a child longer than its element', buildWebm({ more: { info: `\x7b\xa9\xfe${LIVE}` } })),
    quiet('an element of unknown length', buildWebm({ more: { info: `\x7b\xa9\xff${LIVE}` } })),
    quiet('settings that are none', buildWebm({ codec: 'A_VORBIS', type: 2, settings: `\x02\x05\x05${LIVE}` })),
  ],
  tail: () => [
    ...tails((tail) => buildWebm({ tail })),
    ...tails((tail) => buildWebm({ isLive: true, tail })).map((draft) => ({
      ...draft,
      encoding: `of a browser, ${draft.encoding}`,
    })),
    quiet('a second film', Buffer.concat([buildWebm(), buildWebm({ program: LIVE })])),
  ],
};

const generator =
  (table: Readonly<Record<string, () => readonly Draft[]>>): Generator =>
  (line) =>
    table[line]?.() ?? [];

export const filmSamples: Readonly<Record<string, Generator>> = {
  'film/voice': generator(VOICES),
  'film/form': generator(FORMS),
  'film/chunk': generator(CHUNKS),
  'film/element': generator(ELEMENTS),
};
