/** The kind of film, recording or picture that an ISO base media file is, by its brand (ISO/IEC 14496-12, 4.3). */

const AUDIO = new Set(['M4A ', 'M4B ']);
const AVIF = new Set(['avif', 'avis']);
/** HEVC pictures, and sequences of them (ISO/IEC 23008-12, B.4). */
const HEIC = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs']);
/** Pictures of any codec. The brands after it name the codec. */
const ANY_PICTURE = new Set(['mif1', 'mif2', 'msf1']);
/** The most brands after the first that are read. Files have fewer than ten. */
const MAX_BRANDS = 64;
const QUICKTIME = 'qt  ';
const VIDEO = /^(?:iso[m2-9]|mp4[12]|avc1|M4V[ HP]|MSNV|mmp4|dash|f4v |F4V |3g[p2][0-9a-z])$/;

export type Brand = 'audio' | 'quicktime' | 'video' | 'avif' | 'heic';

/** Returns the kind by the brand after `ftyp`. Returns null for unknown kinds. */
export function brandOf(bytes: Uint8Array): Brand | null {
  const brand = Buffer.from(bytes.subarray(8, 12)).toString('latin1');
  if (AUDIO.has(brand)) return 'audio';
  if (AVIF.has(brand)) return 'avif';
  if (HEIC.has(brand)) return 'heic';
  if (ANY_PICTURE.has(brand)) return pictureBrand(bytes);
  if (brand === QUICKTIME) return 'quicktime';
  return VIDEO.test(brand) ? 'video' : null;
}

/** Returns the first brand of the list after the main one that names a codec (ISO/IEC 14496-12, 4.3). */
function pictureBrand(bytes: Uint8Array): Brand | null {
  const box = Buffer.from(bytes.subarray(0, 16 + MAX_BRANDS * 4));
  const end = Math.min(box.length, box.length < 4 ? 0 : box.readUInt32BE(0));
  for (let at = 16; at + 4 <= end; at += 4) {
    const brand = box.toString('latin1', at, at + 4);
    if (AVIF.has(brand)) return 'avif';
    if (HEIC.has(brand)) return 'heic';
  }
  return null;
}
