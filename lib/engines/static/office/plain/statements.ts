/** Splits the source of a macro into its statements and words ([MS-VBAL] 3.2 and 3.3). LibreOffice Basic is written in the same way. */

export interface Word {
  /** `bracket` is a name or an expression in brackets: `[A1]`. */
  readonly kind: 'name' | 'text' | 'number' | 'sign' | 'bracket';
  /** The word in lower case; for a text, its content. */
  readonly value: string;
}

export type Statement = readonly Word[];

const WORD = new RegExp(
  [
    /[ \t\f\u00a0]+/,
    /"((?:[^"\r\n\f]|"")*)"/,
    /#[\w \t/:,.-]{1,40}#/,
    /&h[0-9a-f]+[&%^]?|&o[0-7]+[&%^]?|(?:\d+\.?\d*|\.\d+)(?:[ed][+-]?\d+)?[%&!#@^]?/,
    // A name may end in a character that gives its type.
    /([a-z_\u0080-\uffff][\w\u0080-\uffff]*)(?:[%@$]|[&!#](?![\w"([]))?/,
    /\[([^[\]\r\n\f]*)\]/,
    /:=|<>|<=|>=|[-+*/\\^=<>&(),.;!:#{}?]/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'iy',
);

/** A line that continues in the next. Editors write blanks behind the underscore, and VBA takes none. */
const CONTINUED = /[ \t]_[ \t]{0,9}(?:\r\n|[\r\n])/g;
/**
 * Marks the end of such a line, and is a blank between words. No text reaches beyond it. A remark does in VBA, and does not in LibreOffice
 * Basic, so the text behind it is read as code.
 */
const JOINT = '\f';
const LINE = /\r\n|[\r\n]/;
/** Lines about the module that editors do not show. They hold values and no code. */
const ATTRIBUTE = /^\s*attribute\s+[\w.]{1,120}\s*=\s*(?:"[^"]*"|[\w.,-]*)(?:\s*,\s*(?:"[^"]*"|[\w.-]*)){0,9}\s*$/i;
/** The word that begins a remark, where a statement begins. */
const REM = /rem(?=['\s]|$)/iy;

/** Returns the statements, or null when something in the source is none of these words. */
export function statementsOf(untrustedSource: string): Statement[] | null {
  const statements: Statement[] = [];
  for (const line of untrustedSource.replace(CONTINUED, ` ${JOINT}`).split(LINE)) {
    if (ATTRIBUTE.test(line) && !line.includes(JOINT)) continue;
    const found = statementsIn(line);
    if (found === null) return null;
    statements.push(...found);
  }
  return statements;
}

function statementsIn(line: string): Statement[] | null {
  const statements: Word[][] = [[]];
  WORD.lastIndex = 0;
  while (WORD.lastIndex < line.length) {
    const from = WORD.lastIndex;
    const last = statements.at(-1) ?? [];
    if (line[from] === "'" || (last.length === 0 && isRem(line, from))) {
      WORD.lastIndex = endOfRemark(line, from);
      statements.push([]);
      continue;
    }
    const match = WORD.exec(line);
    if (match === null) return null;
    const word = wordOf(match);
    if (word === null) continue;
    if (word.value === ':' && word.kind === 'sign') statements.push([]);
    else last.push(word);
  }
  return statements.filter(({ length }) => length > 0);
}

function isRem(line: string, from: number): boolean {
  REM.lastIndex = from;
  return REM.test(line);
}

function endOfRemark(line: string, from: number): number {
  const joint = line.indexOf(JOINT, from);
  return joint === -1 ? line.length : joint;
}

function wordOf([whole, text, name, bracket]: RegExpExecArray): Word | null {
  if (text !== undefined) return { kind: 'text', value: text.replaceAll('""', '"') };
  if (name !== undefined) return { kind: 'name', value: name.toLowerCase() };
  if (bracket !== undefined) return { kind: 'bracket', value: bracket };
  if (/^\s/.test(whole) || whole.startsWith('\u00a0')) return null;
  return { kind: /^(?:\d|[&.#].)/.test(whole) ? 'number' : 'sign', value: whole.toLowerCase() };
}
