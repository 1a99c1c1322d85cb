/**
 * A second look at WebM and Matroska: only these elements at only these places, empty elements that are really empty, and no comments of
 * codecs.
 */
import type { Findings } from '../fact.ts';

/** Elements that hold elements, by their place. Places are written as the numbers of the elements. */
const HOLDERS = new RegExp(
  `^/(?:1a45dfa3|18538067(?:/(?:${[
    '114d9b74(?:/4dbb)?',
    '1549a966',
    '1654ae6b(?:/ae(?:/(?:e0(?:/55b0(?:/55d0)?)?|e1))?)?',
    '1f43b675(?:/a0)?',
    '1c53bb6b(?:/bb(?:/b7)?)?',
  ].join('|')}))?)$`,
);
/** Elements with a value, by the element around them. */
const VALUES: readonly (readonly [RegExp, RegExp])[] = [
  [/\/1a45dfa3$/, /^(?:42(?:8[2567]|f[237]))$/],
  [/\/4dbb$/, /^53a[bc]$/],
  [/\/1549a966$/, /^(?:2ad7b1|4489|4d80|5741)$/],
  [/\/ae$/, /^(?:d7|73c5|8[368]|b9|55aa|9c|6de7|6df8|23e383|55ee|63a2|56aa|56bb)$/],
  [/\/e0$/, /^(?:9[ad]|53[bc][08]|b[0a]|54(?:aa|bb|cc|dd|b0|ba|b2))$/],
  [/\/55b0$/, /^55b[1-9a-d]$/],
  [/\/55d0$/, /^55d[1-9a]$/],
  [/\/e1$/, /^(?:b5|78b5|9f|6264)$/],
  [/\/1f43b675$/, /^(?:e7|a3|ab|a7)$/],
  [/\/a0$/, /^(?:a1|9b|fb|75a2)$/],
  [/\/bb$/, /^b3$/],
  [/\/b7$/, /^(?:f7|f[01]|b2|5378)$/],
];
const CODECS =
  /^(?:V_(?:VP[89]|AV1|MPEG4\/ISO\/A(?:VC|SP)|MPEGH\/ISO\/HEVC|MJPEG)|A_(?:OPUS|VORBIS|AAC|MPEG\/L[23]|E?AC3|FLAC|PCM\/(?:INT\/LIT|FLOAT\/IEEE)))$/;
/** The elements of a segment. A cluster without a written end ends at one of them. */
const LEVEL_ONE = /^(?:114d9b74|1549a966|1654ae6b|1f43b675|1c53bb6b|1043a770|1941a469|1254c367)$/;
const [BLOCK, SIMPLE_BLOCK, CLUSTER, SEGMENT] = ['a1', 'a3', '1f43b675', '18538067'];

interface Element {
  readonly id: string;
  readonly from: number;
  readonly end: number;
  readonly isOpen: boolean;
}

/** The results of one walk through a file. */
interface Seen {
  readonly view: Buffer;
  readonly tracks: Map<number, number>;
  /** Called with each element that holds no others, and its place. */
  readonly onValue: (place: string, parent: string, element: Element) => void;
  /** Called for everything that does not fit. */
  readonly onFault: (id: string, where: string) => void;
}

/** Searches a film from its first byte to its last. */
export function inspectWebm(view: Buffer, findings: Findings): void {
  const tracks = new Map<number, number>();
  const onFault = (id: string, where: string) => findings.add(id, where);
  const seen: Seen = {
    view,
    tracks,
    onFault,
    onValue: (place, parent, element) => inspectValue({ view, tracks, onFault }, place, parent, element),
  };
  const end = walk(seen, '', { id: '', from: 0, end: view.length, isOpen: false });
  if (end !== view.length) onFault('media-left-over', `byte ${end}`);
  if (tracks.size === 0) onFault('media-empty', 'tracks');
}

/** Walks through an element, and returns where it ends. */
function walk(seen: Seen, path: string, { from, end, isOpen, id: own }: Element): number {
  let at = from;
  while (at < end) {
    const element = elementAt(seen.view, at, end);
    if (element === null) {
      if (!isOpen) seen.onFault('media-left-over', `${path} byte ${at}`);
      return at;
    }
    if (isOpen && own === CLUSTER && LEVEL_ONE.test(element.id)) return at;
    const place = `${path}/${element.id}`;
    if (element.isOpen && element.id !== CLUSTER && element.id !== SEGMENT) seen.onFault('media-size', place);
    if (element.id === 'ae') noteTrack(seen, element);
    if (HOLDERS.test(place)) at = walk(seen, place, element);
    else {
      seen.onValue(place, path, element);
      at = element.end;
    }
  }
  return at;
}

/** Reads the head of an element. Returns null when there is no whole element. */
function elementAt(view: Buffer, at: number, end: number): Element | null {
  const [id, size] = [lengthOf(view, at), lengthOf(view, at + lengthOf(view, at))];
  const from = at + id + size;
  if (id === 0 || id > 4 || size === 0 || from > end) return null;
  const name = view.toString('hex', at, at + id);
  const known =
    size <= 6
      ? view.readUIntBE(at + id, size) % 2 ** (7 * size)
      : Number(view.readBigUInt64BE(from - 8) & ((1n << BigInt(7 * size)) - 1n));
  const isOpen = [...view.subarray(at + id, from)].every(
    (byte, index) => byte === (index === 0 ? 255 >> (size - 1) : 255),
  );
  const last = isOpen ? end : from + known;
  return last > end ? null : { id: name, from, end: last, isOpen };
}

/** Returns the number of bytes of a number, or 0 when none begins here. */
function lengthOf(view: Buffer, at: number): number {
  const first = view[at] ?? 0;
  return first === 0 ? 0 : Math.clz32(first) - 23;
}

/** Checks the numbers and the kinds of tracks. */
function noteTrack({ view, tracks }: Seen, track: Element): void {
  let [number, kind] = [-1, 0];
  for (let at = track.from; at < track.end; ) {
    const element = elementAt(view, at, track.end);
    if (element === null) return;
    const size = Math.min(6, element.end - element.from);
    if (element.id === 'd7' && size > 0) number = view.readUIntBE(element.from, size);
    if (element.id === '83' && size > 0) kind = view.readUIntBE(element.from, size);
    at = element.end;
  }
  tracks.set(number, kind);
}

type Search = Pick<Seen, 'view' | 'tracks' | 'onFault'>;

function inspectValue({ view, tracks, onFault }: Search, place: string, parent: string, element: Element): void {
  const { id, from, end } = element;
  const content = view.subarray(from, end);
  if (id === 'ec') {
    if (content.some((byte) => byte !== 0)) onFault('media-free-space', place);
    return;
  }
  if (!VALUES.some(([holder, name]) => holder.test(parent) && name.test(id))) onFault('media-box', place);
  if (id === BLOCK || id === SIMPLE_BLOCK) {
    if (!isPlayed(tracks.get(trackOfBlock(content)))) onFault('media-track', place);
  } else if (id === '63a2') inspectSettings(content, place, onFault);
  else if (id === '86') CODECS.test(content.toString('latin1').replace(/\0+$/, '')) || onFault('media-codec', place);
  else if (id === '4d80' || id === '5741') content.every((byte) => byte === 0) || onFault('media-name', place);
  else if (content.length > 16) onFault('media-size', place);
}

const isPlayed = (kind: number | undefined) => kind === 1 || kind === 2;

function trackOfBlock(content: Buffer): number {
  const length = lengthOf(content, 0);
  return length === 0 || length > Math.min(6, content.length) ? -1 : content.readUIntBE(0, length) % 2 ** (7 * length);
}

/** Checks that comments of Vorbis and blocks of FLAC are empty. */
function inspectSettings(content: Buffer, place: string, onFault: Seen['onFault']): void {
  if (content.length > 65_536) onFault('media-size', place);
  // Only the settings of Vorbis begin with the number of the packets behind the first.
  if (content[0] === 2 && !areEmptyComments(content)) onFault('media-name', place);
  if (content.toString('latin1', 0, 4) !== 'fLaC') return;
  const rest = content.subarray(8 + 34);
  for (let at = 0; at + 4 <= rest.length; ) {
    const end = at + 4 + rest.readUIntBE(at + 1, 3);
    if (((rest[at] as number) & 0x7f) !== 1 || rest.subarray(at + 4, end).some((byte) => byte !== 0))
      onFault('media-name', place);
    at = end;
  }
}

/** The kind of the file, in its head. */
const HEAD_KIND = '/1a45dfa3/4282';

function areEmptyComments(settings: Buffer): boolean {
  const at = settings.indexOf('\x03vorbis', 0, 'latin1');
  if (at < 0 || at + 11 > settings.length) return false;
  const vendor = settings.readUInt32LE(at + 7);
  const words = settings.subarray(at + 11, at + 11 + vendor + 4);
  return words.length === vendor + 4 && words.every((byte) => byte === 0);
}

/** Returns the number of bytes of the blocks of sound and pictures. It is tolerant: an original may be damaged. */
export function samplesOfWebm(view: Buffer): number {
  let [bytes, heads] = [0, 0];
  const tracks = new Map<number, number>();
  const onValue: Seen['onValue'] = (place, _parent, { id, from, end }) => {
    // A second film behind the first one is not played.
    heads += place === HEAD_KIND ? 1 : 0;
    if (heads > 1) return;
    const isBlock = id === BLOCK || id === SIMPLE_BLOCK;
    if (isBlock && isPlayed(tracks.get(trackOfBlock(view.subarray(from, end))))) bytes += end - from;
  };
  walk({ view, tracks, onValue, onFault: () => undefined }, '', { id: '', from: 0, end: view.length, isOpen: false });
  return bytes;
}
