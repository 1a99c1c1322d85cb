/** Searches a text for the beginnings of files that are written into it. */
import { STEP_BYTES, type Steps } from '../../formats/steps.ts';
import { MAX_BEGINS, MAX_FILES, type TextFile } from './uuencode.ts';

/**
 * Returns the files that begin where `begin` matches. A match is at most `longest` bytes long, and looks at most one byte back. `filesAt`
 * returns the files of a beginning, or null for one that is not tried. When more beginnings than the limit are tried, everything from there on
 * is one file, so that it is not delivered unread.
 */
export function* begunFileSteps(
  text: Buffer,
  begin: RegExp,
  longest: number,
  filesAt: (match: RegExpExecArray, start: number) => readonly TextFile[] | null,
): Steps<TextFile[]> {
  const files: TextFile[] = [];
  let tried = 0;
  for (let from = 0; from < text.length && files.length < MAX_FILES; from += STEP_BYTES) {
    const before = Math.max(0, from - 1);
    const window = text.toString('latin1', before, from + STEP_BYTES + longest);
    for (const match of window.matchAll(begin)) {
      const start = before + match.index;
      const found = start < from || start >= from + STEP_BYTES ? null : filesAt(match, start);
      if (found === null) continue;
      if (++tried > MAX_BEGINS) return [...files, { name: '', bytes: text.subarray(start), start, end: text.length }];
      files.push(...found);
    }
    yield;
  }
  return files;
}
