/** What a request is answered with: nothing was fetched, but a script goes on only when it gets something plausible. */

const PROGRAM =
  /\.(?:exe|dll|scr|cpl|com|bin|dat|msi|cab|zip|rar|7z|iso|img|jpe?g|png|gif|bmp|ico|pdf|docx?|xlsx?)(?:$|[?#])/i;
/** As long as QuickJS takes as arguments of one call: scripts turn whole answers into texts that way. */
const ANSWER_CHARS = 65_000;

/** A marker by which the answer is known when a script writes it to a file: it is ours, and no artifact. */
export const ANSWER_MARK = 'emulated answer, nothing was fetched';

/** For a program it begins as programs do; for anything else it is a comment, which evaluates to nothing. */
export function madeUpAnswer(url: string): string {
  const start = PROGRAM.test(url) ? `MZ\x90 ${ANSWER_MARK} ` : `// ${ANSWER_MARK} `;
  return start + '.'.repeat(ANSWER_CHARS - start.length);
}

/** Whether the content is, or holds, what a request was answered with. */
export const isMadeUp = (content: string): boolean => content.includes(ANSWER_MARK);
