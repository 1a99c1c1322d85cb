/** What the trials of check:gateway have in common: what they send, and what must be there afterwards. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { runTool } from '../tools.ts';
import { statusOf } from './gateway-process.ts';
import type { Arrived } from './mailboxes.ts';
import { MAILS, swaks, type TrialMail, WANTED } from './mails.ts';
import type { Place } from './place.ts';
import { type Recipe, recipeOf } from './recipes.ts';

export interface Trial {
  readonly name: string;
  /** What is wrong; empty when all is as it must be. Rejects with NotHereError when it cannot be tried on this machine. */
  run(folder: string): Promise<readonly string[]>;
}

/** A program that a trial needs cannot be had here. */
export class NotHereError extends Error {}

export const SEND_MS = 300_000;

/** Where Postfix puts what came back, or what it sends at once. */
export const toDovecot = ({ ports }: Place) => [`default_transport = lmtp:[127.0.0.1]:${ports.lmtp}`];

export const recipeIn = (
  { ports, spool }: Place,
  heading: string,
  instead: Readonly<Record<string, string>> = {},
): Recipe =>
  recipeOf(heading, {
    ...instead,
    '10025': String(ports.gateway),
    '10027': String(ports.gateway),
    '10026': String(ports.back),
    '/var/spool/airlock': spool,
    'smtp.example.com:587': `127.0.0.1:${ports.back}`,
    'lmtp:127.0.0.1:24': `lmtp:127.0.0.1:${ports.lmtp}`,
  });

/** Sends every mail, and returns the problems of those that were not taken. */
export async function sendAll(
  { folder, ports }: Place,
  port = ports.front,
  options: readonly string[] = [],
): Promise<string[]> {
  const problems: string[] = [];
  for (const mail of MAILS) {
    const { code, output } = await swaks(folder, port, mail, 'example.com', options);
    if (code !== 0)
      problems.push(
        `${mail.subject}: swaks ended with ${code}: ${output
          .split('\n')
          .filter((line) => /^<\S* [45]/.test(line))
          .join(' ')}`,
      );
  }
  return problems;
}

/** What smtp-source sends, which has no words of ours: `count` messages for the mailbox `load`. */
export async function sendLoad(port: number, count: number): Promise<string[]> {
  const options = ['-s', '4', '-m', String(count), '-l', '4000', '-f', 'load@sender.example', '-t', 'load@example.com'];
  const { code, output } = await runTool('smtp-source', [...options, `127.0.0.1:${port}`], SEND_MS);
  return code === 0 ? [] : [`smtp-source ended with ${code}: ${output}`];
}

export const loadIn = (arrived: readonly Arrived[]) => arrived.filter(({ mailbox }) => mailbox === 'load');
export const withoutLoad = (arrived: readonly Arrived[]) => arrived.filter(({ mailbox }) => mailbox !== 'load');

/** Resolves when the gateway has accepted messages that it has not sent on. */
export async function untilWaiting(spool: string): Promise<void> {
  const intake = join(spool, 'intake/gateway');
  for (const end = Date.now() + SEND_MS; Date.now() < end; await pause(10)) {
    const waiting = (await readdir(intake)).length - (MAILS.length - WANTED.length);
    if (waiting > 10) return;
  }
  throw new Error('no message waited in the spool');
}

export async function spoolProblems(spool: string): Promise<string[]> {
  const { counts } = await statusOf(spool);
  const expected = { judging: 0, sending: 0, held: MAILS.length - WANTED.length, undelivered: 0, damaged: 0 };
  return JSON.stringify(counts) === JSON.stringify(expected) ? [] : [`the spool has ${JSON.stringify(counts)}`];
}

export const HELD = MAILS.find(({ problemOf }) => problemOf === null) as TrialMail;

export const LOOPING = {
  subject: 'Loop',
  from: 'ana@sender.example',
  to: ['bo'],
  message: `${'Received: from a by b; Mon, 23 Nov 2026 09:00:00 +0000\r\n'.repeat(60)}Subject: Loop\r\n\r\nx\r\n`,
};
