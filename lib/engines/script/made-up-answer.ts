/** The answers to requests. Nothing is fetched, but a script only continues when it gets something plausible. */
import { randomBytes } from 'node:crypto';

const PROGRAM =
  /\.(?:exe|dll|scr|cpl|com|bin|dat|msi|cab|zip|rar|7z|iso|img|jpe?g|png|gif|bmp|ico|pdf|docx?|xlsx?)(?:$|[?#])/i;
/** The length of an answer. Scripts pass all bytes of an answer as arguments of one call, and QuickJS takes no more than this. */
const ANSWER_CHARS = 65_000;
const STUB =
  'MZ\x90\x03\x04\xff\xff\xb8@\x0e\x1f\xba\x0e\xb4\t\xcd!\xb8\x01L\xcd!This program cannot be run in DOS mode.\r\r\n$';

/** The answers in the runs of one file. They are random, so that no script knows an answer in advance. */
export interface MadeUpAnswers {
  /**
   * Returns the answer for an address. For a program, it begins like a program. Any other type gets a comment, which does nothing as code.
   */
  to(url: string): string;
  /** Returns true when the content is exactly an answer. With anything added, the content is the script's own. */
  isAnswer(content: string): boolean;
  /** Returns true when the content holds an answer, or a part of one. */
  isFrom(content: string): boolean;
}

/** The length of the mark that an answer repeats. It is too long to occur by chance, and every larger part of an answer has it. */
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
