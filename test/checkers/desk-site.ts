/** A desk with held, delivered, asked for, blocked and recalled hostile mail, and the pages of a recipient: what check:desk opens. */
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { linkSigner, publishLinkKey } from '../../lib/desk/recipients/links.ts';
import { runCli } from '../../lib/local/cli.ts';
import { directoryBlobs } from '../../lib/storage/directory/directory.ts';
import { fileSecret } from '../../lib/storage/stage-secrets.ts';
import { PAYLOADS } from '../desk/payloads.ts';
import { airlock } from '../local/console.ts';
import { emailWith } from '../pipeline/rig.ts';

/** Written in pieces, so that no scanner finds it here. */
export const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');
export const FIXTURE = 'test/fixtures/emails/invoice-with-macro.eml';
/** A text, a page, a picture and a PDF. */
const FIXTURE_PARTS = ['1.1.1', '1.1.2.1', '1.1.2.2', '1.3'];
const RECIPIENT = 'bob@recipient.example';
const LINK_SECONDS = 86_400;

export interface Site {
  /** The address of the desk, with its token. */
  readonly url: string;
  /** The pages of the desk beside those of mails. */
  readonly paths: readonly string[];
  /** The page of a recipient. */
  readonly recipient: string;
  close(): Promise<void>;
}

/** Scans hostile mail below the folder and opens the pages over it. */
export async function openSite(folder: string): Promise<Site> {
  const out = join(folder, 'out');
  for (const [number, payload] of PAYLOADS.entries()) {
    const files = [{ name: `${payload.replace(/["\\\0]/g, '')}.com`, bytes: EICAR }];
    await writeFile(join(folder, `${number}.eml`), emailWith({ subject: payload, text: payload, files }));
  }
  await airlock(['scan', '--quiet', '--out', out, folder, FIXTURE]);
  const runId = await heldIn(out);
  const sides = [...(await partsOf(out, FIXTURE_PARTS)), `/mails/${runId}/parts/1.1`, `/mails/${runId}/parts/1.2`];
  const stop = new AbortController();
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const pages = await started(['recipients', '--out', out, '--url', origin, '--port', String(port)], stop.signal);
  const desk = await started(['desk', '--out', out, '--as', 'pat', '--role', 'admin'], stop.signal);
  const recipient = `${origin}${await linkOf(out, runId)}`;
  await ask(recipient);
  const why = ['--out', out, '--as', 'pat', '--reason', PAYLOADS[0] ?? ''];
  await airlock(['block', 'add', '--host', 'www.sender.example', ...why]);
  for (const payload of PAYLOADS) await airlock(['block', 'add', '--url', `http://evil.example/${payload}`, ...why]);
  return {
    url: desk.line.replace(/^desk +/, ''),
    paths: [
      '/mails?state=',
      '/drop',
      '/overview',
      '/overview?days=30',
      '/asks',
      '/recall',
      '/blocks',
      '/audit',
      '/policy',
      ...sides,
    ],
    recipient,
    close: async () => {
      stop.abort();
      await Promise.all([pages.ended, desk.ended]);
    },
  };
}

/** The pages of these parts of the one mail that was delivered. */
async function partsOf(out: string, paths: readonly string[]): Promise<string[]> {
  const { stdout } = await airlock(['runs', 'list', '--state', 'delivered', '--json', '--out', out]);
  const { runId } = JSON.parse(stdout.split('\n')[0] ?? '') as { runId: string };
  return paths.map((path) => `/mails/${runId}/parts/${path}`);
}

async function heldIn(out: string): Promise<string> {
  const { stdout } = await airlock(['quarantine', 'list', '--json', '--out', out]);
  return (JSON.parse(stdout.split('\n')[0] ?? '') as { runId: string }).runId;
}

export async function started(
  args: readonly string[],
  signal: AbortSignal,
): Promise<{ line: string; ended: Promise<number> }> {
  const stdout = new PassThrough({ encoding: 'utf8' });
  const ended = runCli(args, { stdin: new PassThrough(), stdout, stderr: new PassThrough(), env: {}, signal });
  const [text] = await once(stdout, 'data');
  return { line: String(text).split('\n')[0] ?? '', ended };
}

/** The address that browsers ask for must be known before the pages listen. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

export async function linkOf(out: string, runId: string): Promise<string> {
  const expiresAtSeconds = Math.floor(Date.now() / 1000) + LINK_SECONDS;
  const signer = linkSigner(await fileSecret(out, 'links'));
  // As `airlock digest` does before it sends links.
  await publishLinkKey(directoryBlobs(out), signer);
  return `/r/${signer.sign({ runId, recipient: RECIPIENT, expiresAtSeconds })}`;
}

/** The recipient asks for the mail, in words that are hostile too. */
async function ask(page: string): Promise<void> {
  const secret = /name="form" value="([\w-]+)"/.exec(await (await fetch(page)).text())?.[1] ?? '';
  const body = new URLSearchParams({ form: secret, why: PAYLOADS[1] ?? '' });
  await fetch(page, { method: 'POST', body, headers: { origin: new URL(page).origin }, redirect: 'manual' });
}
