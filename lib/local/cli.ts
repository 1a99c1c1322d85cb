/** The command line: verbs, options, help, and the sentence and exit code for everything that is called wrongly. */
import { Command, CommanderError } from 'commander';
import { ClientConfigError } from '../analysis/client/errors.ts';
import { ConfigError } from '../pipeline/errors.ts';
import { safeLines } from '../pipeline/safe-text.ts';
import { addApi } from './api-verb.ts';
import { type Console, complain, UsageError } from './console.ts';
import { disarmVerb } from './disarm-verb.ts';
import { addKeys } from './keys-verb.ts';
import { EXIT } from './outcome.ts';
import { parseVerb } from './parse-verb.ts';
import { scanVerb } from './scan-verb.ts';
import { DEFAULT_DATA_DIRECTORY, serveVerb } from './serve-verb.ts';

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
    .description('Hostile mail in, mail that is safe to open out. Every attachment and URL is analysed and disarmed.')
    .showHelpAfterError('Run with --help to see what it takes.')
    .configureOutput({
      writeOut: (text) => void console.stdout.write(text),
      // It quotes options and verbs as they were typed, or as a script took them from elsewhere.
      writeErr: (text) => void console.stderr.write(safeLines(text)),
    })
    .exitOverride();
  addScan(program, console, done);
  addParse(program, console, done);
  addDisarm(program, console, done);
  addServe(program, console, done);
  addKeys(program, console, done);
  addApi(program, console, done);
  program.addHelpText(
    'after',
    `
Exit codes: 0 everything delivered, 1 something quarantined, 2 wrong usage, 3 the run itself failed.

Examples:
  airlock scan mail.eml                  one email through the whole flow
  airlock parse mail.eml                 what is in it, without analysing anything
  airlock disarm invoice.docm            one file, without what could run or load anything
  airlock serve --port 8080              the analysis service for others to use
  airlock keys create --name ci          a key for somebody else
  airlock api list                       ask a service; see airlock api --help`,
  );
  return program;
}

function addScan(program: Command, console: Console, done: (code: number) => void): void {
  program
    .command('scan')
    .description('push emails, folders of emails, mboxes or plain files through the whole flow')
    .argument('<path...>', '.eml files, folders (searched for .eml and .mbox), mboxes, or any other file')
    .option('--out <dir>', 'where everything is written', 'airlock-out')
    .option('--service <url>', 'use this analysis service; its key in AIRLOCK_API_KEY (default: the embedded one)')
    .option('--cdr-service <url>', 'disarm with this CDR service; its token in AIRLOCK_CDR_TOKEN')
    .option('--policy <file>', 'a policy file (default: lib/pipeline/policy.default.json)')
    .option('--online', 'embedded service: visit URLs (public addresses only) instead of judging their text alone')
    .option('--proxy <url>', 'visit through this proxy, http://host:port; it must allow CONNECT to addresses')
    .option('--json', 'one JSON line per input on stdout, and nothing else there')
    .option('--quiet', 'no progress; reports only of what was not delivered, on stderr')
    .addHelpText(
      'after',
      `
With --online, a sender learns that somebody opened the URLs of the mail. What is visited and how is told by
airlock serve --help; AIRLOCK_YARA_RULES names a folder with YARA rules of yours.

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
    .option('--json', 'one JSON line per input, in the order of the inputs')
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
    .description('take everything that runs or loads out of one file, and say what that was')
    .argument('<file>', 'a document, picture, page, table, archive or email')
    .option('-o, --output <file>', 'where to write it (default: <name>.disarmed.<ext> beside the input)')
    .option('--json', 'the whole report as one JSON line on stdout')
    .option('--password <password>', 'of an encrypted document or archive')
    .option('--keep-metadata', 'keep title, author, dates and the like; they go by default')
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
    .option('--port <number>', 'port to listen on; 0 takes a free one', '8080')
    .option('--data <dir>', 'where submissions, files and keys are kept', DEFAULT_DATA_DIRECTORY)
    .option('--in-memory', 'keep nothing: everything is gone when the service stops')
    .option('--online', 'visit submitted URLs (public addresses only) instead of judging their text alone')
    .option('--proxy <url>', 'visit through this proxy, http://host:port; it must allow CONNECT to addresses')
    .option('--allow-private-webhooks', 'let webhooks of the CDR service reach private and loopback addresses')
    .addHelpText(
      'after',
      `
The API key is printed, unless AIRLOCK_API_KEY gives one; the CDR token is the same, unless AIRLOCK_CDR_TOKEN does.
Keys made with airlock keys are valid for both. Each request is one JSON line on stderr. What a service that was stopped
or killed had not finished, the next one over the same data does.

With --online, the service itself resolves every host, refuses addresses that are not public, and connects to the address
it has checked, through the proxy too: the proxy is asked for CONNECT to an address, never for a name. Pages are drawn by
Chromium, without network and scripts, when one is found or AIRLOCK_CHROMIUM names one (none: no screenshots). As root,
Chromium starts with AIRLOCK_CHROMIUM_SANDBOX=off only.

AIRLOCK_YARA_RULES names a folder with YARA rules of yours; a broken one is reported, and the others count.

Examples:
  airlock serve
  airlock serve --online --proxy http://proxy.example:3128
  AIRLOCK_API_KEY=my-key airlock serve --port 9000`,
    )
    .action(async (options) => done(await serveVerb(console, options)));
}
