/** `airlock api …`: calls the analysis service by hand or from scripts, through the client. */
import type { Command } from 'commander';
import { type Console, complain } from '../console.ts';
import { API_EXIT, explainApiError } from './client.ts';
import { type DownloadOptions, downloadVerb, htmlReportVerb } from './download.ts';
import { DOWNLOAD_NAMES, REPORT_NAMES } from './reports.ts';
import {
  environmentsVerb,
  getVerb,
  type ListOptions,
  listVerb,
  metafieldsVerb,
  meVerb,
  reportVerb,
  type ShowOptions,
  searchVerb,
} from './show.ts';
import { SUBMIT_KINDS, type SubmitOptions, submitVerb, waitVerb } from './submit.ts';

type Done = (code: number) => void;

/** Adds the verb and its commands to the program. */
export function addApi(program: Command, console: Console, done: Done): void {
  const api = program
    .command('api')
    .description('call an analysis service: submit, wait, show, download')
    .option('--service <url>', 'the service, with or without /public-api (default: AIRLOCK_API_URL)')
    .option('--json', 'print the answer of the service as JSON on stdout, and nothing else there')
    .configureHelp({ showGlobalOptions: true })
    .addHelpText(
      'after',
      `
The key comes from the environment variable AIRLOCK_API_KEY.

Exit codes: 0 done; 1 nothing was found, there is no such report, a report failed, or a verdict is worse than benign;
2 the usage, the key or the request is wrong; 3 the service could not be reached, or it failed.

Examples:
  airlock serve                                         start a service on this machine; it prints its key
  export AIRLOCK_API_URL=http://127.0.0.1:8080 AIRLOCK_API_KEY=...
  airlock api submit --wait invoice.docm
  airlock api list --level malicious,suspicious
  airlock api download UUID cdr-sanitized --out safe/`,
    );
  const run = (work: (options: object, args: string[]) => Promise<number>) => runner(console, done, work);
  addSubmit(api, console, run);
  addQueries(api, console, run);
  addReports(api, console, run);
  addConfiguration(api, console, run);
}

type Run = (work: (options: object, args: string[]) => Promise<number>) => (...given: unknown[]) => Promise<void>;

/** Returns the action of a command: it collects arguments and options, and explains a failed call. */
function runner(console: Console, done: Done, work: (options: object, args: string[]) => Promise<number>) {
  return async (...given: unknown[]) => {
    const command = given.at(-1) as Command;
    try {
      done(await work(command.optsWithGlobals(), command.args));
    } catch (error) {
      const explained = console.signal.aborted
        ? { code: API_EXIT.failed, sentence: 'Stopped.' }
        : explainApiError(error);
      if (!explained) throw error;
      complain(console, explained.sentence);
      done(explained.code);
    }
  };
}

const many = (value: string, before: readonly string[] = []) => [...before, value];

function addSubmit(api: Command, console: Console, run: Run): void {
  api
    .command('submit')
    .description('submit files or URLs; they are private unless --public is given')
    .argument('<input...>', 'files, or URLs that begin with http')
    .option('--kind <kind>', `${SUBMIT_KINDS.join(', ')} (default: static for files, url for URLs)`)
    .option('--public', 'let other workspaces see it')
    .option('--environment <key>', 'operating system of a sandbox; see `airlock api environments`')
    .option('--metafield <key=value>', 'configuration of a sandbox; can be given more than once', many)
    .option('--entrypoint <name>', 'the file to analyse within an archive')
    .option('--password <text>', 'password of the archive or document')
    .option('--name <name>', 'the file name that the service is told')
    .option('--wait', 'wait for the reports and show them')
    .option('--report <type>', 'with --wait: wait for this report only; can be given more than once', many)
    .option('--timeout <seconds>', 'with --wait: the longest wait', '900')
    .addHelpText(
      'after',
      `
Examples:
  airlock api submit report.pdf
  airlock api submit --kind cdr --wait invoice.docm
  airlock api submit --kind sandbox --environment w10_x64 --metafield timeout=120 tool.exe
  airlock api submit --json https://example.test/login`,
    )
    .action(run((options, args) => submitVerb(console, args, options as SubmitOptions)));
  api
    .command('wait')
    .description('wait until the reports of a submission have ended, and show them')
    .argument('<uuid>', 'the submission')
    .option('--report <type>', 'wait for this report only; can be given more than once', many)
    .option('--timeout <seconds>', 'the longest wait', '900')
    .addHelpText(
      'after',
      '\nExamples:\n  airlock api wait UUID && echo "nothing was found"\n  airlock api wait UUID --report cdr',
    )
    .action(run((options, [uuid = '']) => waitVerb(console, uuid, options)));
}

function addQueries(api: Command, console: Console, run: Run): void {
  api
    .command('get')
    .description('show one submission with its reports')
    .argument('<uuid>', 'the submission')
    .addHelpText('after', '\nExamples:\n  airlock api get UUID\n  airlock api get UUID --json | jq .level')
    .action(run((options, [uuid = '']) => getVerb(console, uuid, options)));
  api
    .command('list')
    .description('list submissions, newest first')
    .option('--page <number>', 'number of the page; the first is 1')
    .option('--limit <number>', 'submissions on a page, at most 100')
    .option('--all', 'list every page; with --json, one line per submission')
    .option('--level <levels>', 'malicious, suspicious, benign, unknown, separated by commas')
    .option('--type <type>', 'file or url')
    .option('--sha256 <hash>', 'SHA-256 of the file, or its first digits')
    .option('--filename <text>', 'part of the file name')
    .option('--since <date>', 'created at this time or later, ISO 8601')
    .option('--until <date>', 'created at this time or earlier, ISO 8601')
    .option('--private', 'only private submissions')
    .option('--public', 'only public submissions')
    .option('--tag <value>', 'with this tag; can be given more than once', many)
    .addHelpText(
      'after',
      '\nExamples:\n  airlock api list --level malicious --since 2026-01-01\n  airlock api list --all --json > all.jsonl',
    )
    .action(run((options) => listVerb(console, options as ListOptions)));
  api
    .command('search')
    .description('find the submissions of a file by its SHA-256')
    .argument('<sha256>', '64 hexadecimal digits')
    .addHelpText('after', '\nExamples:\n  airlock api search $(sha256sum < invoice.docm | cut -c-64)')
    .action(run((options, [sha256 = '']) => searchVerb(console, sha256, options as ShowOptions)));
}

function addReports(api: Command, console: Console, run: Run): void {
  api
    .command('report')
    .description('show one report of a submission, or write all reports as one page')
    .argument('<uuid>', 'the submission')
    .argument('[name]', REPORT_NAMES.join(', '))
    .option('--limit <number>', 'show at most this many items', '1000')
    .option('--html <file>', 'write all reports there as one page without scripts and clickable links; - is stdout')
    .option('--force', 'with --html: replace a file that exists')
    .addHelpText(
      'after',
      '\nExamples:\n  airlock api report UUID indicators\n  airlock api report UUID iocs --json\n  airlock api report UUID --html report.html',
    )
    .action(
      run((options: ShowOptions & { readonly html?: string }, [uuid = '', name]) =>
        options.html === undefined
          ? reportVerb(console, uuid, name ?? '', options)
          : htmlReportVerb(console, uuid, name, { ...options, html: options.html }),
      ),
    );
  api
    .command('download')
    .description('download one file of a submission; prints where it was written')
    .argument('<uuid>', 'the submission')
    .argument('<what>', DOWNLOAD_NAMES.join(', '))
    .option('--out <path>', 'a file, or a folder (the service names the file, made safe); - is stdout')
    .option('--force', 'replace a file that exists')
    .addHelpText(
      'after',
      '\nExamples:\n  airlock api download UUID cdr-sanitized --out safe/\n  airlock api download UUID artifact:ID',
    )
    .action(run((options, [uuid = '', what = '']) => downloadVerb(console, uuid, what, options as DownloadOptions)));
}

function addConfiguration(api: Command, console: Console, run: Run): void {
  api
    .command('me')
    .description('show the user of the key, the plan, its limits and how much of them is used')
    .addHelpText('after', '\nExamples:\n  airlock api me')
    .action(run((options) => meVerb(console, options)));
  api
    .command('environments')
    .description('list the operating systems that a file can be run in')
    .addHelpText('after', '\nExamples:\n  airlock api environments')
    .action(run((options) => environmentsVerb(console, options)));
  api
    .command('metafields')
    .description('list the settings of analyses')
    .argument('[scan]', 'sandbox, static, cdr, url or open_in_browser')
    .addHelpText('after', '\nExamples:\n  airlock api metafields sandbox')
    .action(run((options, [scan]) => metafieldsVerb(console, scan, options)));
}
