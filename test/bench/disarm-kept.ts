/** What is left of ordinary documents when a program has written them anew. */
import { pagesOfPdf, textOfPdf, wordsKept } from '../checkers/office-opener.ts';

/** Sums over the files of one format. */
export interface Kept {
  readonly files: number;
  readonly opened: number;
  readonly words: number;
  readonly wordsKept: number;
  readonly pages: number;
  readonly pagesKept: number;
}

/** Text and pages of a PDF. */
export interface Seen {
  readonly text: string;
  readonly pages: number;
}

/** Reads PDFs by name; those that cannot be read are left out. */
export async function seeAll(pdfs: ReadonlyMap<string, Uint8Array>): Promise<ReadonlyMap<string, Seen>> {
  const seen = new Map<string, Seen>();
  for (const [name, bytes] of pdfs) {
    const [text, pages] = await Promise.all([textOfPdf(bytes), pagesOfPdf(bytes)]);
    if (text !== null && pages !== null) seen.set(name, { text, pages });
  }
  return seen;
}

/** Compares what a program made of files with the files themselves; files that did not open before are not asked for. */
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
