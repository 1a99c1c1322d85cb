/** `airlock digest`: one mail to each recipient of ours about the mail held on a day, into a folder or to a mail server. */
import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { type Digest, digestsOf } from '../../desk/recipients/digest.ts';
import { digestMail } from '../../desk/recipients/digest-round.ts';
import { linkSigner, publishLinkKey } from '../../desk/recipients/links.ts';
import type { Blobs } from '../../pipeline/ports.ts';
import { type Sending, sendOnce } from '../../pipeline/recall/send-once.ts';
import { safeJson } from '../../pipeline/safe-text.ts';
import { fileSecret } from '../../storage/stage-secrets.ts';
import { type Console, complain, UsageError, writeLine } from '../console.ts';
import { addNextOptions, type NextOptions, sendingTo, writingPolicy } from '../gateway/next-options.ts';
import { numberIn } from '../options/number.ts';
import { originIn } from '../options/origin.ts';
import { contextOf, ledgerIfAny } from '../session/run-context.ts';
import { isIncomplete, openOrExplain } from '../session/run-index.ts';

interface DigestOptions extends NextOptions {
  readonly out: string;
  readonly url: string;
  readonly policy: string;
  readonly day?: string;
  readonly linkDays: string;
  readonly to?: string;
  readonly json?: boolean;
}

const DAY_MS = 86_400_000;
const MAX_LINK_DAYS = 365;
const EXIT = { sent: 0, notAll: 1 } as const;

/** Adds the verb to the program. */
export function addDigest(program: Command, console: Console, done: (code: number) => void): void {
  const command = program
    .command('digest')
    .description('send each recipient one mail about what was held for him on a day')
    .requiredOption('--url <origin>', 'where recipients reach airlock recipients: https://airlock.example')
    .requiredOption('--policy <file>', 'a policy file with notices.from and notices.domains')
    .option('--out <dir>', 'the folder of airlock scan', 'airlock-out')
    .option('--day <day>', 'such as 2026-11-23, in UTC (default: yesterday)')
    .option('--link-days <number>', 'how long links work', '14')
    .option('--to <dir>', 'write the mails into this folder, as .eml files');
  addNextOptions(command, 'send them to this mail server')
    .option('--json', 'print one JSON line for each recipient')
    .addHelpText('after', HELP)
    .action(async (options: DigestOptions) => done(await digestVerb(console, options)));
}

const HELP = `
Recipients are those of the header To whose domain is in notices.domains of the policy. Run it once a day, after midnight UTC. A digest that the
server took is not sent again for that day, nor is one that another process sends just now. Links work until --link-days have passed, for their
recipient and their message alone.

Exit codes: 0 all digests were written or sent, 1 the server did not take some or the records of held mails are damaged, 2 wrong usage.

Examples:
  airlock digest --policy policy.json --url https://airlock.example --to digests/
  airlock digest --policy policy.json --url https://airlock.example --next 127.0.0.1:25 --day 2026-11-22`;

/** Brings one digest to its place. Returns the result. */
type Bring = (digest: Digest) => Promise<Sending | { readonly outcome: 'written' }>;

async function digestVerb(console: Console, options: DigestOptions): Promise<number> {
  const [origin, linkDays] = [originIn(options.url), numberIn('--link-days', options.linkDays, 1, MAX_LINK_DAYS)];
  const day = dayIn(options.day);
  const policy = await writingPolicy(options.policy, 'digests');
  const ctx = contextOf(options.out);
  const bring = await wayOut(console, options, day, ctx.blobs);
  if (isIncomplete(options.out))
    complain(console, `Some mail is missing from the index. Run: airlock index rebuild --out ${options.out}`);
  const links = linkSigner(await fileSecret(options.out, 'links'));
  await publishLinkKey(ctx.blobs, links);
  const runs = await openOrExplain(options.out);
  try {
    const ledgerOf = (runId: string) => ledgerIfAny(ctx, runId);
    const { digests, unreadable } = await digestsOf(
      { runs, ledgerOf, policy, links, origin, linkDays, now: Date.now() },
      day,
    );
    let code: number = EXIT.sent;
    for (const digest of digests) {
      const became = await bring(digest);
      if ('why' in became) code = EXIT.notAll;
      await print(console, options, digest, became);
    }
    if (unreadable.length > 0) {
      code = EXIT.notAll;
      complain(console, untold(unreadable));
    } else if (digests.length === 0 && !options.json)
      await writeLine(console.stdout, `Nothing was held for anybody on ${day}.`);
    return code;
  } finally {
    runs.close();
  }
}

const untold = (runIds: readonly string[]) =>
  `The records of ${runIds.length} held mails are damaged or gone, so nobody is told of them: ${runIds.slice(0, 10).join(', ')}${
    runIds.length > 10 ? ', …' : ''
  }. Their originals are in quarantine; look at them with airlock quarantine show.`;

async function print(
  console: Console,
  { json }: DigestOptions,
  { recipient, held }: Digest,
  became: Awaited<ReturnType<Bring>>,
): Promise<void> {
  const state = became.outcome;
  const why = 'why' in became ? became.why : null;
  if (json) return writeLine(console.stdout, safeJson({ recipient, held, state, why }));
  const line = `${recipient}  ${held} held  ${state}${why === null ? '' : `: ${why}`}`;
  return writeLine(console.stdout, line);
}

async function wayOut(console: Console, options: DigestOptions, day: string, blobs: Blobs): Promise<Bring> {
  const { to, next } = options;
  if ((to === undefined) === (next === undefined))
    throw new UsageError('Name one place for the digests: --to DIR, or --next HOST:PORT.');
  if (to !== undefined) return (digest) => write(to, day, digest);
  const sending = await sendingTo(console, options, blobs);
  return (digest) => sendOnce(sending, digestMail(day, digest));
}

/**
 * Writes a digest to a file. Its name follows from recipient and day, so a repetition writes the same file. Programs see only whole files.
 */
async function write(folder: string, day: string, { recipientHash, email }: Digest): ReturnType<Bring> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${day}-${recipientHash.slice(0, 16)}.eml`);
  const partial = `${path}.${randomUUID()}.partial`;
  await writeFile(partial, email, { mode: 0o600, flag: 'wx' });
  await rename(partial, path);
  return { outcome: 'written' };
}

function dayIn(text: string | undefined): string {
  if (text === undefined) return new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text)
    throw new UsageError(`--day takes a day such as 2026-11-23, not ${JSON.stringify(text)}.`);
  return text;
}
