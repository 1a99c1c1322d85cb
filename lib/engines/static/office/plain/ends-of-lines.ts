/** Writes out the ends of lines that a macro puts between two texts. They separate the texts like a blank that is written out. */
import type { Statement, Word } from './statements.ts';

const END_OF_LINE = /^vb(?:cr|lf|crlf|newline|tab)$/;
const WRITTEN_END: Word = { kind: 'text', value: '\n' };

/** Writes out each end of a line, or tab: `vbCrLf`, `Chr(10)`. `declared`: names that mean something of the project instead. */
export function withEndsOfLines(statement: Statement, declared: ReadonlySet<string>): Statement {
  return statement.flatMap((word, at) => {
    if (isCallOfEnd(statement, at, declared)) return [WRITTEN_END];
    const isWithin = [at - 1, at - 2, at - 3].some((start) => isCallOfEnd(statement, start, declared));
    if (isWithin) return [];
    return word.kind === 'name' && END_OF_LINE.test(word.value) && !declared.has(word.value) ? [WRITTEN_END] : [word];
  });
}

function isCallOfEnd(statement: Statement, at: number, declared: ReadonlySet<string>): boolean {
  const [name, open, code, close] = statement.slice(Math.max(0, at), at + 4);
  return (
    at >= 0 &&
    name?.kind === 'name' &&
    /^chrw?$/.test(name.value) &&
    !declared.has(name.value) &&
    open?.value === '(' &&
    /^(?:9|10|13)$/.test(code?.value ?? '') &&
    close?.value === ')'
  );
}
