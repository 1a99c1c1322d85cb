/** A real desk on a port of this machine, over a folder of its own and the engines of this process: what a person drops is really analysed. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { runCli } from '../../lib/local/cli.ts';

export interface DropDesk {
  readonly origin: string;
  readonly out: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly get: (path: string, headers?: Record<string, string>) => Promise<Response>;
  /** Sends the form with this file as its page would. */
  readonly drop: (name: string, bytes: string, csrf?: string) => Promise<Response>;
  /** Every view that the stream of a run tells until its end. */
  readonly watch: (path: string) => Promise<View[]>;
  close(): Promise<void>;
}

export interface View {
  readonly title: string;
  readonly isEnded: boolean;
  readonly rows: readonly { readonly stage: string; readonly state: string; readonly found: readonly string[] }[];
}

/** Starts `airlock desk`. */
export async function openDropDesk(role = 'analyst'): Promise<DropDesk> {
  const out = await mkdtemp(join(tmpdir(), 'airlock-drop-'));
  const stop = new AbortController();
  const stdout = new PassThrough({ encoding: 'utf8' });
  const args = ['desk', '--out', out, '--as', 'pat', '--role', role];
  const streams = { stdin: new PassThrough(), stdout, stderr: new PassThrough(), env: {}, signal: stop.signal };
  const ended = runCli(args, streams);
  const [line] = await once(stdout, 'data');
  const url = new URL(/http:\S+/.exec(String(line))?.[0] ?? '');
  const letIn = await fetch(url, { redirect: 'manual' });
  const headers = { cookie: (letIn.headers.get('set-cookie') ?? '').split(';')[0] ?? '' };
  const get = (path: string, more: Record<string, string> = {}) =>
    fetch(`${url.origin}${path}`, { headers: { ...headers, ...more }, redirect: 'manual' });
  const secret = /name="csrf" value="([\w-]+)"/.exec(await (await get('/drop')).text())?.[1] ?? '';
  return {
    origin: url.origin,
    out,
    headers,
    get,
    drop: (name, bytes, csrf = secret) => {
      const body = new FormData();
      body.set('csrf', csrf);
      body.set('file', new Blob([bytes]), name);
      const more = { ...headers, origin: url.origin };
      return fetch(`${url.origin}/drop`, { method: 'POST', body, headers: more, redirect: 'manual' });
    },
    watch: async (path) => viewsIn(await (await get(`${path}/events`)).text()),
    close: async () => {
      stop.abort();
      await ended;
      await rm(out, { recursive: true });
    },
  };
}

/** The views of a stream that has ended. */
export function viewsIn(stream: string): View[] {
  return stream
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice(6)) as View);
}
