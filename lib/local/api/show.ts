/** The `airlock api` commands that request something and show it: get, list, search, report, me, environments, metafields. */

import { safeJson, safeText } from '../../pipeline/safe-text.ts';
import type { V3Query } from '../../service/client/analysis-reports.ts';
import { SCAN_TYPES } from '../../service/contract/v3-config.ts';
import type { Submission, SubmissionListItem } from '../../service/contract/v3-submission.ts';
import { type Console, UsageError, writeLine } from '../console.ts';
import { formatBytes, type Paint } from '../paint.ts';
import { API_EXIT, apiClient, type ServiceChoice, submissionId } from './client.ts';
import { columnsOf, factLines, isRow, printLines, type Row, tableLines } from './render.ts';
import { readReport } from './reports.ts';

export interface ShowOptions extends ServiceChoice {
  readonly json?: boolean;
}

/** Shows one submission with its reports. */
export async function getVerb(console: Console, uuid: string, options: ShowOptions): Promise<number> {
  const client = apiClient(console, options);
  const submission = await client.getSubmission(submissionId(uuid), { signal: console.signal });
  if (options.json) await writeLine(console.stdout, safeJson(submission));
  else await printSubmission(console, submission);
  return API_EXIT.done;
}

/** Shows a submission to a person. */
export function printSubmission(console: Console, submission: Submission): Promise<void> {
  return printLines(console, (paint) => submissionLines(submission, paint));
}

function submissionLines(submission: Submission, paint: Paint): string[] {
  const { uuid, level, score, file, hashes, url, filename, reports, createdAt, family } = submission;
  const facts: Row = {
    file: filename ?? file?.name,
    url,
    size: file && formatBytes(file.size),
    type: file?.mimetype,
    sha256: hashes?.sha256,
    level,
    score,
    family,
    private: submission.private,
    created: createdAt,
  };
  const rows = reports.map(({ type, status, level: found, score: points, error, findings, removed }) => ({
    report: type,
    status,
    level: found,
    score: points,
    found: error ? error.message : [...findings.map(({ name }) => name), ...removed.map((what) => `removed ${what}`)],
  }));
  const skipped = submission.skippedReports.map(({ type, reason }) => ({
    report: type,
    status: 'skipped',
    found: reason.message,
  }));
  const columns = ['report', 'status', 'level', 'score', 'found'];
  return [
    paint('bold', safeText(uuid, 60)),
    ...factLines(facts),
    '',
    ...tableLines([...rows, ...skipped], columns, paint, 'no reports yet').map((line) => `  ${line}`),
  ];
}

export interface ListOptions extends ShowOptions {
  readonly page?: string;
  readonly limit?: string;
  readonly all?: boolean;
  readonly level?: string;
  readonly type?: string;
  readonly sha256?: string;
  readonly filename?: string;
  readonly since?: string;
  readonly until?: string;
  readonly private?: boolean;
  readonly public?: boolean;
  readonly tag?: readonly string[];
}

const LIST_COLUMNS = ['uuid', 'created', 'level', 'reports', 'subject'];

/** Shows a page of submissions, or with `--all` every submission that passes the filters. `--all --json` prints a line for each. */
export async function listVerb(console: Console, options: ListOptions): Promise<number> {
  const client = apiClient(console, options);
  const filter = filterOf(options);
  const call = { signal: console.signal };
  if (options.all && options.json) {
    for await (const item of client.eachSubmission(filter, call)) await writeLine(console.stdout, safeJson(item));
    return API_EXIT.done;
  }
  if (options.all) {
    const rows: Row[] = [];
    for await (const item of client.eachSubmission(filter, call)) rows.push(listRow(item));
    await printLines(console, (paint) => tableLines(rows, LIST_COLUMNS, paint, 'No submissions.'));
    return API_EXIT.done;
  }
  const query = {
    ...filter,
    page: wholeNumber('--page', options.page ?? '1'),
    limit: wholeNumber('--limit', options.limit ?? '20'),
  };
  const { items, total, page, totalPages } = await client.listSubmissions(query, call);
  if (options.json) await writeLine(console.stdout, safeJson({ items, total, page, totalPages }));
  else {
    await printLines(console, (paint) => [
      ...tableLines(items.map(listRow), LIST_COLUMNS, paint, 'No submissions.'),
      ...(total > items.length ? [`page ${page} of ${totalPages}, ${total} in all`] : []),
    ]);
  }
  return API_EXIT.done;
}

/** Shows every submission of a file. The exit code is 1 when there is none. */
export async function searchVerb(console: Console, sha256: string, options: ShowOptions): Promise<number> {
  if (!/^[0-9a-f]{64}$/i.test(sha256)) {
    throw new UsageError('Search takes a SHA-256 of 64 hexadecimal digits; `sha256sum FILE` prints one.');
  }
  const found = await apiClient(console, options).searchBySha256(sha256, { signal: console.signal });
  if (options.json) await writeLine(console.stdout, safeJson(found));
  else {
    const rows = found.map((submission) => listRow({ ...submission, size: null, mimetype: null, sha256 }));
    await printLines(console, (paint) => tableLines(rows, LIST_COLUMNS, paint, 'The service does not know this file.'));
  }
  return found.length > 0 ? API_EXIT.done : API_EXIT.no;
}

function listRow(item: SubmissionListItem): Row {
  const { uuid, createdAt, level, reports, filename, url } = item;
  return { uuid, created: createdAt.slice(0, 19), level, reports, subject: filename ?? url };
}

function filterOf(options: ListOptions): Omit<V3Query<'listSubmissions'>, 'page'> {
  const { sha256, filename, since, until, tag } = options;
  if (options.private && options.public)
    throw new UsageError('--private and --public together leave nothing to list; give only one.');
  return {
    ...(options.level && { level: options.level.split(',').map(levelOf) }),
    ...(options.type && { type: typeOf(options.type) }),
    ...(sha256 && { sha256 }),
    ...(filename && { filename }),
    ...(since && { startDate: since }),
    ...(until && { endDate: until }),
    ...(options.private && { private: true }),
    ...(options.public && { private: false }),
    ...(tag && { tags: tag }),
  };
}

function levelOf(text: string) {
  if (text === 'malicious' || text === 'suspicious' || text === 'benign' || text === 'unknown') return text;
  throw new UsageError(`There is no level ${JSON.stringify(text)}. There are: malicious, suspicious, benign, unknown.`);
}

function typeOf(text: string) {
  if (text === 'file' || text === 'url') return text;
  throw new UsageError(`--type takes file or url, not ${JSON.stringify(text)}.`);
}

function wholeNumber(option: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageError(`${option} takes a whole number from 1, not ${JSON.stringify(text)}.`);
}

/** Shows one report of a submission. */
export async function reportVerb(
  console: Console,
  uuid: string,
  name: string,
  options: ShowOptions & { readonly limit?: string },
): Promise<number> {
  const limit = wholeNumber('--limit', options.limit ?? '1000');
  const client = apiClient(console, options);
  const { value, cut } = await readReport(client, submissionId(uuid), name, limit, { signal: console.signal });
  await printValue(console, value, options.json === true);
  if (cut) console.stderr.write(`There are more than ${limit} items; --limit shows more.\n`);
  return API_EXIT.done;
}

/** Shows the user, the plan and its limits. */
export async function meVerb(console: Console, options: ShowOptions): Promise<number> {
  await printValue(console, await apiClient(console, options).me({ signal: console.signal }), options.json === true);
  return API_EXIT.done;
}

/** Lists the operating systems that a file can be run in. */
export async function environmentsVerb(console: Console, options: ShowOptions): Promise<number> {
  const environments = await apiClient(console, options).getEnvironments({ signal: console.signal });
  await printValue(console, environments, options.json === true);
  return API_EXIT.done;
}

/** Lists the settings of analyses, for one kind of scan or for all. */
export async function metafieldsVerb(
  console: Console,
  scan: string | undefined,
  options: ShowOptions,
): Promise<number> {
  const scanType = SCAN_TYPES.find((type) => type === scan);
  if (scan !== undefined && !scanType) {
    throw new UsageError(`There is no kind of scan ${JSON.stringify(scan)}. There are: ${SCAN_TYPES.join(', ')}.`);
  }
  const client = apiClient(console, options);
  const call = { signal: console.signal };
  const answer = scanType ? await client.getMetafieldsOf(scanType, call) : await client.getMetafields(call);
  await printValue(console, answer, options.json === true);
  return API_EXIT.done;
}

/** Prints a list as a table, an object as facts, and an envelope around a list as that list. */
async function printValue(console: Console, value: unknown, json: boolean): Promise<void> {
  if (json) return writeLine(console.stdout, safeJson(value));
  await printLines(console, (paint) => {
    const items = Array.isArray(value) ? value : isRow(value) && Array.isArray(value.items) ? value.items : null;
    const isEnvelope = items && (Array.isArray(value) || Object.keys(value as Row).every((key) => ENVELOPE.has(key)));
    if (!isEnvelope) return factLines(isRow(value) ? value : { value });
    if (!items.some(isRow)) return items.length > 0 ? items.map((item) => safeText(String(item), 400)) : ['Nothing.'];
    const rows = items.filter(isRow).map(withFlatHashes);
    if (rows.every(isFlat)) return tableLines(rows, columnsOf(rows), paint, 'Nothing.');
    return rows.flatMap((row, at) => [...(at > 0 ? [''] : []), ...factLines(row)]);
  });
}

/** Keeps only the SHA-256 of the hashes, because the other commands take no other. */
function withFlatHashes({ hashes, ...row }: Row): Row {
  return isRow(hashes) ? { ...row, sha256: hashes.sha256 } : row;
}

/** Returns true when the row fits into one line of a table. */
const isFlat = (row: Row) =>
  Object.values(row).every((value) => !isRow(value) && !(Array.isArray(value) && value.some(isRow)));

const ENVELOPE = new Set(['items', 'total', 'page', 'limit', 'totalPages']);
