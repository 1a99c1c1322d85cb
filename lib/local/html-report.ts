/** `--html`: a page for each mail, to be opened or passed on. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DeskLanguage } from '../desk/desk-words.ts';
import { mailFile } from '../desk/mail-file.ts';
import type { Ledger } from '../pipeline/ledger.ts';
import { UsageError } from './console.ts';
import { originalHeader } from './original-header.ts';
import { contextOf } from './run-context.ts';

/** Where pages of mails are written, and in which language. */
export interface PagesOptions {
  readonly folder: string;
  readonly language: DeskLanguage;
}

/** Writes the page of a run into the folder, under the id of the run: no name of a sender is a name of a file. Returns its path. */
export async function writeMailFile(
  folder: string,
  out: string,
  ledger: Ledger,
  language: DeskLanguage,
): Promise<string> {
  const page = mailFile(ledger, await originalHeader(contextOf(out), ledger), language);
  const path = join(folder, `${ledger.runId}.html`);
  try {
    await mkdir(folder, { recursive: true });
    // A file that stands there under this name is replaced, never followed.
    await rm(path, { force: true });
    await writeFile(path, page, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    throw new UsageError(`--html ${folder} cannot be written: ${(error as NodeJS.ErrnoException).code}.`);
  }
  return path;
}
