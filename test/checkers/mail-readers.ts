/** Mail programs of others that open messages: Python's email, and notmuch with the libraries of GNOME. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inFolder, type NamedFile } from './office-opener.ts';
import { missingOf, runTool } from './tools.ts';

/** Debian's own, for which its packages of modules are. */
const PYTHON = '/usr/bin/python3';
const READ_MAIL = fileURLToPath(new URL('read-mail.py', import.meta.url));
const PROGRAM_MS = 300_000;
const MAX_OUTPUT = 256 * 1024 * 1024;

/** A leaf of a message. */
export interface SeenPart {
  readonly type: string;
  readonly name: string | null;
  readonly length: number;
  /** Null where the program does not tell. */
  readonly sha256: string | null;
}

/** A message as a program reads it. */
export interface SeenMail {
  readonly subject: string;
  readonly from: string;
  readonly parts: readonly SeenPart[];
  /** What the program finds wrong with the message. */
  readonly defects: readonly string[];
  /** What the program makes of DKIM and ARC. Null when it does not verify them. */
  readonly signatures: { readonly dkim: boolean; readonly arc: string } | null;
}

export interface MailReader {
  readonly name: string;
  /** What is not installed; null when all is there. */
  readonly missing: string | null;
  /** What it read, by name; messages that it could not open are left out. Names must differ and be names of files. */
  read(mails: readonly NamedFile[], records: Readonly<Record<string, string>>): Promise<ReadonlyMap<string, SeenMail>>;
}

async function readWithPython(
  mails: readonly NamedFile[],
  records: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, SeenMail>> {
  return inFolder(async (folder) => {
    const keys = join(folder, 'records.json');
    await writeFile(keys, JSON.stringify(records));
    await mkdir(join(folder, 'mail'));
    const paths = mails.map(({ name }) => join(folder, 'mail', name));
    for (const [at, path] of paths.entries()) await writeFile(path, mails[at]?.bytes ?? Buffer.of());
    const { output } = await runTool(PYTHON, [READ_MAIL, keys, ...paths], PROGRAM_MS);
    const found = output.split('\n').filter((line) => line.startsWith('{'));
    return new Map(found.map((line) => JSON.parse(line)).map((seen: SeenMail & { name: string }) => [seen.name, seen]));
  });
}

interface NotmuchPart {
  readonly 'content-type': string;
  readonly filename?: string;
  readonly content?: string | readonly unknown[];
  readonly 'content-length'?: number;
}
interface NotmuchMessage {
  readonly filename: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: readonly NotmuchPart[];
}

async function readWithNotmuch(mails: readonly NamedFile[]): Promise<ReadonlyMap<string, SeenMail>> {
  return inFolder(async (folder) => {
    for (const each of ['cur', 'new', 'tmp']) await mkdir(join(folder, 'mail', each), { recursive: true });
    for (const [at, { name, bytes }] of mails.entries()) {
      // It takes messages with one id for copies of one message.
      const own = Buffer.from(bytes)
        .toString('latin1')
        .replace(/^Message-ID:.*$/im, `Message-ID: <${at}@check.example>`);
      await writeFile(join(folder, 'mail', 'cur', name), Buffer.from(own, 'latin1'));
    }
    const config = join(folder, 'config');
    await writeFile(
      config,
      `[database]\npath=${join(folder, 'mail')}\n[user]\nname=x\nprimary_email=x@check.example\n`,
    );
    // What it says of the machine on standard error is no answer.
    const notmuch = (...args: readonly string[]) =>
      spawnSync('notmuch', [`--config=${config}`, ...args], { maxBuffer: MAX_OUTPUT, timeout: PROGRAM_MS }).stdout;
    notmuch('new', '--quiet');
    const output = notmuch('show', '--format=json', '--include-html', '--entire-thread=false', '*').toString();
    const seen = new Map<string, SeenMail>();
    for (const message of messagesIn(JSON.parse(output)))
      for (const file of message.filename) seen.set(basename(file), seenByNotmuch(message));
    return seen;
  });
}

/** The messages in its trees of threads. */
function messagesIn(tree: unknown): NotmuchMessage[] {
  if (Array.isArray(tree)) return tree.flatMap(messagesIn);
  return tree !== null && typeof tree === 'object' && 'filename' in tree ? [tree as NotmuchMessage] : [];
}

function seenByNotmuch({ headers, body }: NotmuchMessage): SeenMail {
  const parts = body.flatMap(leavesOf);
  const { Subject: subject = '', From: from = '' } = headers;
  return { subject, from, parts, defects: [], signatures: null };
}

function leavesOf(part: NotmuchPart): SeenPart[] {
  const { content } = part;
  if (Array.isArray(content))
    return content.flatMap((each) =>
      'body' in each ? (each as NotmuchMessage).body.flatMap(leavesOf) : leavesOf(each),
    );
  const length = typeof content === 'string' ? content.length : (part['content-length'] ?? 0);
  return [{ type: part['content-type'], name: part.filename ?? null, length, sha256: null }];
}

export const MAIL_READERS: readonly MailReader[] = [
  {
    name: "Python's email",
    missing: existsSync(PYTHON) ? null : 'python3 not found; on Debian: apt-get install python3 python3-dkim',
    read: readWithPython,
  },
  { name: 'notmuch', missing: missingOf(['notmuch']), read: readWithNotmuch },
];
