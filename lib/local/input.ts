/** Turns the paths of the command line into inputs: files, the files of folders, the messages of an mbox. */
import { open, readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { messagesOfMbox } from './mbox.ts';

/** Something to scan, or the reason why there is nothing to scan. Every given path yields at least one of these. */
export type Input =
  | {
      readonly kind: 'bytes';
      readonly label: string;
      readonly name: string;
      readonly open: () => AsyncIterable<Uint8Array>;
    }
  | { readonly kind: 'problem'; readonly label: string; readonly code: InputProblemCode; readonly message: string };

export type InputProblemCode = 'input_missing' | 'input_unreadable' | 'folder_without_mail';

/** Deepest level of folders that is searched: a loop of links must not make the search endless. */
const MAX_FOLDER_DEPTH = 16;

/** Every input of the paths, in order. Folders yield the mail files below them, sorted by name. */
export async function* inputsOf(paths: readonly string[]): AsyncGenerator<Input> {
  for (const path of paths) yield* inputsOfPath(path);
}

/**
 * Yields each input once, even when a folder and a file in it are both named. Otherwise the same run would be started twice
 * at the same time.
 */
export async function* withoutRepeats(inputs: AsyncIterable<Input>): AsyncGenerator<Input> {
  const seen = new Set<string>();
  for await (const input of inputs) {
    const place = resolve(input.label);
    if (!seen.has(place)) yield input;
    seen.add(place);
  }
}

async function* inputsOfPath(path: string): AsyncGenerator<Input> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => error);
  if (found instanceof Error) yield missing(path, found);
  else if (found.isDirectory()) yield* inputsOfFolder(path);
  else if (found.isFile()) yield* inputsOfFile(path);
  else
    yield problem(
      path,
      'input_unreadable',
      `${path} is neither a file nor a folder. Name a file, a folder or an mbox.`,
    );
}

function problem(label: string, code: InputProblemCode, message: string): Input {
  return { kind: 'problem', label, code, message };
}

function missing(path: string, error: NodeJS.ErrnoException): Input {
  if (error.code === 'ENOENT') return problem(path, 'input_missing', `${path} does not exist. Check the path.`);
  return problem(
    path,
    'input_unreadable',
    `${path} cannot be read (${error.code ?? error.message}). Check its permissions.`,
  );
}

async function* inputsOfFolder(folder: string): AsyncGenerator<Input> {
  let any = false;
  for await (const found of mailFilesBelow(folder, 0)) {
    any = true;
    if (typeof found === 'string') yield* inputsOfFile(found);
    else yield found;
  }
  if (any) return;
  const message = `${folder} holds no mail: there is no .eml, .mbox or .mbx file in it or below. To scan other files, name them.`;
  yield problem(folder, 'folder_without_mail', message);
}

async function* mailFilesBelow(folder: string, depth: number): AsyncGenerator<string | Input> {
  if (depth > MAX_FOLDER_DEPTH) {
    yield problem(
      folder,
      'input_unreadable',
      `${folder} lies more than ${MAX_FOLDER_DEPTH} folders deep. Name this folder directly.`,
    );
    return;
  }
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => error);
  if (entries instanceof Error) {
    yield missing(folder, entries);
    return;
  }
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* mailFilesBelow(path, depth + 1);
    else if (entry.isSymbolicLink()) yield* linkedMail(path);
    else if (entry.isFile() && isMailName(entry.name)) yield path;
  }
}

const isMailName = (name: string) => /\.(eml|mbox|mbx)$/i.test(name);

/** A link to a mail is read as that mail. A link to a folder may lead in a circle, so it is reported and not followed. */
async function* linkedMail(path: string): AsyncGenerator<string | Input> {
  const target = await stat(path).catch((error: NodeJS.ErrnoException) => error);
  if (target instanceof Error) {
    if (isMailName(path)) yield missing(path, target);
  } else if (target.isDirectory())
    yield problem(
      path,
      'input_unreadable',
      `${path} is a link to a folder, which is not followed. Name the folder itself.`,
    );
  else if (target.isFile() && isMailName(path)) yield path;
}

async function* inputsOfFile(path: string): AsyncGenerator<Input> {
  const head = await readHead(path).catch((error: NodeJS.ErrnoException) => error);
  if (head instanceof Error) yield missing(path, head);
  else if (isMbox(path, head)) yield* inputsOfMbox(path);
  else yield { kind: 'bytes', label: path, name: path, open: () => readFileInPieces(path) };
}

async function* inputsOfMbox(path: string): AsyncGenerator<Input> {
  try {
    for await (const message of messagesOfMbox(path)) yield { kind: 'bytes', ...message };
  } catch (error) {
    yield missing(path, error as NodeJS.ErrnoException);
  }
}

const HEAD_BYTES = 64 * 1024;

async function readHead(path: string): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** An mbox starts with a "From " line. An .eml file may have kept such a line, and is still one message. */
function isMbox(path: string, head: string): boolean {
  return head.startsWith('From ') && !/\.eml$/i.test(path);
}

async function* readFileInPieces(path: string): AsyncIterable<Uint8Array> {
  const file = await open(path, 'r');
  try {
    yield* file.createReadStream({ autoClose: false, highWaterMark: 256 * 1024 });
  } finally {
    await file.close();
  }
}
