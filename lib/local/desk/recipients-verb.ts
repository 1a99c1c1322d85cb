/** `airlock recipients`: the pages behind the links of digests, until Ctrl-C. It has no engines, and can decide nothing. */
import { once } from 'node:events';
import type { Command } from 'commander';
import { publishedReader } from '../../desk/recipients/links.ts';
import { safeText } from '../../pipeline/safe-text.ts';
import { directoryAsks } from '../../storage/directory/asks.ts';
import { type Console, complain, writeLine } from '../console.ts';
import { originIn } from '../options/origin.ts';
import { explainPort, portIn } from '../options/port.ts';
import { readPolicy } from '../session/engine-session.ts';
import { contextOf, ledgerIfAny } from '../session/run-context.ts';

interface RecipientsOptions {
  readonly url: string;
  readonly port: string;
  readonly out: string;
  readonly policy?: string;
}

/** Adds the verb to the program. */
export function addRecipients(program: Command, console: Console, done: (code: number) => void): void {
  program
    .command('recipients')
    .description('serve the pages behind the links of a digest')
    .requiredOption('--url <origin>', 'where browsers reach it: https://airlock.example')
    .option('--port <number>', 'a port of 127.0.0.1, to which your web server passes requests', '8090')
    .option('--out <dir>', 'the folder of airlock scan', 'airlock-out')
    .option('--policy <file>', 'a policy file: languages, and whom to ask')
    .addHelpText('after', HELP)
    .action(async (options: RecipientsOptions) => done(await recipientsVerb(console, options)));
}

const HELP = `
It listens on this machine only. A web server with TLS in front of it passes requests on, with the Host that the browser named. Anybody with a link
sees who wrote, the subject, why the message was held and which files it has, and can ask for it. No page shows anything of the message itself.`;

async function recipientsVerb(console: Console, options: RecipientsOptions): Promise<number> {
  const [origin, port] = [originIn(options.url), portIn(options.port)];
  const ctx = contextOf(options.out);
  const policy = await readPolicy(options.policy);
  const { createRecipientPages } = await import('../../desk/recipients/recipients.ts');
  const { listenOn } = await import('../../desk/listen.ts');
  const pages = createRecipientPages({
    origin,
    links: () => publishedReader(ctx.blobs),
    policy,
    asks: directoryAsks(options.out, ctx.blobs),
    ledgerOf: (runId) => ledgerIfAny(ctx, runId),
    now: () => Date.now(),
    onFailure: (error) => complain(console, `A page failed: ${safeText(String(error), 300)}`),
  });
  const { port: bound, close } = await explainPort(port, listenOn(port, pages));
  await writeLine(console.stdout, `recipients  127.0.0.1:${bound}, as ${origin}. Stop with Ctrl-C.`);
  if (!console.signal.aborted) await once(console.signal, 'abort');
  await close();
  return 0;
}
