/** What Python reads in the mailboxes, and what must be in them. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runTool } from '../tools.ts';

const READ_MAILDIR = fileURLToPath(new URL('read-maildir.py', import.meta.url));
const READ_MS = 60_000;
const ARRIVE_MS = 180_000;

export interface Arrived {
  readonly mailbox: string;
  readonly returnPath: string;
  readonly subject: string;
  readonly received: readonly string[];
  readonly parts: readonly {
    readonly type: string;
    readonly name: string | null;
    readonly sha256: string;
    readonly text: string | null;
  }[];
}

/** Every message in the mailboxes below a folder. */
export async function readMailboxes(folder: string): Promise<Arrived[]> {
  const names = await readdir(folder);
  const { output } = await runTool(
    '/usr/bin/python3',
    [READ_MAILDIR, ...names.map((name) => join(folder, name))],
    READ_MS,
  );
  return output
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Arrived);
}

/** The messages once there are as many as expected, or after three minutes those that are there. */
export async function untilArrived(folder: string, count: number): Promise<Arrived[]> {
  for (const end = Date.now() + ARRIVE_MS; ; await pause(500)) {
    const arrived = await readMailboxes(folder);
    if (arrived.length >= count || Date.now() > end) return arrived;
  }
}
