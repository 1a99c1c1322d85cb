/**
 * Does one job: reads the artifact, runs the engine, writes the disarmed file and then the report. A job can be repeated safely, because
 * its keys follow from it and a report is written once.
 */
import type { EngineReport, EngineTask } from '../engines/threads/task.ts';
import { reportOfResults } from '../pipeline/analysis/report-of-results.ts';
import { CorruptDataError } from '../pipeline/errors.ts';
import { keys, sha256Hex } from '../pipeline/keys.ts';
import type { Report } from '../pipeline/model.ts';
import type { Blobs } from '../pipeline/ports.ts';
import type { FileJob, Job, KindVersions } from './job.ts';
import { resultOf } from './result-of.ts';
import { writeReport } from './stored-report.ts';

export interface JobContext {
  readonly blobs: Pick<Blobs, 'get' | 'put'>;
  /** Never rejects: a crashed engine gives a failed report. Tasks of one group share a budget. */
  readonly run: (task: EngineTask, group: string) => Promise<EngineReport>;
  readonly versions: KindVersions;
  /** The largest artifact that is read, in bytes. */
  readonly maxBytes: number;
}

/**
 * The engines of a kind in their order, and the name of each result. The sandbox runs scripts. The static engine analyses everything else.
 */
const ENGINES = {
  static: [['static', 'static']],
  sandbox: [
    ['sandbox', 'dynamic'],
    ['static', 'static'],
  ],
  cdr: [['disarm', 'cdr']],
} as const satisfies Readonly<Record<FileJob['kind'], readonly (readonly [string, string])[]>>;

/** Does the job and returns its report. Throws the errors of the store. The queue then gives out the job again. */
export async function runJob(ctx: JobContext, job: Job): Promise<Report> {
  const answers = job.kind === 'url_analysis' ? [await runUrl(ctx, job)] : await runFile(ctx, job);
  const isPlain = answers.some((answer) => answer.isPlain);
  const report = { ...reportOfResults(answers.map(({ result }) => result)), ...(isPlain && { isPlain }) };
  const file = answers.find(({ bytes }) => bytes !== null)?.bytes ?? null;
  const fileSha256 = file && sha256Hex(file);
  // The file is written first, because a report must have its file.
  if (file && fileSha256) await ctx.blobs.put('work', keys.engineFile(job.kind, job.question, fileSha256), file);
  const finished = { versions: ctx.versions[job.kind], report, fileSha256 };
  await writeReport(ctx.blobs, job.kind, job.question, finished);
  return report;
}

async function runUrl({ run }: JobContext, { url, group }: Extract<Job, { kind: 'url_analysis' }>) {
  return resultOf('url_analysis', await run({ engine: 'url', url }, group));
}

async function runFile({ blobs, run, maxBytes }: JobContext, job: FileJob) {
  const bytes = await blobs.get('work', keys.artifact(job.artifact), { maxBytes });
  // The report counts for every artifact with this hash, so the engine may judge no other bytes under it.
  if (sha256Hex(bytes) !== job.artifact) throw new CorruptDataError(`the stored bytes of ${job.artifact} have changed`);
  const input = { bytes, untrustedName: job.filename, password: job.password };
  const answers: ReturnType<typeof resultOf>[] = [];
  for (const [engine, type] of ENGINES[job.kind]) answers.push(resultOf(type, await run({ engine, input }, job.group)));
  return answers;
}

/** Returns whether the engines here are those that the sender of the job expects. During a deployment they may be older or newer. */
export function isForThese(versions: KindVersions, { kind, versions: expected }: Job): boolean {
  return versions[kind] === expected;
}
