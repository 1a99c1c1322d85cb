/** A walk through a page with the tokenizer of htmlparser2. */
import { type QuoteType, Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

/**
 * Receives every token and does nothing. A walk overrides the methods for the tokens that it needs. It is a class because the tokenizer
 * calls one object that keeps its state between calls.
 */
export class HtmlWalk implements TokenizerCallbacks {
  onopentagname(_start: number, _end: number): void {}
  onattribname(_start: number, _end: number): void {}
  onattribdata(_start: number, _end: number): void {}
  onattribentity(_codepoint: number): void {}
  onattribend(_quote: QuoteType, _end: number): void {}
  onopentagend(_end: number): void {}
  onselfclosingtag(end: number): void {
    this.onopentagend(end);
  }
  onclosetag(_start: number, _end: number): void {}
  ontext(_start: number, _end: number): void {}
  ontextentity(_codepoint: number, _end: number): void {}
  oncomment(_start: number, _end: number, _endOffset: number): void {}
  oncdata(_start: number, _end: number, _endOffset: number): void {}
  ondeclaration(_start: number, _end: number): void {}
  onprocessinginstruction(_start: number, _end: number): void {}
  onend(): void {}
}

/** Takes a walk through the page, and returns it. Linear in the length of the page. */
export function walked<Walk extends HtmlWalk>(html: string, walk: Walk): Walk {
  const tokenizer = new Tokenizer({ decodeEntities: true }, walk);
  tokenizer.write(html);
  tokenizer.end();
  return walk;
}
