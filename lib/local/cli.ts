/** The command line: verbs, options, help, and the explanation and exit code of wrong usage. */
import { Command, CommanderError } from 'commander';
import { ConfigError } from '../pipeline/errors.ts';
import { safeLines } from '../pipeline/safe-text.ts';
import { ClientConfigError } from '../service/client/errors.ts';
import { addApi } from './api-verb.ts';
import { addAudit } from './audit-verb.ts';
import { type Console, complain, UsageError } from './console.ts';
import { addDesk } from './desk-verb.ts';
import { disarmVerb } from './disarm-verb.ts';
import { addGateway } from './gateway-commands.ts';
import { addKeys } from './keys-verb.ts';
import { EXIT } from './outcome.ts';
import { parseVerb } from './parse-verb.ts';
import { addRedrive } from './redrive-verb.ts';
import { addRuns } from './runs-verb.ts';
import { scanVerb } from './scan-verb.ts';
import { DEFAULT_DATA_DIRECTORY, serveVerb } from './serve-verb.ts';
import { addVerify } from './verify-verb.ts';

/** Runs the command line and returns the exit code: 0 delivered, 1 quarantined or refused, 2 wrong usage, 3 the run itself failed. */
export async function runCli(args: readonly string[], console: Console): Promise<number> {
  let code: number = EXIT.delivered;
  const program = createProgram(console, (verbCode) => {
    code = verbCode;
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    return explain(console, error);
  }
}

function explain(console: Console, error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.delivered : EXIT.usage;
  if (error instanceof UsageError || error instanceof ConfigError || error instanceof ClientConfigError) {
    complain(console, error.message);
    return EXIT.usage;
  }
  complain(console, `airlock failed: ${error instanceof Error ? error.message : String(error)}`);
  return EXIT.failed;
}

function createProgram(console: Console, done: (code: number) => void): Command {
  const program = new Command('airlock')
    .description('Makes hostile mail safe to open. Every attachment and URL is analysed, and danger is removed.')
    .showHelpAfterError('Run with --help to see how it is used.')
    .configureOutput({
      writeOut: (text) => void console.stdout.write(text),
      // The text quotes options and verbs as they were typed, or as a script took them from an untrusted place.
      writeErr: (text) => void console.stderr.write(safeLines(text)),
    })
    .exitOverride();
  addScan(program, console, done);
  addVerify(program, console, done);
  addRedrive(program, console, done);
  addRuns(program, console, done);
  addAudit(program, console, done);
  addDesk(program, console, done);
  addParse(program, console, done);
  addDisarm(program, console, done);
  addServe(program, console, done);
  addGateway(program, console, done);
  addKeys(program, console, done);
  addApi(program, console, done);
  program.addHelpText(
    'after',
    `
Exit codes: 0 everything was delivered, 1 something was quarantined, 2 wrong usage, 3 a run failed.

Examples:
  airlock scan mail.eml                  scan one email, and deliver or quarantine it
  airlock verify RUN                     prove what of a delivered mail was judged
  airlock redrive --dry-run              list the runs that a passing fault held; without it, begin them again
  airlock quarantine list                list what is held; airlock quarantine show RUN says why
  airlock runs search HASH               find who else got a file, an address or a link
  airlock desk --as NAME                 see what is held in a browser, and decide about it
  airlock parse mail.eml                 show what is in it, without analysing anything
  airlock disarm invoice.docm            remove from one file what could run or load anything
  airlock serve --port 8080              run the analysis service for others to use
  airlock gateway --help                 stand between two mail servers
  airlock keys create --name ci          make a key for somebody else
  airlock api list                       use a service; see airlock api --help`,
  );
  return program;
}

function addScan(program: Command, console: Console, done: (code: number) => void): void {
  program
    .command('scan')
    .description('scan emails, folders of emails, mboxes or single files, and deliver or quarantine each')
    .argument('<path...>', '.eml files, folders (searched for .eml and .mbox), mboxes, or any other file')
    .option('--out <dir>', 'folder for everything that is written', 'airlock-out')
    .option('--service <url>', 'use this analysis service, with the key in AIRLOCK_API_KEY (default: the embedded one)')
    .option('--cdr-service <url>', 'disarm with this CDR service, with the token in AIRLOCK_CDR_TOKEN')
    .option('--policy <file>', 'a policy file (default: lib/pipeline/policy.default.json)')
    .option('--seal-key <file>', 'the private key (PEM) that seals messages with ARC, when the policy asks for it')
    .option('--online', 'let the engines visit URLs (public addresses only); otherwise they judge their text')
    .option('--proxy <url>', 'visit through this proxy, http://host:port; it must allow CONNECT to addresses')
    .option('--json', 'print one JSON line per input on stdout, and nothing else there')
    .option('--html <dir>', 'write a page about each mail into this folder: RUN.html')
    .option('--quiet', 'show no progress; report only what was not delivered, on stderr')
    .addHelpText(
      'after',
      `
With --online, the sender can see that somebody opened the URLs of the mail. airlock serve --help says what is
visited and how. AIRLOCK_YARA_RULES names a folder with your own YARA rules.

Examples:
  airlock scan invoice.eml
  airlock scan --online invoice.eml
  airlock scan --json inbox/ archive.mbox > results.jsonl
  airlock scan --policy strict.json --out /srv/airlock report.docm
  AIRLOCK_API_KEY=... airlock scan --service https://analysis.example/public-api mail.eml`,
    )
    .action(async (paths: string[], options) => done(await scanVerb(console, paths, options)));
}

function addParse(program: Command, console: Console, done: (code: number) => void): void {
  program
    .command('parse')
    .description('read emails and show what is in them; nothing is analysed or written')
    .argument('<path...>', '.eml files, folders, mboxes, or any other file')
    .option('--json', 'print one JSON line per input, in the order of the inputs')
    .addHelpText(
      'after',
      `
Examples:
  airlock parse mail.eml
  airlock parse --json inbox/ | jq .ledger.warnings`,
    )
    .action(async (paths: string[], options) => done(await parseVerb(console, paths, options)));
}

function addDisarm(program: Command, console: Console, done: (code: number) => void): void {
  program
    .command('disarm')
    .description('remove from one file everything that could run or load anything, and say what was removed')
    .argument('<file>', 'a document, picture, page, table, archive or email')
    .option('-o, --output <file>', 'file to write (default: <name>.disarmed.<ext> beside the input)')
    .option('--json', 'print the whole report as one JSON line on stdout')
    .option('--password <password>', 'password of an encrypted document or archive')
    .option('--keep-metadata', 'keep title, author, dates and the like, which are removed by default')
    .addHelpText(
      'after',
      `
Exit codes: 0 disarmed or already safe, 1 refused and nothing written, 2 wrong usage.

Examples:
  airlock disarm invoice.docm
  airlock disarm -o clean.zip --password infected samples.zip`,
    )
    .action(async (path: string, options) => done(await disarmVerb(console, path, options)));
}

function addServe(program: Command, console: Console, done: (code: number) => void): void {
  program
    .command('serve')
    .description('run the analysis service and the CDR service on this machine (127.0.0.1)')
    .option('--port <number>', 'port to listen on; 0 means any free port', '8080')
    .option('--data <dir>', 'folder for submissions, files and keys', DEFAULT_DATA_DIRECTORY)
    .option('--in-memory', 'keep everything in memory; it is gone when the service stops')
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
  AIRLOCK_API_KEY=my-key airlock serve --port 9000`,
    )
    .action(async (options) => done(await serveVerb(console, options)));
}
