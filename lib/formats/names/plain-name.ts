/** Decides whether every program reads a name alike, so that a file may keep the name its sender gave it. */
import { decodings, UNSEEN } from './name-readings.ts';

/** Windows opens a device by these names, with any extension. */
const DEVICE =
  /^(?:con|prn|aux|nul|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3]|conin\$|conout\$|clock\$)\s*(?:\.|$)/i;
/** Characters that act, separate or turn text around. Those that ordinary names need are removed before the check. */
const ACTING = new RegExp(`[\\p{C}\\p{Zl}\\p{Zp}\\\\/"<>|*${UNSEEN}]`, 'u');
/** Characters that people, or programs with a code page, take for a dot, a slash or a colon. */
const LOOK_ALIKE =
  /[\u2024-\u2026\u2044\u2215\u2216\u2236\u29f5\u29f8\u3002\ua789\ufe30\ufe52\ufe55\ufe68\uff0e\uff0f\uff1a\uff3c\uff61]/u;
/** White space other than the blanks of names: plain, no-break, narrow (in times, as macOS writes them) and ideographic. */
const OTHER_SPACE = /[^\S \u00a0\u202f\u3000]/u;
/** A drive, a stream, or the type of a stream. */
const STREAM = /^[a-z]:|::|:\s*\$/i;
/** The start of a web address. Programs make a link of it. */
const LINK = /(?:^|[^a-z0-9])(?:www\d{0,3}|ftp)\./i;
/** Joiners between two characters beyond ASCII. They join emoji, or letters of scripts that are written joined. */
const JOINER = /(?<=\P{ASCII})[\u200c\u200d](?=\P{ASCII})/gu;
/** Selectors of the coloured form of the sign before them. */
const VARIATION = /(?<=[\p{Extended_Pictographic}0-9#*])[\ufe0e\ufe0f]/gu;
/** Marks of direction, which names in right-to-left scripts have. They turn no other letters around. */
const MARK = /[\u061c\u200e\u200f]/g;
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** Most characters of a name. File systems allow 255 bytes. */
const MAX_CHARACTERS = 200;
/** Some systems cut longer names. If there is another dot before the cut, the name gets another extension. */
const UNCUT_CHARACTERS = 100;
const UNCUT_BYTES = 240;

/** Returns true for a name that every system shows and stores unchanged, and opens by the one extension at its end. */
export function isPlainName(name: string): boolean {
  if (name === '' || name.length > MAX_CHARACTERS || name.includes('=?')) return false;
  return decodings(name).every(isPlain);
}

function isPlain(name: string): boolean {
  if (/^[\s.]|[\s.]$|\s{3,}/u.test(name) || DEVICE.test(name) || STREAM.test(name) || LINK.test(name)) return false;
  if (LOOK_ALIKE.test(name) || OTHER_SPACE.test(name) || isCutSomewhere(name)) return false;
  const written = name.replace(JOINER, '').replace(VARIATION, '');
  return !ACTING.test(RIGHT_TO_LEFT.test(name) ? written.replace(MARK, '') : written);
}

function isCutSomewhere(name: string): boolean {
  const isLong = name.length > UNCUT_CHARACTERS || Buffer.byteLength(name) > UNCUT_BYTES;
  return isLong && (name.match(/\.(?=[a-z{])/gi) ?? []).length > 1;
}
