/** The pages of mail that a gateway holds. They are written anew when somebody has released or deleted the mail. */
import { existsSync } from 'node:fs';
import type { Judge } from '../../gateway/judge.ts';
import type { Ledger } from '../../pipeline/ledger/ledger.ts';
import { mailFileName, type PagePlace, tryNewestMailFile } from '../report/html-report.ts';

/** Returns the judge that also has such pages written. `settled` resolves when no page is being written. */
export function withLaterPages(
  judge: Judge,
  place: PagePlace,
  ledgerOf: (runId: string) => Promise<Ledger | null>,
  say: (text: string) => void,
): { readonly judge: Judge; readonly settled: () => Promise<void> } {
  let pages = Promise.resolve();
  const write = async (runId: string) => {
    // The judging process writes the first page, and then looks whether the mail has ended otherwise meanwhile.
    if (existsSync(mailFileName(place.folder, runId))) await tryNewestMailFile(place, runId, null, ledgerOf, say);
  };
  const later = (runId: string) => {
    pages = pages
      .then(() => write(runId))
      .catch((error: unknown) => say(`The page of run ${runId}: ${String(error)}\n`));
  };
  return {
    judge: {
      ...judge,
      async released(runId) {
        const released = await judge.released(runId);
        if (released !== null) later(runId);
        return released;
      },
      // The disk also reports deletions.
      onReleased: (told) =>
        judge.onReleased((runId) => {
          later(runId);
          told(runId);
        }),
    },
    settled: () => pages,
  };
}
