/** A desk in a process of its own that ends at one of its writes. */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { commandLine } from '../runner/command-line.ts';
import { type FatalWrite, startFatal } from './killed-decision.ts';

/** A write that no process makes. */
export const NEVER: FatalWrite = { on: 'no path has this', nth: 1 };

export interface KilledDesk {
  /** Sends the form of a page, with the secret of its forms. Rejects when the process ends meanwhile. */
  readonly send: (path: string, fields: readonly (readonly [string, string])[]) => Promise<Response>;
  /** The signal that ended the process, once it has. */
  readonly ended: () => Promise<string>;
  readonly close: () => Promise<unknown>;
}

/** Starts it, and lets a browser in. */
export async function openKilledDesk(
  out: string,
  fatal: FatalWrite,
  args: readonly string[] = [],
): Promise<KilledDesk> {
  const child = startFatal(commandLine(), ['desk', '--as', 'pat', ...args], out, fatal);
  const ended = once(child, 'close');
  if (child.stdout === null) throw new Error('no output');
  let url = '';
  for await (const line of createInterface(child.stdout)) {
    url = /^desk +(http:\S+)$/.exec(line)?.[1] ?? '';
    if (url !== '') break;
  }
  const { origin } = new URL(url);
  const letIn = await fetch(url, { redirect: 'manual' });
  const headers = { cookie: (letIn.headers.get('set-cookie') ?? '').split(';')[0] ?? '' };
  const page = await (await fetch(`${origin}/mails`, { headers })).text();
  const csrf = /name="csrf" value="([\w-]+)"/.exec(page)?.[1] ?? '';
  return {
    send: (path, fields) => {
      const body = new URLSearchParams([
        ['csrf', csrf],
        ...fields.map(([name, value]): [string, string] => [name, value]),
      ]);
      const more = { method: 'POST', headers: { ...headers, origin }, body, redirect: 'manual' } as const;
      return fetch(`${origin}${path}`, more);
    },
    ended: async () => String((await ended)[1]),
    close: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}
