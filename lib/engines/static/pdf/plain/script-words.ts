/** Splits a script of a document into its words (ECMAScript 3). It refuses unknown words, and words that readers may read in two ways. */

export interface ScriptWord {
  readonly kind: 'name' | 'text' | 'number' | 'pattern' | 'sign';
  readonly value: string;
}

const BLANK = /[ \t\r\n\f\v\xa0]+|\/\/[^\r\n\u2028\u2029]*|\/\*(?:[^*]|\*(?!\/))*\*\//y;
const PATTERN =
  /\/(?![*/])(?:\\[^\r\n\u2028\u2029]|\[(?:\\[^\r\n\u2028\u2029]|[^\]\\\r\n\u2028\u2029])*\]|[^/\\[\r\n\u2028\u2029])+\/[gim]{0,3}(?!\w)/y;
const WORD = new RegExp(
  [
    /([A-Za-z_$][\w$]*)/,
    /("(?:\\[^\r\n\u2028\u2029]|[^"\\\r\n\u2028\u2029])*"|'(?:\\[^\r\n\u2028\u2029]|[^'\\\r\n\u2028\u2029])*')/,
    /(0x[\da-f]+(?!\w)|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?(?!\w))/,
    /(===|!==|==|!=|<=|>=|&&|\|\||\+\+|--|[-+*/%]=|[-+*/%=<>!?:;,.(){}[\]&|])/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'iy',
);
const KINDS = ['name', 'text', 'number', 'sign'] as const;
/** Comments of web pages, which only some readers know. */
const PAGE_COMMENT = /<!--|-->/;
/** Words behind which no value has ended, so that a slash begins a pattern. */
const BEFORE_PATTERN = new Set([
  'return',
  'typeof',
  'case',
  'in',
  'of',
  'else',
  'do',
  'void',
  'delete',
  'new',
  'throw',
]);
/** The most words of all scripts of a document. */
const MAX_WORDS = 60_000;

/** Returns the words, or null when something in the script is none. */
export function scriptWords(untrustedScript: string): ScriptWord[] | null {
  if (PAGE_COMMENT.test(untrustedScript)) return null;
  const words: ScriptWord[] = [];
  for (let at = 0; at < untrustedScript.length; ) {
    const blank = matchAt(BLANK, untrustedScript, at);
    if (blank !== null) {
      at += blank[0].length;
      continue;
    }
    const next = wordAt(untrustedScript, at, words.at(-1));
    if (next === null || words.length >= MAX_WORDS) return null;
    words.push(next.word);
    at = next.end;
  }
  return words;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function wordAt(text: string, at: number, before: ScriptWord | undefined) {
  if (text[at] === '/') {
    const use = useOfSlash(before, text, at);
    if (use === 'unclear') return null;
    if (use === 'pattern') {
      const found = matchAt(PATTERN, text, at);
      return found === null ? null : { word: { kind: 'pattern', value: found[0] } as const, end: at + found[0].length };
    }
  }
  const found = matchAt(WORD, text, at);
  if (found === null) return null;
  const kind = KINDS[found.slice(1).findIndex((part) => part !== undefined)] ?? 'sign';
  return { word: { kind, value: found[0] }, end: at + found[0].length };
}

/**
 * Decides about a slash behind a bracket, which divides or begins a pattern. Only a whole parser can tell, where the line has another
 * slash.
 */
function useOfSlash(before: ScriptWord | undefined, text: string, at: number): 'pattern' | 'division' | 'unclear' {
  if (before === undefined) return 'pattern';
  if (before.kind === 'name') return BEFORE_PATTERN.has(before.value) ? 'pattern' : 'division';
  if (before.kind !== 'sign' || before.value === ']') return 'division';
  if (!/^(?:\)|\}|\+\+|--)$/.test(before.value)) return 'pattern';
  const [line = ''] = text.slice(at + 1).split(/[\r\n\u2028\u2029]/, 1);
  return line.includes('/') ? 'unclear' : 'division';
}
