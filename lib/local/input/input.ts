/** Turns the paths of the command line into inputs: files, the mail of folders and Maildirs, the messages of an mbox, stdin and pipes. */
import { open, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isMbox } from '../../pipeline/contents/mbox.ts';
import { readHead } from './file-head.ts';
import { type FoundMail, MAX_FOLDER_DEPTH, mailBelow } from './mail-folder.ts';
import { messagesOfMbox } from './mbox.ts';
import type { StreamCopies } from './stream-copies.ts';

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

/** Does the same for paths that may also be stdin (`-`) or a pipe. Those are copied first. */
export async function* inputsOfArguments(
  paths: readonly string[],
  copies: StreamCopies,
  out?: string,
): AsyncGenerator<Input> {
  for (const path of paths) {
    if (path === '-' || path === '/dev/stdin') yield* inputsOfCopy('-', copies.ofStdin());
    else if (await isPipe(path)) yield* inputsOfCopy(path, copies.ofPipe(path));
    else yield* inputsOfPath(path, out);
  }
}

async function isPipe(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFIFO(),
    () => false,
  );
}

/** Yields the inputs of a copy, under the name of the original. */
async function* inputsOfCopy(label: string, copying: Promise<string>): AsyncGenerator<Input> {
  const copy = await copying.catch((error: NodeJS.ErrnoException) => error);
  if (copy instanceof Error) {
    yield missing(label, copy);
    return;
  }
  for await (const input of inputsOfFile(copy)) yield { ...input, label: input.label.replace(copy, () => label) };
}

/**
 * Yields every input of the paths, in order. Folders yield the mail files below them, sorted by name, without files that are written into
 * `out`.
 */
export async function* inputsOf(paths: readonly string[], out?: string): AsyncGenerator<Input> {
  for (const path of paths) yield* inputsOfPath(path, out);
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

async function* inputsOfPath(path: string, out?: string): AsyncGenerator<Input> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => error);
  if (found instanceof Error) yield missing(path, found);
  else if (found.isDirectory()) yield* inputsOfFolder(path, out);
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

async function* inputsOfFolder(folder: string, out?: string): AsyncGenerator<Input> {
  let any = false;
  for await (const found of mailBelow(folder, out)) {
    any = true;
    if ('problem' in found) yield problemBelow(found);
    else yield* inputsOfFile(found.path);
  }
  if (any) return;
  const message = `${folder} holds no mail: no file in it or below is one by its name (.eml, .msg, .mbox, .mbx), or by its content where its name has no known extension. To scan other files, name them.`;
  yield problem(folder, 'folder_without_mail', message);
}

function problemBelow({ path, problem: why }: Extract<FoundMail, { problem: unknown }>): Input {
  if (why === 'too_deep') {
    const message = `${path} lies more than ${MAX_FOLDER_DEPTH} folders deep. Name this folder directly.`;
    return problem(path, 'input_unreadable', message);
  }
  if (why === 'link_to_folder') {
    const message = `${path} is a link to a folder, which is not followed. Name the folder itself.`;
    return problem(path, 'input_unreadable', message);
  }
  return missing(path, why);
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

async function* readFileInPieces(path: string): AsyncIterable<Uint8Array> {
  const file = await open(path, 'r');
  try {
    yield* file.createReadStream({ autoClose: false, highWaterMark: 256 * 1024 });
  } finally {
    await file.close();
  }
}
