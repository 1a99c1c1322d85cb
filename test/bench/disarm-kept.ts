/** What is left of ordinary documents when a program has written them anew. */
import { wordsKept } from '../checkers/office-opener.ts';
import type { Seen } from '../checkers/readers.ts';

/** Sums over the files of one format. */
export interface Kept {
  readonly files: number;
  readonly opened: number;
  readonly words: number;
  readonly wordsKept: number;
  readonly pages: number;
  readonly pagesKept: number;
}

/** Compares what a program made of files (`PROGRAM NAME`) with the files themselves; files that did not open before are not asked for. */
export function keptOf(
  files: readonly { readonly name: string }[],
  program: string,
  seen: ReadonlyMap<string, Seen>,
): Kept {
  const kept = { files: 0, opened: 0, words: 0, wordsKept: 0, pages: 0, pagesKept: 0 };
  for (const { name } of files) {
    const before = seen.get(name);
    if (before === undefined) continue;
    const after = seen.get(`${program} ${name}`);
    const words = wordsKept(before.text, after?.text ?? '');
    kept.files += 1;
    kept.opened += after === undefined ? 0 : 1;
    kept.words += words.before;
    kept.wordsKept += words.kept;
    kept.pages += before.pages;
    kept.pagesKept += Math.min(before.pages, after?.pages ?? 0);
  }
  return kept;
}
