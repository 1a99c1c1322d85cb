/** `airlock backfill`: sends existing objects of a bucket through the airlock of a deployment. */
import { setTimeout } from 'node:timers/promises';
import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DEFAULT_LIMITS } from '../../pipeline/limits.ts';
import { MEAN_MAIL_USD } from '../../pipeline/results/run-cost.ts';
import { inertText, safeJson } from '../../pipeline/safe-text.ts';
import { InventoryError } from '../../storage/s3/inventory-manifest.ts';
import { credentialsIn } from '../aws-credentials.ts';
import { type Console, UsageError, writeLine } from '../console.ts';
import { EXIT } from '../outcome.ts';
import { type BackfillCounts, backfill, type HandOut, NO_COUNTS, toQueue } from './backfill.ts';
import { type BackfillNotes, readBackfillNotes, writeBackfillNotes } from './notes.ts';
import { type BackfillSource, backfillSource, type NamedPlace, type PlaceOptions, placeIn } from './place.ts';

export interface BackfillVerbOptions {
  readonly queue?: string;
  readonly rate: string;
  readonly notes: string;
  readonly inventory?: string;
  readonly versions: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** Milliseconds. */
const TIMES = { connectionTimeout: 5_000, requestTimeout: 30_000 };
/** The greatest rate. SQS and Lambda can carry more, but new mail would wait for hours behind the old. */
const MAX_PER_SECOND = 1_000;
const CLEAR_LINE = '\r\u001b[2K';
const NOTHING: HandOut = async () => undefined;

/** Sends the objects of `s3://BUCKET/PREFIX` to the queue, by a list or by a report of S3 Inventory. Throws UsageError. */
export async function backfillVerb(console: Console, from: string, options: BackfillVerbOptions): Promise<number> {
  const named = placeIn(from);
  const rate = rateIn(options.rate);
  const queue = options.queue ?? '';
  if (!options.dryRun && !/^https?:\/\/[^/]+\/.+/.test(queue))
    throw new UsageError('--queue takes the URL of the intake queue: the output IntakeQueue of the stack.');
  const aws = { requestHandler: TIMES, ...credentialsIn(console) };
  const [s3, sqs] = [new S3Client(aws), new SQSClient(aws)];
  try {
    const source = await sourceOf(s3, named, { ...options, queue });
    const before = options.dryRun ? null : readBackfillNotes(options.notes, source.place);
    if (before?.isComplete) {
      await tell(console, options, before.counts, `Nothing to do: ${options.notes} says that all was handed over.`);
      return EXIT.delivered;
    }
    const handOut = options.dryRun ? NOTHING : toQueue(sqs, queue, source.place.bucket);
    return await run({ console, options, source, before, rate, handOut });
  } finally {
    s3.destroy();
    sqs.destroy();
  }
}

async function sourceOf(s3: S3Client, named: NamedPlace, options: PlaceOptions): Promise<BackfillSource> {
  try {
    return await backfillSource(s3, named, options);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new Error(refusal(error));
  }
}

interface Work {
  readonly console: Console;
  readonly options: BackfillVerbOptions;
  readonly source: BackfillSource;
  readonly before: BackfillNotes | null;
  readonly rate: number;
  readonly handOut: HandOut;
}

async function run({ console, options, source, before, rate, handOut }: Work): Promise<number> {
  const { signal, stderr } = console;
  let [counts, after] = [before?.counts ?? NO_COUNTS, before?.after ?? null];
  const note = (isComplete: boolean) => {
    if (!options.dryRun) writeBackfillNotes(options.notes, { ...source.place, after, counts, isComplete });
  };
  note(false);
  const steps = backfill({
    ...{ counts, handOut, signal },
    objects: source.objects(after),
    isThere: options.dryRun ? async () => true : source.isThere,
    largestBytes: DEFAULT_LIMITS.emailBytes,
    pause: options.dryRun ? async () => undefined : (objects) => pause((objects / rate) * 1000, signal),
  });
  try {
    for await (const step of steps) {
      ({ counts, after } = step);
      note(false);
      if (stderr.isTTY) stderr.write(`${CLEAR_LINE}${counts.objects} objects, ${inertText(after, 60)}`);
    }
  } catch (error) {
    throw new Error(
      `${refusal(error)}${options.dryRun ? '' : ` ${counts.objects} objects were handed over. ${GO_ON}`}`,
    );
  } finally {
    if (stderr.isTTY) stderr.write(CLEAR_LINE);
  }
  if (signal.aborted) {
    await tell(console, options, counts, `Stopped after ${counts.objects} objects. ${GO_ON}`);
    return EXIT.failed;
  }
  note(true);
  await tell(console, options, counts, ...report(options, counts, rate, source.listedAt));
  return EXIT.delivered;
}

const GO_ON = 'The same command goes on from there.';

/** Ends early when the signal comes. */
const pause = (ms: number, signal: AbortSignal) => setTimeout(ms, undefined, { signal }).catch(() => undefined);

function refusal(error: unknown): string {
  if (error instanceof UsageError || error instanceof InventoryError) return error.message;
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return `AWS refused or did not answer: ${inertText(text, 400)}.`;
}

async function tell(
  { stdout }: Console,
  { json, dryRun }: BackfillVerbOptions,
  counts: BackfillCounts,
  ...lines: readonly string[]
): Promise<void> {
  if (json) return writeLine(stdout, safeJson({ ...counts, isDryRun: dryRun === true, usd: dollars(counts) }));
  for (const line of lines) await writeLine(stdout, line);
}

function report(
  { dryRun }: BackfillVerbOptions,
  counts: BackfillCounts,
  rate: number,
  listedAt: string | null,
): string[] {
  const { objects, bytes, tooLarge, archived, folders, gone } = counts;
  const size = `${(bytes / 1e6).toFixed(1)} MB`;
  const limit = Math.floor(DEFAULT_LIMITS.emailBytes / 1024 / 1024);
  return [
    `${objects} objects, ${size}, ${dryRun ? 'would be handed over' : 'were handed over'}`,
    ...(tooLarge > 0 ? [`${tooLarge} of them have over ${limit} MiB and will be held`] : []),
    ...(archived > 0 ? [`${archived} lie in an archive and are left out: restore them first`] : []),
    ...(folders > 0 ? [`${folders} are only names of folders and are left out`] : []),
    ...(gone > 0 ? [`${gone} are not there any more and are left out`] : []),
    ...(listedAt === null ? [] : [`The report is of ${listedAt}; what came later is not in it.`]),
    ...(dryRun ? [`At ${rate} a second it takes ${duration(objects / rate)}.`] : []),
    ...(dryRun
      ? [`It costs about $${dollars(counts).toFixed(2)} by list prices, if each is like an ordinary mail.`]
      : []),
  ];
}

const dollars = ({ objects }: BackfillCounts) => objects * MEAN_MAIL_USD;

function duration(seconds: number): string {
  if (seconds < 120) return `${Math.ceil(seconds)} seconds`;
  return seconds < 7_200 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 3_600)} hours`;
}

function rateIn(text: string): number {
  const rate = Number(text);
  if (/^\d{1,4}(?:\.\d{1,3})?$/.test(text) && rate > 0 && rate <= MAX_PER_SECOND) return rate;
  throw new UsageError(`--rate takes objects a second, at most ${MAX_PER_SECOND}, not ${JSON.stringify(text)}.`);
}
