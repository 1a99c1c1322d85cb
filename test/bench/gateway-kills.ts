/**
 * The gateway is killed again and again under load: what was accepted and never arrived, and what arrived twice. Its
 * judge delivers everything as it came, because the engines would need most of the time for their start.
 */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { type GatewayProcess, startProgram } from '../checkers/mail-servers/gateway-process.ts';
import { freePort } from '../checkers/mail-servers/servers.ts';
import { count, type Part, type Progress, plain } from './figure.ts';
import { smallEmails } from './mails.ts';
import { openSender, openSink, type Sink } from './smtp-ends.ts';

const PLAIN = fileURLToPath(new URL('gateway-plain.ts', import.meta.url));
const KILLS = 200;
const SENDERS = 4;
/** A process lives so long at most once it listens, and every second one once it has accepted a message: on a busy machine, that takes longer. */
const MAX_LIFE_MS = 500;
const ACCEPTING_MS = 60_000;
/** Killing ends then, however many kills are missing: a busy machine starts a process in seconds. */
const MAX_MS = 1_800_000;
const DRAIN_MS = 180_000;

interface Killed {
  readonly kills: number;
  readonly accepted: number;
  readonly lost: number;
  readonly duplicates: number;
  /** Messages of which the gateway itself says that they may have been sent twice. */
  readonly counted: number;
}

/** Kills the gateway so many times with SIGKILL while mail comes in, or as often as there is time, and lets the last process send what is left. */
async function killUnderLoad(
  folder: string,
  kills: number,
  email: (number: number) => Uint8Array,
  progress: Progress,
): Promise<Killed> {
  const [sink, port, log] = [await openSink(), await freePort(), join(folder, 'kills.log')];
  const args = [await programIn(folder), String(port), String(sink.port), join(folder, 'killed')];
  const accepted: string[] = [];
  const stop = new AbortController();
  const load = Array.from({ length: SENDERS }, (_, index) =>
    sendUntil(stop.signal, port, `k${index}`, email, accepted),
  );
  let gateway: GatewayProcess | null = null;
  let done = 0;
  try {
    for (const end = performance.now() + MAX_MS; done < kills && performance.now() < end; done += 1) {
      gateway = await startProgram(process.execPath, args, port, log);
      if (done % 2 === 1) await untilMore(accepted);
      await pause(Math.random() * MAX_LIFE_MS);
      await gateway.kill();
      if (done % 10 === 9) progress(`${done + 1} of ${kills} kills, ${accepted.length} messages accepted`);
    }
    stop.abort();
    await Promise.all(load);
    gateway = await startProgram(process.execPath, args, port, log);
    const lost = await untilAll(sink, accepted);
    const counted = (await readFile(log, 'utf8')).split('"event":"possible_duplicate"').length - 1;
    const duplicates = [...sink.arrivals.values()].reduce((sum, times) => sum + times.length - 1, 0);
    return { kills: done, accepted: accepted.length, lost, duplicates, counted };
  } finally {
    stop.abort();
    await gateway?.stop();
    await sink.close();
  }
}

/** The gateway as one file, which starts at once. */
async function programIn(folder: string): Promise<string> {
  const outfile = join(folder, 'gateway.mjs');
  const banner = { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" };
  await build({
    entryPoints: [PLAIN],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner,
    logLevel: 'error',
  });
  return outfile;
}

/** Sends one message after the other, and connects again whenever the connection is cut. */
async function sendUntil(
  signal: AbortSignal,
  port: number,
  name: string,
  email: (number: number) => Uint8Array,
  accepted: string[],
): Promise<void> {
  for (let number = 1; !signal.aborted; ) {
    const sender = await openSender(port);
    if (sender === null) await pause(50);
    for (let goesOn = sender !== null; goesOn && !signal.aborted; number += 1) {
      const recipient = `${name}-${number}@rcpt.example`;
      goesOn = (await sender?.send(recipient, email(number))) === true;
      if (goesOn) accepted.push(recipient);
    }
    sender?.end();
  }
}

/** Resolves when another message was accepted. */
async function untilMore(accepted: readonly string[]): Promise<void> {
  const before = accepted.length;
  for (const end = performance.now() + ACCEPTING_MS; accepted.length === before; await pause(5))
    if (performance.now() > end) throw new Error('no message was accepted');
}

/** How many accepted messages have not arrived when all had their time. */
async function untilAll({ arrivals }: Sink, accepted: readonly string[]): Promise<number> {
  for (const end = performance.now() + DRAIN_MS; ; await pause(200)) {
    const missing = accepted.filter((recipient) => !arrivals.has(recipient)).length;
    if (missing === 0 || performance.now() > end) return missing;
  }
}

export const gatewayKills: Part = {
  name: 'gateway-kills',
  title: `The SMTP gateway, killed ${KILLS} times under load`,
  async measure(progress) {
    const folder = await mkdtemp(join(tmpdir(), 'airlock-bench-kills-'));
    try {
      const killed = await killUnderLoad(folder, KILLS, await smallEmails(), progress);
      return {
        figures: [
          {
            name: `accepted and lost after ${killed.kills} kill -9`,
            measured: count(killed.lost),
            atMost: 0,
            baselines: [],
          },
          plain('accepted', count(killed.accepted)),
          plain('arrived twice', count(killed.duplicates)),
          plain('counted by the gateway as possible duplicates', count(killed.counted)),
        ],
        tables: [],
        notes: ['Its judge delivers everything as it came.'],
      };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
