/** How much memory the gateway needs while a thousand messages wait for a next server that is away. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../checkers/mail-servers/servers.ts';
import type { Progress } from './figure.ts';
import { startStaged } from './gateway-paths.ts';
import { openSender } from './smtp-ends.ts';

const MESSAGES = 1_000;
const SENDERS = 4;
/** Time to judge what was accepted. */
const JUDGING_MS = 180_000;

export interface QueuedMemory {
  readonly queued: number;
  /** Messages that were judged when the last figure was taken. */
  readonly judged: number;
  readonly idleBytes: number;
  readonly peakBytes: number;
}

/** Null where the system has no /proc. */
export async function memoryWithQueue(
  folder: string,
  email: (number: number) => Uint8Array,
  progress: Progress,
): Promise<QueuedMemory | null> {
  if (process.platform !== 'linux') return null;
  const [port, away, metrics] = [await freePort(), await freePort(), await freePort()];
  const places = ['--listen', `127.0.0.1:${port}`, '--next', `127.0.0.1:${away}`, '--metrics', `127.0.0.1:${metrics}`];
  const spool = ['--spool', join(folder, 'queued')];
  const gateway = await startStaged([...places, ...spool], port, join(folder, 'queued.log'));
  try {
    const idleBytes = memoryOf(gateway.pid, 'VmRSS');
    let next = 0;
    const work = async () => {
      const sender = await openSender(port);
      while (next < MESSAGES) {
        next += 1;
        if (!(await sender?.send(`queued-${next}@rcpt.example`, email(next)))) throw new Error('a message was refused');
      }
      sender?.end();
    };
    await Promise.all(Array.from({ length: SENDERS }, work));
    progress(`${MESSAGES} messages are queued`);
    let judged = 0;
    for (const end = performance.now() + JUDGING_MS; judged < MESSAGES && performance.now() < end; await pause(500))
      judged = await judgedSoFar(metrics);
    return { queued: MESSAGES, judged, idleBytes, peakBytes: memoryOf(gateway.pid, 'VmHWM') };
  } finally {
    await gateway.stop();
  }
}

async function judgedSoFar(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return Number(/^airlock_gateway_judged_total\{[^}]*delivered[^}]*\} (\d+)/m.exec(text)?.[1] ?? 0);
}

/** Of the gateway and the processes that judge for it. */
function memoryOf(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return [String(pid), ...children].reduce((sum, each) => sum + memoryOfOne(each, field), 0);
}

function memoryOfOne(pid: string, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? Number.NaN) * 1024;
}
