/** What a decision about held mail leaves when its process is killed, and what the same decision makes of that. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { commandLine } from '../runner/command-line.ts';
import { airlock } from './console.ts';

const PRELOAD = join(import.meta.dirname, 'kill-at-write.mjs');

/** The write at which a process ends: the nth whose path or SQL has this text. */
export interface FatalWrite {
  readonly on: string;
  readonly nth: number;
}

/** A held mail, and the message that a release of it delivers. */
export interface HeldMail {
  readonly runId: string;
  readonly mail: Buffer;
  readonly released: Buffer;
}

export type Decided = 'release' | 'delete' | 'rescan';

/** Starts the command line (what Node is given to start it) in a process that ends at this write below `out`. */
export function startFatal(
  command: readonly string[],
  args: readonly string[],
  out: string,
  fatal: FatalWrite,
): ChildProcess {
  return spawn(process.execPath, ['--import', PRELOAD, ...command, ...args, '--out', out], {
    env: { PATH: process.env.PATH, AIRLOCK_TEST_KILL: JSON.stringify({ folder: out, ...fatal }) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Runs the verb in a process that must end at this write. Resolves with its exit code, the signal that ended it, and what it said. */
export async function killedAt(out: string, args: readonly string[], fatal: FatalWrite): Promise<unknown[]> {
  const child = startFatal(commandLine(), args, out, fatal);
  child.stdout?.resume();
  const said = child.stderr === null ? '' : text(child.stderr);
  return [...(await once(child, 'close')), await said];
}

/** What `killedAt` resolves with. */
export const KILLED = [null, 'SIGKILL', ''];

interface Line {
  readonly runId: string;
  readonly state: string;
  readonly action: string;
  readonly became: string;
}

/** The lines of a verb with `--json` that are about this run. */
export async function lines(out: string, runId: string, ...args: string[]): Promise<Line[]> {
  const { stdout } = await airlock([...args, '--json', '--out', out]);
  const all = stdout.split('\n').filter((line) => line !== '');
  return all.map((line) => JSON.parse(line) as Line).filter((line) => line.runId === runId);
}

const bytesOf = (path: string) => (existsSync(path) ? readFile(path) : null);

/** The objects of the run that people see, read from the disk. */
async function standing(out: string, { runId, mail, released }: HeldMail) {
  const message = await bytesOf(join(out, 'clean', runId, 'message.eml'));
  const original = await bytesOf(join(out, 'quarantine', runId, 'original'));
  return {
    isReleased: message?.equals(released) ?? false,
    isHeld: original?.equals(mail) ?? false,
    isBroken: (message !== null && !message.equals(released)) || (original !== null && !original.equals(mail)),
  };
}

/** What is wrong right behind the kill: a mail that is lost or in pieces, or a trail that says something else. */
export async function problemsBehindKill(out: string, held: HeldMail, decision: Decided): Promise<string[]> {
  const { isReleased, isHeld, isBroken } = await standing(out, held);
  const became = (await lines(out, held.runId, 'audit', 'list')).at(-1)?.became ?? 'not decided';
  const { code } = await airlock(['audit', 'verify', '--out', out]);
  const isUndecided = /^(?:not decided|not carried out|waits for a second person)/.test(became);
  const mayBeGone = decision === 'delete' && became === 'deleted';
  return [
    ...(isBroken ? ['an object is in pieces'] : []),
    ...(isHeld || isReleased || mayBeGone ? [] : [`the mail is lost; the trail says: ${became}`]),
    ...(isUndecided && (isReleased || !isHeld) ? [`something was done, and the trail says: ${became}`] : []),
    ...(became === 'delivered' && !isReleased ? ['the trail says that it was delivered, and it was not'] : []),
    ...(decision !== 'release' && isReleased ? ['it was released'] : []),
    ...(code === 0 ? [] : ['the trail is not whole']),
  ];
}

const ENDS = { release: 'delivered', delete: 'deleted', rescan: 'quarantined' } as const;

/** What is wrong when the same decision was made again: the mail is not where it belongs, or was dealt with twice. */
export async function problemsAtTheEnd(out: string, held: HeldMail, decision: Decided): Promise<string[]> {
  const { isReleased, isHeld, isBroken } = await standing(out, held);
  const trail = await lines(out, held.runId, 'audit', 'list');
  const ends = trail.filter(({ became }) => became === ENDS[decision]).length;
  const listed = await lines(out, held.runId, 'runs', 'list');
  const { code } = await airlock(['audit', 'verify', '--out', out]);
  const left = existsSync(join(out, 'quarantine', held.runId))
    ? await readdir(join(out, 'quarantine', held.runId))
    : [];
  return [
    ...(isBroken ? ['an object is in pieces'] : []),
    ...(isReleased === (decision === 'release') ? [] : ['it is not in the clean bucket, or should not be']),
    ...(isHeld === (decision === 'rescan') ? [] : ['it is not in the quarantine, or should not be']),
    ...(decision === 'rescan' || left.length === 0 ? [] : [`left in the quarantine: ${left.join(', ')}`]),
    ...(trail.at(-1)?.became === ENDS[decision] ? [] : [`the trail says: ${trail.at(-1)?.became}`]),
    ...(decision === 'rescan' || ends === 1 ? [] : [`it ended so ${ends} times`]),
    ...(listed.length === 1 && listed[0]?.state === ENDS[decision] ? [] : [`the list says: ${listed[0]?.state}`]),
    ...(code === 0 ? [] : ['the trail is not whole']),
  ];
}
