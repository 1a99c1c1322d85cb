/** The command line: verbs, options, help, and the explanation and exit code of wrong usage. */
import { Command, CommanderError, Option } from 'commander';
import { DESK_LANGUAGES } from '../desk/desk-words.ts';
import { ConfigError } from '../pipeline/errors.ts';
import { safeLines } from '../pipeline/safe-text.ts';
import { ClientConfigError } from '../service/client/errors.ts';
import { addApi } from './api/api-verb.ts';
import { addBackfill } from './backfill/command.ts';
import { addCompletion } from './completion/completion-verb.ts';
import { type Applied, addNegations, applyConfig, originOf } from './config/apply.ts';
import { addInit } from './config/init-verb.ts';
import { type Console, complain, ReaderGone, UsageError } from './console.ts';
import { addAudit } from './decisions/audit-verb.ts';
import { addBlock } from './decisions/block-verb.ts';
import { addRecall } from './decisions/recall-verb.ts';
import { addRecheck } from './decisions/recheck-verb.ts';
import { addRedrive } from './decisions/redrive-verb.ts';
import { addDesk } from './desk/desk-verb.ts';
import { addDigest } from './desk/digest-verb.ts';
import { addRecipients } from './desk/recipients-verb.ts';
import { addDoctor } from './doctor/doctor-verb.ts';
import { addGateway } from './gateway/gateway-commands.ts';
import { addMilter } from './gateway/milter-commands.ts';
import {
  CDR_SERVICE_OPTION,
  DEFAULT_DATA_DIRECTORY,
  POLICY_OPTION,
  SEAL_KEY_OPTION,
  SERVICE_OPTION,
} from './options/service.ts';
import { EXIT } from './outcome.ts';
import { addRuns } from './runs-verb.ts';
import { addPolicy } from './trial/policy-verb.ts';
import { addReplay } from './trial/replay-verb.ts';
import { addKeys } from './verify/keys-verb.ts';
import { addVerify } from './verify/verify-verb.ts';
import { versionText } from './version.ts';
import { addWatch } from './watch/watch-verb.ts';

/**
 * Runs the command line and returns the exit code: 0 delivered, 1 quarantined or refused, 2 wrong usage, 3 the run itself failed.
 *
 * @example
 * ```ts
 * const { stdin, stdout, stderr, env } = process;
 * const { signal } = new AbortController();
 * process.exitCode = await runCli(['scan', 'mail.eml'], { stdin, stdout, stderr, env, signal });
 * ```
 */
export async function runCli(args: readonly string[], given: Console): Promise<number> {
  let code: number = EXIT.delivered;
  let applied: Applied | null = null;
  const env: Record<string, string | undefined> = { ...given.env };
  const console = { ...given, env };
  const program = createProgram(console, (verbCode) => {
    code = verbCode;
  });
  program.hook('preAction', async (_, command) => {
    applied = await applyConfig(console, command, (variable, value) => {
      env[variable] = value;
    });
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    return explain(console, error, applied);
  }
}

function explain(console: Console, error: unknown, applied: Applied | null): number {
  if (console.signal.reason instanceof ReaderGone) return EXIT.failed;
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.delivered : EXIT.usage;
  if (error instanceof UsageError || error instanceof ConfigError || error instanceof ClientConfigError) {
    complain(console, `${error.message}${applied ? originOf(applied, error.message) : ''}`);
    return EXIT.usage;
  }
  complain(console, `airlock failed: ${error instanceof Error ? error.message : String(error)}`);
  return EXIT.failed;
}

/** Makes each verb name its own help behind a mistake: `airlock quarantine release --help`. */
function nameTheHelp(command: Command, called: string): void {
  command.showHelpAfterError(`Run "${called} --help" to see how it is used.`);
  for (const verb of command.commands) nameTheHelp(verb, `${called} ${verb.name()}`);
}

type AddVerb = (program: Command, console: Console, done: (code: number) => void) => void;

/** The verbs in the order of the help, sorted by purpose. */
const GROUPS: readonly { readonly heading: string; readonly verbs: readonly AddVerb[] }[] = [
  { heading: 'Make mail and files safe:', verbs: [addScan, addWatch, addDisarm, addParse, addVerify] },
  {
    heading: 'See what came in, and decide about held mail:',
    verbs: [addRuns, addDesk, addRedrive, addBlock, addAudit],
  },
  { heading: 'After mail was delivered or held:', verbs: [addRecheck, addRecall, addDigest, addRecipients] },
  { heading: 'Try other rules on mail that came in:', verbs: [addPolicy, addReplay] },
  { heading: 'Serve others:', verbs: [addGateway, addMilter, addServe, addKeys, addApi, addBackfill] },
  { heading: 'Set up this machine:', verbs: [addInit, addDoctor, addCompletion] },
];

/**
 * Returns all verbs, with their options and help. `done` gets the exit code of the verb that ran.
 *
 * @example
 * ```ts
 * const { stdin, stdout, stderr } = process;
 * const program = createProgram({ stdin, stdout, stderr, env: {}, signal: AbortSignal.timeout(60_000) }, () => undefined);
 * const isThere = program.commands.some((command) => command.name() === 'scan');
 * isThere; // => true
 * ```
 */
export function createProgram(console: Console, done: (code: number) => void): Command {
  const program = new Command('airlock')
    .description('Makes hostile mail safe to open. Every attachment and URL is analysed, and danger is removed.')
    .configureOutput({
      writeOut: (text) => void console.stdout.write(text),
      // The text quotes options and verbs as typed, or as a script took them from an untrusted place.
      writeErr: (text) => void console.stderr.write(safeLines(text)),
    })
    .configureHelp({ showGlobalOptions: true })
    .version(versionText(), '-V, --version', 'print the versions of the package, of Node and of the engines')
    .option('--config <file>', 'the configuration (default: airlock.config.json in this folder or above it)')
    .option('--no-config', 'use no configuration')
    .exitOverride();
  for (const { heading, verbs } of GROUPS) {
    program.commandsGroup(heading);
    for (const add of verbs) add(program, console, done);
  }
  addNegations(program);
  nameTheHelp(program, 'airlock');
  program.addHelpText(
    'after',
    `
Exit codes: 0 everything was delivered, 1 something was quarantined, 2 wrong usage, 3 a run failed.

Examples:
  airlock scan mail.eml             scan one mail, and deliver or quarantine it
  airlock disarm invoice.docm       remove from one file what could run or load anything
  airlock quarantine show RUN       say why a mail is held
  airlock desk --as NAME            see held mail in a browser, and decide about it
  airlock runs search HASH          find who else got a file, an address or a link
  airlock redrive --dry-run         list the mail that a passing fault held; without it, try that mail again
  airlock policy try strict.json    see which mail of the last days another policy would have held
  airlock COMMAND --help            all options of a command, with examples`,
  );
  return program;
}

function addScan(program: Command, console: Console, done: (code: number) => void): void {
  program
    .command('scan')
    .description('scan mails, folders of mail, mboxes or any files, and deliver or quarantine each')
    .argument('<path...>', 'mails, folders and Maildirs (searched for mail), mboxes, - for stdin, or any other file')
    .option('--out <dir>', 'folder for everything that is written', 'airlock-out')
    .option(...SERVICE_OPTION)
    .option(...CDR_SERVICE_OPTION)
    .option(...POLICY_OPTION)
    .option(...SEAL_KEY_OPTION)
    .option('--online', 'let the engines visit URLs (public addresses only); otherwise they judge their text')
    .option('--proxy <url>', 'visit through this proxy, http://host:port; it must allow CONNECT to addresses')
    .option('--json', 'print one JSON line per input on stdout, and nothing else there')
    .option('--resume', 'leave out what an earlier scan into the same --out has done')
    .option('--html <dir>', 'write a page about each mail into this folder: RUN.html')
    .addOption(new Option('--language <language>', 'the language of those pages').choices(DESK_LANGUAGES).default('en'))
    .option('--quiet', 'show no progress; report only what was not delivered, on stderr')
    .addHelpText(
      'after',
      `
In a folder, mail is what is named .eml, .msg, .mbox or .mbx; what has no known extension and begins with the header of a
mail; and every file in new and cur of a Maildir. An Outlook message (.msg) comes out as an .eml file.

With --online, the sender can see that somebody opened the URLs of the mail. airlock serve --help says what is
visited and how. AIRLOCK_YARA_RULES names a folder with your own YARA rules.

Examples:
  airlock scan invoice.eml
  airlock scan --online invoice.eml
  airlock scan --json ~/Maildir archive.mbox > results.jsonl
  fetch-mail | airlock scan -
  airlock scan --policy strict.json --out /srv/airlock report.docm
  AIRLOCK_API_KEY=... airlock scan --service https://analysis.example/public-api mail.eml`,
    )
    .action(async (paths: string[], options) => {
      const { scanVerb } = await import('./scan-verb.ts');
      done(await scanVerb(console, paths, options));
    });
}

function addParse(program: Command, console: Console, done: (code: number) => void): void {
  program
    .command('parse')
    .description('show what is in a mail; nothing is analysed or written')
    .argument('<path...>', 'mails, folders and Maildirs, mboxes, - for stdin, or any other file')
    .option('--json', 'print one JSON line per input, in the order of the inputs')
    .addHelpText(
      'after',
      `
Examples:
  airlock parse mail.eml
  airlock parse --json inbox/ | jq .ledger.warnings`,
    )
    .action(async (paths: string[], options) => {
      const { parseVerb } = await import('./parse-verb.ts');
      done(await parseVerb(console, paths, options));
    });
}

function addDisarm(program: Command, console: Console, done: (code: number) => void): void {
  program
    .command('disarm')
    .description('remove from files everything that could run or load anything, and say what went')
    .argument('<path...>', 'documents, pictures, pages, tables, archives, emails, folders of them, or - for stdin')
    .option('-o, --output <file>', 'file to write (default: <name>.disarmed.<ext> beside the input)')
    .option('--out <dir>', 'folder to write into; it gets every file, also those that were safe already')
    .option('--name <name>', 'name of what comes from stdin; its extension helps to tell the type')
    .option('--json', 'print the whole report of each file as one JSON line')
    .option('--password <password>', 'password of an encrypted document or archive')
    .option('--keep-metadata', 'keep title, author, dates and the like, which are removed by default')
    .addHelpText(
      'after',
      `
Exit codes: 0 disarmed or already safe, 1 one was refused and not written, 2 wrong usage, or one could not be written.
From stdin, the disarmed file goes to stdout and the report to stderr, unless -o or --out names a place.

Examples:
  airlock disarm invoice.docm
  airlock disarm --out clean ~/Downloads report.pdf
  airlock disarm --name a.docm - < a.docm > a.docx
  airlock disarm -o clean.zip --password infected samples.zip`,
    )
    .action(async (paths: string[], options) => {
      const { disarmVerb } = await import('./disarm/disarm-verb.ts');
      done(await disarmVerb(console, paths, options));
    });
}

function addServe(program: Command, console: Console, done: (code: number) => void): void {
  program
    .command('serve')
    .description('run the analysis service and the CDR service on this machine')
    .option('--port <number>', 'port to listen on; 0 means any free port', '8080')
    .option('--host <address>', 'address to listen on; others reach it over TLS or a proxy only (default: 127.0.0.1)')
    .option('--tls-cert <file>', 'certificate with its chain (PEM); a renewed one is read without a restart')
    .option('--tls-key <file>', 'private key of the certificate (PEM)')
    .option('--trust-proxy <range...>', 'addresses of proxies that speak TLS for the service and say who the caller is')
    .option('--metrics <host:port>', 'serve metrics for Prometheus at this address of this machine')
    .option(
      '--drain <seconds>',
      'before it stops, let /readyz fail for so many seconds while requests are still answered',
    )
    .option('--desk-url <url>', 'address of the desk, for the first page of the service')
    .option('--data <dir>', 'folder for submissions, files and keys', DEFAULT_DATA_DIRECTORY)
    .option('--in-memory', 'keep everything in memory; it is gone when the service stops')
    .option('--database <url>', 'PostgreSQL that several processes share, instead of --data: postgres://user@host/name')
    .option('--files <place>', 'with --database: a folder that all processes reach, or s3://bucket/prefix')
    .option('--role <role>', 'with --database: api takes requests, worker does jobs, all does both (default: all)')
    .option('--online', 'visit submitted URLs (public addresses only); otherwise only their text is judged')
    .option('--proxy <url>', 'visit through this proxy, http://host:port; it must allow CONNECT to addresses')
    .option('--allow-private-webhooks', 'let webhooks of the CDR service reach private and loopback addresses')
    .addHelpText(
      'after',
      `
The service makes an API key and prints it, unless AIRLOCK_API_KEY gives one. The CDR token is the same, unless
AIRLOCK_CDR_TOKEN gives another. Keys made with airlock keys are valid for both services. Each request is logged as one
JSON line on stderr. When a service was stopped before its work was done, the next service over the same data does it.

With --online, the service itself resolves every host, refuses addresses that are not public, and connects to the address
that it has checked. With a proxy, it asks the proxy to CONNECT to that address, never to a name. Chromium draws the pages,
without network and scripts, if it is installed or AIRLOCK_CHROMIUM names it (none: no screenshots). As root, Chromium
starts only with AIRLOCK_CHROMIUM_SANDBOX=off.

AIRLOCK_YARA_RULES names a folder with your own YARA rules. A broken rule is reported, and the others are used.

Examples:
  airlock serve
  airlock serve --online --proxy http://proxy.example:3128
  AIRLOCK_API_KEY=my-key airlock serve --port 9000
  airlock serve --database postgres://airlock@db.example/airlock --files s3://bucket/files --role api
  airlock serve --database postgres://airlock@db.example/airlock --files s3://bucket/files --role worker`,
    )
    .action(async (options) => {
      const { serveVerb } = await import('./serve-verb.ts');
      done(await serveVerb(console, options));
    });
}
