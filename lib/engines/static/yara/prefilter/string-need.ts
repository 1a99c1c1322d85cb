/** Finds what a file must hold so that a string of a rule occurs in it. */
import { anyOf, type Need, NOTHING, NotUnderstood, wordNeed } from './need.ts';
import { regexpNeed } from './regexp-need.ts';
import type { Token } from './rule-tokens.ts';

/** Modifiers that change the bytes of a string in ways that are not followed here. */
const ENCODED = ['xor', 'base64', 'base64wide'];
/** Modifiers that narrow what matches, or change nothing that matters here: all words are looked for without regard to case. */
const KNOWN = ['ascii', 'wide', 'nocase', 'fullword', 'private'];

/** Returns the need of a string with its modifiers. A string that is not understood needs nothing. */
export function stringNeed(value: Token, modifiers: readonly string[]): Need {
  if (modifiers.some((modifier) => ENCODED.includes(modifier) || !KNOWN.includes(modifier))) return NOTHING;
  const isWide = modifiers.includes('wide');
  const isNarrow = !isWide || modifiers.includes('ascii');
  try {
    return anyOf([...(isNarrow ? [needOf(value, wordNeed)] : []), ...(isWide ? [needOf(value, wideNeed)] : [])]);
  } catch (error) {
    if (error instanceof NotUnderstood) return NOTHING;
    throw error;
  }
}

/** In UTF-16, a zero stands behind each character of ASCII. */
function wideNeed(run: string): Need {
  if (/[^\0-\x7f]/.test(run)) throw new NotUnderstood('a wide character outside ASCII');
  return wordNeed(run.replace(/[\s\S]/g, '$&\0'));
}

function needOf({ kind, text }: Token, runNeed: (run: string) => Need): Need {
  if (kind === 'text') return runNeed(bytesOfText(text.slice(1, -1)));
  if (kind === 'hex') return runNeed(longestRun(text.slice(1, -1)));
  if (kind === 'regexp') return regexpNeed(text.slice(1, text.lastIndexOf('/')), runNeed);
  throw new NotUnderstood('a string of another kind');
}

const ESCAPES: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', '"': '"', '\\': '\\' };

/** Returns the bytes between the quotes. */
function bytesOfText(text: string): string {
  const plain = text.replace(/[^\0-\x7f]+/g, (letters) => Buffer.from(letters, 'utf8').toString('latin1'));
  return plain.replace(/\\(x[0-9a-fA-F]{2}|[\s\S])/g, (_, code: string) => {
    const byte = code.length === 3 ? String.fromCharCode(Number.parseInt(code.slice(1), 16)) : ESCAPES[code];
    if (byte === undefined) throw new NotUnderstood('an escape');
    return byte;
  });
}

/** Returns the longest run of fixed bytes outside the alternatives of a hex string. */
function longestRun(text: string): string {
  const plain = text.replace(/\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*\*\//g, ' ').replace(/\s+/g, '');
  const runs = [''];
  let depth = 0;
  for (const [token] of plain.matchAll(/[0-9a-fA-F]{2}|~?[0-9a-fA-F?]{2}|\[[^\]]*\]|[\s\S]/g)) {
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    if (depth === 0 && /^[0-9a-fA-F]{2}$/.test(token)) runs[runs.length - 1] += token;
    else runs.push('');
    if (!/^(?:[~0-9a-fA-F?]{2,3}|\[.*\]|[()|])$/.test(token)) throw new NotUnderstood('a part of a hex string');
  }
  const [longest = ''] = runs.toSorted((one, other) => other.length - one.length);
  return Buffer.from(longest, 'hex').toString('latin1');
}
