/** A second look at AVI: only these chunks at only these places, and empty chunks that are really empty. */
import type { Findings } from '../fact.ts';

const LISTS = /^\/AVI (?:\/hdrl(?:\/strl)?|\/movi(?:\/rec )?)$/;
const DATA = /^\/AVI (?:\/idx1|\/hdrl(?:\/avih|\/strl\/str[hf])|\/movi(?:\/rec )?\/(\d\d)(?:d[bc]|wb))$/;
const PICTURES =
  /^(?:mjpg|xvid|div[x3-5]|dx50|mp4[1-3v]|fmp4|mpg4|[hx]264|h263|avc1|hevc|vp[89]0|cvid|iv[345][0-2]|dv[sh]d|dib |rgb |yuy2|uyvy|i420|yv12|wmv[1-3])$/;
const SOUNDS = [1, 2, 3, 6, 7, 0x11, 0x31, 0x50, 0x55, 0xff, 0x161, 0x162, 0x2000];
/** The most chunks that are read in an original. */
const MAX_CHUNKS = 1_000_000;

interface Seen {
  readonly view: Buffer;
  readonly findings: Findings;
  streams: number;
  kind: string;
}

/** Searches a film from its first byte to its last. */
export function inspectAvi(view: Buffer, findings: Findings): void {
  const seen: Seen = { view, findings, streams: 0, kind: '' };
  const end = 8 + view.readUInt32LE(4);
  if (end !== view.length) findings.add('media-size', 'RIFF');
  walk(seen, '/AVI ', 12, Math.min(end, view.length));
  if (seen.streams === 0) findings.add('media-empty', 'hdrl');
}

function walk(seen: Seen, path: string, from: number, end: number): void {
  const { view, findings } = seen;
  let at = from;
  while (at < end) {
    const size = at + 8 > end ? -1 : view.readUInt32LE(at + 4);
    if (size < 0 || at + 8 + size > end) {
      findings.add('media-left-over', `${path} byte ${at}`);
      return;
    }
    const [id, content] = [view.toString('latin1', at, at + 4), view.subarray(at + 8, at + 8 + size)];
    const place = `${path}/${id === 'LIST' ? content.toString('latin1', 0, 4) : id}`;
    if (id === 'JUNK') content.every((byte) => byte === 0) || findings.add('media-free-space', place);
    else if (id === 'LIST' && LISTS.test(place)) walk(seen, place, at + 12, at + 8 + size);
    else if (id === 'LIST' || !DATA.test(place)) findings.add('media-chunk', place);
    else inspectChunk(seen, place, content);
    at = Math.min(end, at + 8 + size + (size & 1));
  }
}

function inspectChunk(seen: Seen, place: string, content: Buffer): void {
  const { findings } = seen;
  if (place.endsWith('/avih') && content.length !== 56) findings.add('media-size', place);
  if (place.endsWith('/idx1') && content.length % 16 !== 0) findings.add('media-table', place);
  if (place.endsWith('/strh')) {
    seen.streams += 1;
    seen.kind = content.toString('latin1', 0, 4);
    if (content.length > 64) findings.add('media-size', place);
  }
  if (place.endsWith('/strf') && !isForm(seen.kind, content)) findings.add('media-codec', place);
  const [, stream] = DATA.exec(place) ?? [];
  if (stream !== undefined && Number(stream) >= seen.streams) findings.add('media-track', place);
}

function isForm(kind: string, form: Buffer): boolean {
  if (form.length > 4_096) return false;
  if (kind === 'auds') return form.length >= 14 && SOUNDS.includes(form.readUInt16LE(0));
  if (kind !== 'vids' || form.length < 40) return false;
  return form.readUInt32LE(16) < 4 || PICTURES.test(form.toString('latin1', 16, 20).toLowerCase());
}

/** Returns the number of bytes of sound and pictures. It is tolerant: an original may be damaged. */
export function samplesOfAvi(view: Buffer): number {
  let [bytes, chunks, streams] = [0, 0, 0];
  for (let at = 12; at + 8 <= view.length && chunks < MAX_CHUNKS; chunks += 1) {
    const [id, size] = [view.toString('latin1', at, at + 4), view.readUInt32LE(at + 4)];
    const isEntered = id === 'LIST' && /^(?:hdrl|strl|movi|rec )$/.test(view.toString('latin1', at + 8, at + 12));
    if (id === 'strh') streams += 1;
    if (/^\d\d(?:d[bc]|wb)$/.test(id) && Number(id.slice(0, 2)) < streams)
      bytes += Math.min(size, view.length - at - 8);
    at += isEntered ? 12 : 8 + size + (size & 1);
  }
  return bytes;
}
