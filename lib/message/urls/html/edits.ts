/** Places of a text that are replaced. */
import type { Span } from './mapped.ts';

export interface Edit extends Span {
  readonly replacement: string;
}

/** Returns the text with all edits made. They are in order and do not overlap. */
export function applied(text: string, edits: readonly Edit[]): string {
  const kept: string[] = [];
  let at = 0;
  for (const edit of edits) {
    kept.push(text.slice(at, edit.start), edit.replacement);
    at = edit.end;
  }
  kept.push(text.slice(at));
  return kept.join('');
}
