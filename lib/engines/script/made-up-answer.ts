/** What a request is answered with: nothing was fetched, but a script goes on only when it gets something plausible. */
import { randomBytes } from 'node:crypto';

const PROGRAM =
  /\.(?:exe|dll|scr|cpl|com|bin|dat|msi|cab|zip|rar|7z|iso|img|jpe?g|png|gif|bmp|ico|pdf|docx?|xlsx?)(?:$|[?#])/i;
/** As long as QuickJS takes as arguments of one call: scripts turn whole answers into texts that way. */
const ANSWER_CHARS = 65_000;
const STUB =
  'MZ\x90\x03\x04\xff\xff\xb8@\x0e\x1f\xba\x0e\xb4\t\xcd!\xb8\x01L\xcd!This program cannot be run in DOS mode.\r\r\n$';

/** The answers of one file's runs: random, so that no script knows one before it was given it. */
export interface MadeUpAnswers {
  /** For a program it begins as programs do; for anything else it is a comment, which evaluates to nothing. */
  to(url: string): string;
  /** Whether the content is an answer, character for character. With anything added it is the script's own. */
  isAnswer(content: string): boolean;
  /** Whether an answer, or a part of it, went into the content. */
  isFrom(content: string): boolean;
}

/** Long enough to be no accident, and found in every larger part of an answer: an answer is this again and again. */
const MARK_BYTES = 24;

export function createAnswers(): MadeUpAnswers {
  const mark = randomBytes(MARK_BYTES).toString('base64url');
  const padded = (start: string) =>
    start + mark.repeat(ANSWER_CHARS / mark.length).slice(0, ANSWER_CHARS - start.length);
  const answers = { program: padded(STUB), text: padded('// ') };
  return {
    to: (url) => (PROGRAM.test(url) ? answers.program : answers.text),
    isAnswer: (content) => content === answers.program || content === answers.text,
    isFrom: (content) => content.includes(mark),
  };
}
