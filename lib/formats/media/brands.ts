/** What kind of film, recording or picture an ISO base media file is, by its brand (ISO/IEC 14496-12, 4.3). */

const AUDIO = new Set(['M4A ', 'M4B ']);
const PICTURES = new Set(['avif', 'avis']);
const QUICKTIME = 'qt  ';
const VIDEO = /^(?:iso[m2-9]|mp4[12]|avc1|M4V[ HP]|MSNV|mmp4|dash|f4v |F4V |3g[p2][0-9a-z])$/;

export type Brand = 'audio' | 'quicktime' | 'video' | 'picture';

/** The kind by the brand behind `ftyp`. `picture` is AVIF. Null for HEIC and for what is not known here. */
export function brandOf(bytes: Uint8Array): Brand | null {
  const brand = Buffer.from(bytes.subarray(8, 12)).toString('latin1');
  if (AUDIO.has(brand)) return 'audio';
  if (PICTURES.has(brand)) return 'picture';
  if (brand === QUICKTIME) return 'quicktime';
  return VIDEO.test(brand) ? 'video' : null;
}
