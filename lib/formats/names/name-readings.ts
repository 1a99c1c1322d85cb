/**
 * What programs make of a file name. They cut it, drop characters from it, decode it and fit it into other alphabets, each in
 * its own way, and then open the file by the extension that is left. Pure, and linear in the length of the name.
 */

/** Full stops that are taken for a dot; the others of their kind become one by compatibility (NFKC). */
const DOTS = /[\u3002\uff61]/g;
/** Slashes and colons of other scripts, which Windows fits to its own when a program uses a code page. */
const SEPARATORS: Readonly<Record<string, string>> = {
  '\u2044': '/',
  '\u2215': '/',
  '\u29f8': '/',
  '\u2216': '\\',
  '\u29f5': '\\',
  '\u2236': ':',
  '\ua789': ':',
};
/** Letters with a stroke, which code pages fit to the plain one and which no decomposition takes apart. */
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

/** Marks that nobody sees although Unicode counts them as letters or accents. */
export const UNSEEN = '\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u2800\\u3164\\ufe00-\\ufe0f\\uffa0\\ufffd';
/**
 * Where a name is cut by some programs and goes on for others: what ends a string or a line, paths, streams (`a.txt:b.js`), ends
 * of a header parameter, what is not seen, and white space but for the single blank that ordinary names are full of.
 */
const CUTS = new RegExp(`[\\p{C}\\p{Zl}\\p{Zp}\\\\/:;"${UNSEEN}]|[^\\S ]| {2,}`, 'u');
/** What no system for Windows allows in a name: some programs drop it, none cuts there. */
const DROPPED = /[*?<>|]/g;
/** The letters of Windows-1252 beyond ASCII: bytes that are none in UTF-8 are these to some and nothing to others. */
const HIGH_LETTERS =
  /[\u0080-\u00ff\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013-\u203a\u20ac\u2122]/g;
/** Dropped at the end of a name by Windows or by whoever reads a header. */
const AT_END = /[\s."'\u201c\u201d]/u;
/** As far back as an extension is looked for: the longest one has 36 characters. */
const WINDOW = 200;
/** `%252e` is a dot to whoever decodes twice. */
const DECODINGS = 2;

/**
 * Every extension that some program may open a name by: lower case, without the dot, empty for a reading that has none. More
 * than one means doubt, and the worst must count.
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

/** The name, and what is behind its percent signs. */
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
