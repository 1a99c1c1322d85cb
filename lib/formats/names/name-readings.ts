/**
 * Lists the readings of a file name in different programs. Each program cuts it, drops characters, decodes it and converts it to other
 * alphabets in its own way. Then it opens the file by the remaining extension. Linear in the length of the name.
 */

/** Full stops that programs take for a dot. NFKC turns the others of their kind into one. */
const DOTS = /[\u3002\uff61]/g;
/** Slashes and colons of other scripts. Windows turns them into plain ones when a program uses a code page. */
const SEPARATORS: Readonly<Record<string, string>> = {
  '\u2044': '/',
  '\u2215': '/',
  '\u29f8': '/',
  '\u2216': '\\',
  '\u29f5': '\\',
  '\u2236': ':',
  '\ua789': ':',
};
/** Letters with a stroke. Code pages turn them into plain letters, and Unicode does not decompose them. */
const STROKES: Readonly<Record<string, string>> = {
  '\u0131': 'i',
  '\u0142': 'l',
  '\u0111': 'd',
  '\u0127': 'h',
  '\u0167': 't',
  '\u0180': 'b',
  '\u0268': 'i',
  '\u019a': 'l',
  '\u01ab': 't',
  '\u01b6': 'z',
  '\u00f8': 'o',
};
const OTHERS = new RegExp(`[${Object.keys({ ...SEPARATORS, ...STROKES }).join('')}]`, 'g');

/** Characters without a shape that Unicode counts as letters, accents or signs: fillers, and the Braille pattern without dots. */
export const FILLERS = '\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u2800\\u3164\\uffa0';
/** All invisible characters of that kind. The others choose the shape of the character before them, as in an emoji. */
export const UNSEEN = `${FILLERS}\\u180b-\\u180f\\ufe00-\\ufe0f\\ufffd`;
/**
 * Some programs cut a name at these characters, and others do not: ends of strings and lines, separators of paths, streams (`a.txt:b.js`)
 * and header parameters, invisible characters, and white space other than the single blank of ordinary names.
 */
const CUTS = new RegExp(`[\\p{C}\\p{Zl}\\p{Zp}\\\\/:;"${UNSEEN}]|[^\\S ]| {2,}`, 'u');
/** Characters that Windows does not allow in a name. Some programs drop them, and none cuts there. */
const DROPPED = /[*?<>|]/g;
/** The letters of Windows-1252 beyond ASCII. Some programs read invalid bytes of UTF-8 as these letters, and others drop them. */
const HIGH_LETTERS =
  /[\u0080-\u00ff\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013-\u203a\u20ac\u2122]/g;
/** Windows, or programs that read a header, drop these characters at the end of a name. */
const AT_END = /[\s."'\u201c\u201d]/u;
/** Characters at the end of a name in which an extension is looked for. The longest one has 36 characters. */
const WINDOW = 200;
/** How often percent signs are decoded. `%252e` is a dot to a program that decodes twice. */
const DECODINGS = 2;

/**
 * Returns every extension by which some program may open a name, in lower case and without the dot. Empty for a reading without one. When
 * there are several, the most dangerous one must count.
 */
export function extensionReadings(untrustedName: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const decoded of decodings(untrustedName))
    for (const spelling of spellings(decoded)) {
      let whole = '';
      for (const piece of spelling.split(CUTS)) {
        addExtension(found, piece);
        whole += piece;
        addExtension(found, whole);
        whole = whole.slice(-WINDOW);
      }
    }
  return found;
}

/** Returns the name, and the name with its percent signs decoded once and twice. */
export function decodings(name: string): readonly string[] {
  const found = [name];
  for (let decoded = name; found.length <= DECODINGS; found.push(decoded)) {
    const next = percentDecoded(decoded);
    if (next === decoded) break;
    decoded = next;
  }
  return found;
}

function percentDecoded(name: string): string {
  return name.replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'));
}

function spellings(name: string): ReadonlySet<string> {
  const composed = name.normalize('NFKC').replace(DOTS, '.');
  const fitted = composed
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(OTHERS, (char) => SEPARATORS[char] ?? STROKES[char] ?? char);
  return new Set([name, composed, fitted, composed.replace(DROPPED, ''), composed.replace(HIGH_LETTERS, '')]);
}

function addExtension(found: Set<string>, text: string): void {
  let end = text.length;
  while (end > 0 && AT_END.test(text.charAt(end - 1))) end--;
  if (end === 0) return;
  const from = Math.max(0, end - WINDOW);
  const tail = text.slice(from, end);
  const dot = tail.lastIndexOf('.');
  found.add(
    dot === -1
      ? ''
      : tail
          .slice(dot + 1)
          .trim()
          .toLowerCase(),
  );
}
