/** Submissions for several processes of the CDR service, each with a webhook, and what became of them. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { CdrClient } from '../../../lib/service/client/cdr-client.ts';

export interface Receiver {
  readonly url: string;
  /** How often each result was told. */
  readonly told: ReadonlyMap<string, number>;
  close(): void;
}

/** A receiver of webhooks on this machine. */
export async function startReceiver(): Promise<Receiver> {
  const told = new Map<string, number>();
  const server: Server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const { resultId } = JSON.parse(text) as { resultId: string };
    told.set(resultId, (told.get(resultId) ?? 0) + 1);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, told, close: () => void server.close() };
}

/** The processes that take requests. A client whose process is gone goes on with the next. */
export interface Target {
  readonly urls: () => readonly string[];
  readonly token: string;
}

/** How long one submission is tried, and how long a result may take after the last kill. */
const PATIENCE_MS = 120_000;
const POLL_MS = 200;

/** Calls one of the processes, and another one as long as none answers. */
async function withAny<T>({ urls, token }: Target, call: (client: CdrClient) => Promise<T>): Promise<T> {
  const endMs = Date.now() + PATIENCE_MS;
  for (let turn = Math.floor(Math.random() * 100); ; turn += 1) {
    const known = urls();
    try {
      return await call(new CdrClient({ baseUrl: `${known[turn % known.length]}/cdr`, token, retries: 0 }));
    } catch (error) {
      if (Date.now() > endMs) throw error;
      await pause(POLL_MS);
    }
  }
}

/** A small page with a script, which no other submission has. */
const pageOf = (name: string) => ({
  bytes: Buffer.from(
    `<html><body><h1>${name}</h1><script>alert(1)</script><p>${'text '.repeat(200)}</p></body></html>`,
  ),
  filename: `${name}.html`,
});

/** Sends one submission; resolves with its id when the service has it. */
export async function submit(target: Target, name: string, webhook?: string): Promise<string> {
  return (await withAny(target, (client) => client.start(pageOf(name), { webhook }))).resultId;
}

/** What is wrong with the result of a submission; null when it is there, with its file. */
export async function problemOf(target: Target, resultId: string): Promise<string | null> {
  const endMs = Date.now() + PATIENCE_MS;
  for (;;) {
    const record = await withAny(target, (client) => client.listen(resultId));
    if (record.status === 2) {
      const [file] = record.files ?? [];
      return file ? null : `${resultId} ended without a file: ${JSON.stringify(record).slice(0, 300)}`;
    }
    if (Date.now() > endMs) return `${resultId} has not ended`;
    await pause(POLL_MS);
  }
}
