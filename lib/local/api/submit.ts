/** `airlock api submit` and `airlock api wait`. */
import { stat } from 'node:fs/promises';
import { safeJson, safeText } from '../../pipeline/safe-text.ts';
import type { AnalysisClient, MetafieldValues } from '../../service/client/analysis-client.ts';
import type { FileToAnalyse } from '../../service/client/upload-source.ts';
import { REPORT_TYPES, type ReportType } from '../../service/contract/common.ts';
import type { Submission, SubmissionCreated } from '../../service/contract/v3-submission.ts';
import { type Console, UsageError, writeLine } from '../console.ts';
import { API_EXIT, apiClient, explainApiError, type ServiceChoice, submissionId } from './client.ts';
import { printSubmission } from './show.ts';

export const SUBMIT_KINDS = ['static', 'sandbox', 'cdr', 'url', 'open_in_browser'] as const;
export type SubmitKind = (typeof SUBMIT_KINDS)[number];

export interface SubmitOptions extends ServiceChoice, WaitChoice {
  readonly kind?: string;
  readonly public?: boolean;
  readonly environment?: string;
  readonly metafield?: readonly string[];
  readonly entrypoint?: string;
  readonly password?: string;
  readonly name?: string;
  readonly wait?: boolean;
}

export interface WaitChoice {
  readonly timeout?: string;
  readonly report?: readonly string[];
  readonly json?: boolean;
}

/** Submits each input; with `--wait`, waits for each. Every input is tried, and the exit code is the worst one. */
export async function submitVerb(console: Console, inputs: readonly string[], options: SubmitOptions): Promise<number> {
  const client = apiClient(console, options);
  const timeoutMs = timeoutOf(options);
  const reports = reportTypes(options.report);
  const metafields = metafieldsOf(options.metafield ?? []);
  let code: number = API_EXIT.done;
  for (const input of inputs) {
    const kind = kindOf(input, options.kind);
    try {
      const created = await submit(client, console, input, kind, metafields, options);
      if (!options.wait) await printCreated(console, input, created, options.json === true);
      else code = Math.max(code, await waitAndPrint(console, client, created.uuid, { ...options, timeoutMs, reports }));
    } catch (error) {
      const explained = explainApiError(error);
      if (!explained || inputs.length === 1) throw error;
      code = Math.max(code, explained.code);
      if (options.json) await writeLine(console.stdout, safeJson({ input, error: explained.sentence }));
      await writeLine(console.stderr, `${safeText(input, 400)}: ${explained.sentence}`);
    }
  }
  return code;
}

/** Waits for a submission. The exit code is 0 when every report completed and none is worse than benign, else 1. */
export function waitVerb(console: Console, uuid: string, options: ServiceChoice & WaitChoice): Promise<number> {
  const client = apiClient(console, options);
  const reports = reportTypes(options.report);
  return waitAndPrint(console, client, submissionId(uuid), { ...options, timeoutMs: timeoutOf(options), reports });
}

interface Waiting {
  readonly timeoutMs: number;
  readonly reports: readonly ReportType[];
  readonly json?: boolean;
}

async function waitAndPrint(console: Console, client: AnalysisClient, uuid: string, options: Waiting): Promise<number> {
  const { timeoutMs, reports, json } = options;
  let shown = '';
  const submission = await client.waitForCompletion(uuid, {
    signal: console.signal,
    timeoutMs,
    ...(reports.length > 0 && { reports }),
    onProgress: ({ waitingFor, failure }) => {
      const text = failure ? `trying again: ${safeText(failure.message, 200)}` : `waiting for ${waitingFor.join(', ')}`;
      if (text !== shown && waitingFor.length > 0) console.stderr.write(`${safeText(text, 300)}\n`);
      shown = text;
    },
  });
  if (json) await writeLine(console.stdout, safeJson(submission));
  else await printSubmission(console, submission);
  return isGood(submission, reports) ? API_EXIT.done : API_EXIT.no;
}

/** Returns true when every awaited report is completed and benign. A disarm has no level, so it only needs to be completed. */
export function isGood({ reports }: Submission, waitedFor: readonly ReportType[]): boolean {
  const seen = reports.filter(({ type }) => waitedFor.length === 0 || waitedFor.some((wanted) => wanted === type));
  return (
    seen.length > 0 &&
    seen.every(({ type, status, level }) => status === 'completed' && (level === 'benign' || type === 'cdr'))
  );
}

async function submit(
  client: AnalysisClient,
  console: Console,
  input: string,
  kind: SubmitKind,
  metafields: MetafieldValues,
  options: SubmitOptions,
): Promise<SubmissionCreated> {
  const { environment, entrypoint, password } = options;
  // Mail is confidential, and other files may be too. A submission is shared only when the user says so.
  const shared = { private: options.public !== true, signal: console.signal };
  if (kind === 'url') return await client.createUrlSubmission(input, { ...shared, ...given(metafields) });
  if (kind === 'open_in_browser') {
    return await client.createOpenInBrowserSubmission(input, { ...shared, environment, ...given(metafields) });
  }
  const file = await fileOf(input, options.name);
  const asked = { ...shared, entrypoint, password };
  if (kind === 'static') return await client.createStaticSubmission(file, asked);
  if (kind === 'cdr') return await client.createCdrSubmission(file, asked);
  return await client.createSandboxSubmission(file, { ...asked, environment, ...given(metafields) });
}

const given = (metafields: MetafieldValues) => (Object.keys(metafields).length > 0 ? { metafields } : {});

async function fileOf(input: string, name: string | undefined): Promise<FileToAnalyse> {
  const facts = await stat(input).catch(() => null);
  if (!facts) throw new UsageError(`${safeText(input, 400)} does not exist.`);
  if (!facts.isFile())
    throw new UsageError(`${safeText(input, 400)} is not a file. Submit the files in it one by one.`);
  return { path: input, ...(name && { filename: name }) };
}

/** Returns the given kind. Without one, a URL gets `url` and a file gets `static`. Throws UsageError. */
function kindOf(input: string, kind: string | undefined): SubmitKind {
  const isUrl = /^https?:\/\//i.test(input);
  if (kind === undefined) return isUrl ? 'url' : 'static';
  const known = SUBMIT_KINDS.find((name) => name === kind);
  if (!known) throw new UsageError(`There is no kind ${JSON.stringify(kind)}. There are: ${SUBMIT_KINDS.join(', ')}.`);
  if (isUrl !== (known === 'url' || known === 'open_in_browser')) {
    const wanted = isUrl ? 'url or open_in_browser' : 'static, sandbox or cdr';
    throw new UsageError(`${safeText(input, 200)} cannot be submitted as ${known}: use --kind ${wanted}.`);
  }
  return known;
}

function metafieldsOf(pairs: readonly string[]): MetafieldValues {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw new UsageError(`--metafield takes KEY=VALUE, not ${JSON.stringify(pair)}.`);
      return [pair.slice(0, at), metafieldValue(pair.slice(at + 1))];
    }),
  );
}

function metafieldValue(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?\d{1,15}(\.\d{1,6})?$/.test(text) ? Number(text) : text;
}

function timeoutOf({ timeout = '900' }: WaitChoice): number {
  const seconds = Number(timeout);
  if (seconds >= 1 && seconds <= 86_400) return Math.round(seconds * 1_000);
  throw new UsageError(`--timeout takes a number of seconds from 1 to 86400, not ${JSON.stringify(timeout)}.`);
}

function reportTypes(names: readonly string[] = []): ReportType[] {
  return names.map((name) => {
    const known = REPORT_TYPES.find((type) => type === name);
    if (known) return known;
    throw new UsageError(`There is no report type ${JSON.stringify(name)}. There are: ${REPORT_TYPES.join(', ')}.`);
  });
}

async function printCreated(console: Console, input: string, created: SubmissionCreated, json: boolean): Promise<void> {
  if (json) return writeLine(console.stdout, safeJson({ input, ...created }));
  return writeLine(console.stdout, `${safeText(created.uuid, 60)}  ${safeText(input, 400)}`);
}
