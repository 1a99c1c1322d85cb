/** Finds the mail below a folder: by the names of files, by the content of files whose names say nothing, and in Maildirs. */
import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { extensionsOfType, FILE_TYPES } from '../../formats/file-types.ts';
import { looksLikeEmail } from '../../formats/mail/looks-like-email.ts';
import { readHead } from './file-head.ts';

/** A file that is mail, or a place below the folder that could not be read. */
export type FoundMail =
  | { readonly path: string }
  | { readonly path: string; readonly problem: 'too_deep' | 'link_to_folder' | NodeJS.ErrnoException };

/** Deepest level of folders that is searched: a loop of links must not make the search endless. */
export const MAX_FOLDER_DEPTH = 16;
const MAIL_NAME = /\.(eml|msg|mbox|mbx)$/i;
const KNOWN_EXTENSIONS = new Set(FILE_TYPES.flatMap(extensionsOfType));

/** The treatment of a folder's files. In `new` and `cur` of a Maildir, each file is a mail with any content. */
type Look = 'by_name_and_content' | 'each_is_mail';

/**
 * Yields every mail below the folder, in the order of names. A file that is written into `out` is no input, even if that folder is below
 * this one.
 */
export async function* mailBelow(folder: string, out?: string): AsyncGenerator<FoundMail> {
  const look = (await isMaildirPart(folder)) ? 'each_is_mail' : 'by_name_and_content';
  yield* mailIn(folder, look, 0, out === undefined ? null : resolve(out));
}

/** Returns true for a folder with the two folders in which a Maildir keeps arrived mail. */
export async function isMaildir(folder: string): Promise<boolean> {
  return (await isFolder(join(folder, 'new'))) && (await isFolder(join(folder, 'cur')));
}

async function isMaildirPart(folder: string): Promise<boolean> {
  return ['new', 'cur'].includes(basename(folder)) && isMaildir(dirname(folder));
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

async function* mailIn(folder: string, look: Look, depth: number, out: string | null): AsyncGenerator<FoundMail> {
  if (depth > MAX_FOLDER_DEPTH) {
    yield { path: folder, problem: 'too_deep' };
    return;
  }
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => error);
  if (entries instanceof Error) {
    yield { path: folder, problem: entries };
    return;
  }
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const hasMaildir = folders.includes('new') && folders.includes('cur');
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const isPart = hasMaildir && ['new', 'cur'].includes(entry.name);
    // Mail in `tmp` of a Maildir has not arrived yet.
    if (hasMaildir && entry.isDirectory() && entry.name === 'tmp') continue;
    if (entry.isDirectory() && resolve(folder, entry.name) === out) continue;
    if (entry.isDirectory())
      yield* mailIn(join(folder, entry.name), isPart ? 'each_is_mail' : 'by_name_and_content', depth + 1, out);
    else yield* mailAt(join(folder, entry.name), entry, look);
  }
}

async function* mailAt(path: string, entry: Dirent, look: Look): AsyncGenerator<FoundMail> {
  if (entry.isSymbolicLink()) yield* linkedMail(path, look);
  else if (entry.isFile()) yield* mailFile(path, look);
}

/** A link to a mail is read as that mail. A link to a folder may lead in a circle, so it is reported and not followed. */
async function* linkedMail(path: string, look: Look): AsyncGenerator<FoundMail> {
  const target = await stat(path).catch((error: NodeJS.ErrnoException) => error);
  if (target instanceof Error) {
    if (look === 'each_is_mail' || MAIL_NAME.test(path)) yield { path, problem: target };
  } else if (target.isDirectory()) yield { path, problem: 'link_to_folder' };
  else if (target.isFile()) yield* mailFile(path, look);
}

async function* mailFile(path: string, look: Look): AsyncGenerator<FoundMail> {
  const name = basename(path);
  const isHidden = name.startsWith('.');
  if (MAIL_NAME.test(name) || (look === 'each_is_mail' && !isHidden)) yield { path };
  else if (!isHidden && !hasKnownExtension(name)) {
    const head = await readHead(path).catch((error: NodeJS.ErrnoException) => error);
    if (head instanceof Error) yield { path, problem: head };
    else if (looksLikeEmail(head)) yield { path };
  }
}

/** Returns true for names of a Maildir and of MH (`1700000000.M1P2.host`, `17`). No type of file has such an ending. */
function hasKnownExtension(name: string): boolean {
  const dot = name.lastIndexOf('.');
  return dot >= 0 && KNOWN_EXTENSIONS.has(name.slice(dot + 1).toLowerCase());
}
