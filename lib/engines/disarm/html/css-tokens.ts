/** CSS in tokens, as browsers read it (CSS Syntax Level 3), with the brackets that belong together. */
import { type CSSToken, TokenType, tokenize } from '@csstools/css-tokenizer';

export { TokenType };

/** The tokens of a style or a style sheet, without the end token. */
export interface CssTokens {
  readonly tokens: readonly CSSToken[];
  /** For each opening bracket, the place of its closing one; the number of tokens when it is never closed. */
  readonly closing: ReadonlyMap<number, number>;
}

const CLOSING: ReadonlyMap<string, string> = new Map([
  [TokenType.OpenParen, TokenType.CloseParen],
  [TokenType.Function, TokenType.CloseParen],
  [TokenType.OpenSquare, TokenType.CloseSquare],
  [TokenType.OpenCurly, TokenType.CloseCurly],
]);

/** Linear in the length of the text. Never throws. */
export function cssTokens(css: string): CssTokens {
  const tokens = tokenize({ css }).filter(([type]) => type !== TokenType.EOF);
  const closing = new Map<number, number>();
  const open: { readonly at: number; readonly end: string }[] = [];
  for (const [at, [type]] of tokens.entries()) {
    const end = CLOSING.get(type);
    if (end !== undefined) open.push({ at, end });
    // A closing bracket that does not fit the innermost opening one is content like any other (CSS Syntax §5.4.8).
    else if (open.at(-1)?.end === type) closing.set(open.pop()?.at ?? at, at);
  }
  for (const { at } of open) closing.set(at, tokens.length);
  return { tokens, closing };
}

/** Returns the pieces between separators outside brackets, as the places of their first token and after their last one. */
export function piecesOf(
  { tokens, closing }: CssTokens,
  { from, to, separator }: { readonly from: number; readonly to: number; readonly separator: TokenType },
): { readonly from: number; readonly to: number }[] {
  const pieces: { readonly from: number; readonly to: number }[] = [];
  let start = from;
  for (let at = from; at < to; at++) {
    const end = closing.get(at);
    if (end !== undefined) at = end;
    else if (tokens[at]?.[0] === separator) {
      pieces.push({ from: start, to: at });
      start = at + 1;
    }
  }
  return [...pieces, { from: start, to }].filter((piece) => piece.from < piece.to);
}
