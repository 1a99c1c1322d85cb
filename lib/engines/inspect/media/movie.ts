/** A second look at MP4, M4A and QuickTime files: only these boxes at only these places, and free space that is empty. */
import type { Findings } from '../fact.ts';

/** The places of boxes that hold boxes. */
const HOLDERS = /^\/(?:moov(?:\/(?:trak(?:\/(?:edts|mdia(?:\/minf(?:\/(?:dinf|stbl))?)?))?|mvex))?|moof(?:\/traf)?)$/;
/** The places of boxes with data. */
const DATA = new RegExp(
  `^/(?:${[
    'ftyp|styp|mdat',
    'moov/(?:mvhd|mvex/(?:mehd|trex))',
    'moov/trak/(?:tkhd|edts/elst|mdia/(?:mdhd|hdlr))',
    'moov/trak/mdia/minf/(?:vmhd|smhd|hdlr|dinf/dref)',
    'moov/trak/mdia/minf/stbl/(?:stsd|stts|ctts|stsc|stsz|stz2|stco|co64|stss|stps)',
    'moof/(?:mfhd|traf/(?:tfhd|tfdt|trun))',
  ].join('|')})$`,
);
const CODECS =
  /^(?:avc[13]|hvc1|hev1|mp4[av]|s263|vp0[89]|av01|m?jpeg|mjp[ab]|apc[hnso]|ap4h|dvh[1e]|sam[r]|sawb|alac|[ae]c-3|Opus|fLaC|sowt|twos|[ua]law|lpcm|in(?:24|32)|fl(?:32|64)|raw )$/;
const FREE = /^(?:free|skip|wide)$/;

/** Searches a film from its first byte to its last. */
export function inspectMovie(view: Buffer, findings: Findings): void {
  const counts = new Map<string, number>();
  walk({ view, findings, counts }, '', 0, view.length);
  for (const one of ['/ftyp', '/moov']) if (counts.get(one) !== 1) findings.add('media-box-count', one);
  if (!counts.has('/moov/trak')) findings.add('media-empty', 'moov');
}

interface Walk {
  readonly view: Buffer;
  readonly findings: Findings;
  readonly counts: Map<string, number>;
}

function walk(state: Walk, path: string, from: number, end: number): void {
  const { view, findings, counts } = state;
  let at = from;
  while (at < end) {
    if (path !== '' && end - at === 4 && view.readUInt32BE(at) === 0) return;
    const size = at + 8 > end ? -1 : sizeAt(view, at, end, path);
    const header = view.readUInt32BE(Math.min(at, view.length - 4)) === 1 ? 16 : 8;
    if (size < header || at + size > end) {
      findings.add('media-left-over', `${path} byte ${at}`);
      return;
    }
    const type = view.toString('latin1', at + 4, at + 8);
    const place = `${path}/${type}`;
    counts.set(place, (counts.get(place) ?? 0) + 1);
    if (FREE.test(type)) isEmpty(view, at + header, at + size) || findings.add('media-free-space', place);
    else if (HOLDERS.test(place)) walk(state, place, at + header, at + size);
    else if (!DATA.test(place)) findings.add('media-box', place);
    else inspectBox(state, type, at + header, at + size);
    at += size;
  }
}

/** Returns the size of a box. Zero means the rest of the file, and only the samples may have it. */
function sizeAt(view: Buffer, at: number, end: number, path: string): number {
  const size = view.readUInt32BE(at);
  if (size === 0) return path === '' && view.toString('latin1', at + 4, at + 8) === 'mdat' ? end - at : -1;
  if (size !== 1) return size;
  return at + 16 > end ? -1 : Number(view.readBigUInt64BE(at + 8));
}

const isEmpty = (view: Buffer, from: number, end: number) => view.subarray(from, end).every((byte) => byte === 0);

function inspectBox({ view, findings }: Walk, type: string, from: number, end: number): void {
  if (type === 'hdlr' && !isEmpty(view, from + 12, end)) findings.add('media-name', type);
  if (type === 'ftyp' && end - from > 512) findings.add('media-size', type);
  if (/^(?:mvhd|tkhd|mdhd)$/.test(type) && !isEmpty(view, from + 4, from + (view[from] === 1 ? 20 : 12)))
    findings.add('media-time', type);
  if (type === 'dref')
    for (const [kind, start, last] of entries(view, from, end))
      inspectPlace(kind, view.subarray(start, last), findings);
  if (type === 'stsd') for (const entry of entries(view, from, end)) inspectCodec(view, entry, findings);
  const row = ROWS[type];
  if (
    row !== undefined &&
    8 + view.readUInt32BE(from + 4) * (view[from] === 1 && type === 'elst' ? 20 : row) > end - from
  )
    findings.add('media-table', type);
}

/** Bytes of a row of the tables that count their rows. */
const ROWS: Readonly<Record<string, number>> = {
  stts: 8,
  ctts: 8,
  stsc: 12,
  stco: 4,
  co64: 8,
  stss: 4,
  stps: 4,
  elst: 12,
};
/** Boxes that are allowed in the entry of a codec. */
const SETTINGS =
  /^(?:avcC|hvcC|esds|pasp|colr|btrt|fiel|clap|dOps|dfLa|vpcC|av1C|dv[cv]C|chan|wave|alac|damr|d263|d[ae]c3|gama|clli|mdcv)$/;
/** Codecs of sound. The head of their entries is shorter. */
const SOUND = /^(?:mp4a|sam[r]|sawb|alac|[ae]c-3|Opus|fLaC|sowt|twos|[ua]law|lpcm|in(?:24|32)|fl(?:32|64)|raw )$/;

function inspectCodec(view: Buffer, [kind, from, end]: Entry, findings: Findings): void {
  if (!CODECS.test(kind) || end - from < 20) {
    findings.add('media-codec', kind);
    return;
  }
  const head = SOUND.test(kind)
    ? 28 + 16 * Math.min(2, view.readUInt16BE(from + 8)) + (view.readUInt16BE(from + 8) === 2 ? 4 : 0)
    : 78;
  // The entries of this box are read as entries whose list of boxes begins here.
  for (const [type, start, last] of entries(view, from + head - 8, end)) {
    const isZeros = type === '' && end - start === 4 && isEmpty(view, start, end);
    const isFree = type === 'free' && isEmpty(view, start, last);
    if (!isZeros && !isFree && !SETTINGS.test(type)) findings.add('media-box', `codec/${type}`);
  }
}

/** Checks that samples are in the file itself: flag 1, and no address behind it. */
function inspectPlace(kind: string, content: Buffer, findings: Findings): void {
  const isHere = /^(?:url |alis)$/.test(kind) && content.length === 4 && content.readUInt32BE(0) === 1;
  if (!isHere) findings.add('media-remote', kind);
}

type Entry = readonly [kind: string, start: number, end: number];

/** Reads the entries of a box that begins with their number. An entry that does not fit has no kind. */
function entries(view: Buffer, from: number, end: number): Entry[] {
  const found: Entry[] = [];
  for (let at = from + 8; at < end; ) {
    const size = at + 8 <= end ? view.readUInt32BE(at) : 0;
    if (size < 8 || at + size > end) return [...found, ['', at, end]];
    found.push([view.toString('latin1', at + 4, at + 8), at + 8, at + size]);
    at += size;
  }
  return found;
}
