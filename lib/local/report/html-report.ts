/** `--html`: a page for each mail, to be opened or passed on. */
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DeskLanguage } from '../../desk/desk-words.ts';
import { mailCostIn } from '../../desk/mail/cost.ts';
import { type Found, mailFile } from '../../desk/mail/file.ts';
import { othersOf } from '../../desk/mail/other-mail.ts';
import { seenPartsOf } from '../../desk/mail/seen-parts.ts';
import { runWords } from '../../desk/sentence.ts';
import type { Ledger } from '../../pipeline/ledger/ledger.ts';
import { safeText } from '../../pipeline/safe-text.ts';
import { partialOf } from '../../storage/directory/files.ts';
import type { SqliteRuns } from '../../storage/sqlite/runs.ts';
import { UsageError } from '../console.ts';
import { originalHeader } from '../input/original-header.ts';
import { contextOf } from '../session/run-context.ts';
import { openRuns } from '../session/run-index.ts';
import { pageDrawing } from './page-drawing.ts';

/** The place and the language of pages about mails. */
export interface PagesOptions {
  readonly folder: string;
  readonly language: DeskLanguage;
}

/** The same, with the folder of the run. */
export interface PagePlace extends PagesOptions {
  readonly out: string;
}

const MAX_FAULT_LENGTH = 300;

/** Writes the page of a run. Nobody waits for it. A failure is reported. Never rejects. */
export async function tryMailFile(
  { folder, language, out }: PagePlace,
  ledger: Ledger,
  say: (text: string) => void,
): Promise<void> {
  try {
    await writeMailFile(folder, out, ledger, language);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    say(`The page of run ${ledger.runId} was not written: ${safeText(why, MAX_FAULT_LENGTH)}\n`);
  }
}

/**
 * Writes the page of a run by its newest end, and writes it anew while that end changes: another process may end the run again meanwhile, and
 * leaves the page to whoever is writing it. `known` is an end that the caller has. Rejects when a chain cannot be read.
 */
export async function tryNewestMailFile(
  place: PagePlace,
  runId: string,
  known: Ledger | null,
  ledgerOf: (runId: string) => Promise<Ledger | null>,
  say: (text: string) => void,
): Promise<void> {
  let [ledger, written] = [known ?? (await ledgerOf(runId)), ''];
  while (ledger !== null && ledger.terminal !== null && endOf(ledger) !== written) {
    await tryMailFile(place, ledger, say);
    written = endOf(ledger);
    ledger = await ledgerOf(runId);
  }
}

const endOf = ({ attempt, terminal }: Ledger) => JSON.stringify([attempt.number, terminal]);

/** Returns the path of the page of a run. No name of a sender becomes the name of a file. */
export const mailFileName = (folder: string, runId: string): string => join(folder, `${runId}.html`);

/** Returns the statements of the folder's index about a mail. Returns null when the index is broken, and the page then lacks them. */
async function foundIn(out: string, ledger: Ledger): Promise<Pick<Found, 'others' | 'cost'> | null> {
  let runs: SqliteRuns | null = null;
  try {
    runs = await openRuns(out);
    return { others: await othersOf(runs, ledger), cost: await mailCostIn(runs, ledger) };
  } catch {
    return null;
  } finally {
    runs?.close();
  }
}

/**
 * Writes the page of a run into the folder, under the id of the run. Returns its path. Readers find the earlier page or the new one, each
 * whole.
 */
export async function writeMailFile(
  folder: string,
  out: string,
  ledger: Ledger,
  language: DeskLanguage,
): Promise<string> {
  const page = mailFile(ledger, await originalHeader(contextOf(out), ledger), language, {
    ...(await foundIn(out, ledger)),
    seen: await seenPartsOf(ledger, runWords(language), pageDrawing(out)),
  });
  const path = mailFileName(folder, ledger.runId);
  try {
    await mkdir(folder, { recursive: true });
    await replaceFile(path, page);
  } catch (error) {
    throw new UsageError(`--html ${folder} cannot be written: ${(error as NodeJS.ErrnoException).code}.`);
  }
  return path;
}

/** A link with the name of the file is replaced, never followed. */
async function replaceFile(path: string, text: string): Promise<void> {
  const partial = partialOf(path);
  try {
    await writeFile(partial, text, { mode: 0o600, flag: 'wx' });
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}
