/** The tokens of PowerShell and of VBScript, as far as folding needs them. One pass in linear time. */
export interface Token {
  readonly kind: 'text' | 'number' | 'variable' | 'type' | 'operator' | 'word' | 'sign' | 'end';
  /** A text without its quotes; names and operators in lower case. */
  readonly text: string;
  /** True for a text in which names of variables are replaced by their values. */
  readonly isOpen?: boolean;
}

/** The most tokens of one script. */
const MAX_TOKENS = 120_000;

const SHARED = {
  number: /0x[\da-f]{1,8}|&h[\da-f]{1,8}&?|\d{1,10}(?:\.\d{1,9})?/,
  end: /\r?\n|;/,
};
const POWERSHELL = new RegExp(
  [
    /[^\S\r\n]+|#[^\r\n]*|`\r?\n/,
    /@?'((?:[^']|'')*)'@?/,
    /@?"((?:[^"`]|`[\s\S]|"")*)"@?/,
    SHARED.number,
    /\$\{?[\w:]{1,80}\}?|\$_/,
    /\[([\w.]{1,80}(?:\[\])?)\]/,
    /-(?:[ci]?(?:replace|split|join|like|match|eq|ne)|f|bxor|band|bor|as)(?![\w-])/,
    /[a-z_][\w.-]{0,80}/,
    SHARED.end,
    /\.\.|::|[-+*/%(){}[\],.|&=@!<>]/,
  ]
    .map(({ source }) => `(?:${source})`)
    .join('|'),
  'giy',
);

/** Reads PowerShell. */
export const powershellTokens = (code: string): Token[] => tokensOf(code, POWERSHELL, powershellToken);

/** Reads tokens. Characters that form none are omitted, one at a time. `tokenOf` returns null for blanks and comments. */
function tokensOf(code: string, sticky: RegExp, tokenOf: (match: RegExpExecArray) => Token | null): Token[] {
  const tokens: Token[] = [];
  const pattern = new RegExp(sticky);
  for (let at = 0; at < code.length && tokens.length < MAX_TOKENS; ) {
    pattern.lastIndex = at;
    const match = pattern.exec(code);
    if (match === null || match[0] === '') {
      at++;
      continue;
    }
    at = pattern.lastIndex;
    const token = tokenOf(match);
    if (token !== null) tokens.push(token);
  }
  return tokens;
}

function powershellToken([whole, single, double, type]: RegExpExecArray): Token | null {
  if (single !== undefined) return { kind: 'text', text: single.replaceAll("''", "'") };
  if (double !== undefined)
    return { kind: 'text', text: double.replaceAll('""', '"').replace(/`([\s\S])/g, '$1'), isOpen: true };
  if (type !== undefined) return { kind: 'type', text: type.toLowerCase().replace(/^system\./, '') };
  const lower = whole.toLowerCase();
  if (/^(?:[^\S\r\n]|#|`)/.test(lower)) return null;
  if (/^\r?\n$|^;$/.test(lower)) return { kind: 'end', text: lower };
  if (/^\$/.test(lower)) return { kind: 'variable', text: lower.replace(/[{}]/g, '') };
  if (/^\d/.test(lower)) return { kind: 'number', text: lower };
  if (/^-[a-z]/.test(lower)) return { kind: 'operator', text: lower.replace(/^-[ci](?=replace|split|join)/, '-') };
  return { kind: /^[a-z_]/.test(lower) ? 'word' : 'sign', text: lower };
}

const BASIC = new RegExp(
  [
    /[^\S\r\n]+|'[^\r\n]*|_\r?\n/,
    /"((?:[^"\r\n]|"")*)"/,
    SHARED.number,
    /[a-z_]\w{0,80}\$?/,
    /\r?\n|:/,
    /[-+*/(),.&=<>]/,
  ]
    .map(({ source }) => `(?:${source})`)
    .join('|'),
  'giy',
);

/** Reads VBScript and VBA. Names of variables are words there. */
export const basicTokens = (code: string): Token[] => tokensOf(code, BASIC, basicToken);

function basicToken([whole, text]: RegExpExecArray): Token | null {
  if (text !== undefined) return { kind: 'text', text: text.replaceAll('""', '"') };
  const lower = whole.toLowerCase();
  if (/^[^\S\r\n]|^'|^_\r?\n$/.test(lower)) return null;
  if (/^\r?\n$|^:$/.test(lower)) return { kind: 'end', text: lower };
  if (/^(?:\d|&h)/.test(lower)) return { kind: 'number', text: lower.replace(/^&h/, '0x').replace(/&$/, '') };
  return { kind: /^[a-z_]/.test(lower) ? 'word' : 'sign', text: lower };
}
