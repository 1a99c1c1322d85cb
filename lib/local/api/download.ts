/** `airlock api download`: writes one file of a submission. The person chooses the place, never a name from the service. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { safeJson, safeText } from '../../pipeline/safe-text.ts';
import type { Download } from '../../service/client/download.ts';
import { type Console, UsageError, writeLine } from '../console.ts';
import { API_EXIT, apiClient, type ServiceChoice, submissionId } from './client.ts';
import { isHostile, openDownload } from './reports.ts';

export interface DownloadOptions extends ServiceChoice {
  readonly out?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** Runs the verb. Throws UsageError when the target exists and `--force` was not given. */
export async function downloadVerb(
  console: Console,
  uuid: string,
  what: string,
  options: DownloadOptions,
): Promise<number> {
  const client = apiClient(console, options);
  const download = await openDownload(client, submissionId(uuid), what, { signal: console.signal });
  if (options.out === '-') {
    await pipeline(download.stream(), console.stdout, { end: false });
    return API_EXIT.done;
  }
  try {
    const path = await download.save(await targetOf(download, options));
    const size = (await stat(path)).size;
    if (options.json) await writeLine(console.stdout, safeJson({ path, size, contentType: download.contentType }));
    else await writeLine(console.stdout, safeText(path, 4_096));
    if (isHostile(what)) console.stderr.write('It may be malware: do not open it.\n');
  } finally {
    download.discard();
  }
  return API_EXIT.done;
}

/** Writes all reports as one page. Throws UsageError when a report is named too, or the target exists without `--force`. */
export async function htmlReportVerb(
  console: Console,
  uuid: string,
  name: string | undefined,
  { html, ...options }: ServiceChoice & { readonly html: string; readonly force?: boolean; readonly json?: boolean },
): Promise<number> {
  if (name !== undefined) throw new UsageError('--html writes all reports as one page; do not name a report.');
  return downloadVerb(console, uuid, 'html-report', { ...options, out: html });
}

/** Returns the given path. In a given folder, the name is the service's file name, made safe. */
async function targetOf(download: Download, { out, force }: DownloadOptions): Promise<string> {
  const isFolder =
    out === undefined || /[\\/]$/.test(out) || (await stat(out).catch(() => null))?.isDirectory() === true;
  const path = isFolder ? join(out ?? '.', download.filename) : out;
  if (!force && (await stat(path).catch(() => null))) {
    throw new UsageError(`${safeText(path, 400)} exists. Name another place with --out, or replace it with --force.`);
  }
  return path;
}
