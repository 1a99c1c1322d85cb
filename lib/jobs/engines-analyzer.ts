/**
 * The engines of this process or stack, behind the pipeline's Analyzer port. The artifact is already in the work bucket, so a submission is
 * a job that names it. Its report appears in the work bucket when an engine has done the job. The id of a submission is its question. Runs
 * that ask the same question share one report.
 */

import { AnalyzerRefusal, CorruptDataError, LimitExceededError, NotFoundError } from '../pipeline/errors.ts';
import { engineQuestion, keys, sha256Hex } from '../pipeline/keys.ts';
import { hashOf } from '../pipeline/ledger/artifact-id.ts';
import type { Kind, Progress } from '../pipeline/model.ts';
import type { AnalysisRequest, Analyzer, Blobs } from '../pipeline/ports.ts';
import { Job, type JobQueue, type KindVersions } from './job.ts';
import { type Finished, readReport } from './stored-report.ts';

export interface EnginesAnalyzerOptions {
  readonly blobs: Pick<Blobs, 'get' | 'has'>;
  readonly queue: JobQueue;
  readonly versions: KindVersions;
}

/** A run asks the same question at most this often, when an engine fails for a temporary reason. */
const ATTEMPTS_OF_RUN = 5;
/** A process that runs for months reads reports whose file nobody asks for. Hashes of files that are remembered. */
const MAX_REMEMBERED_FILES = 1_000;

/**
 * Makes an analyzer over the engines. Every method rejects with AnalyzerRefusal (final) or TransientError (try later), as the port says.
 */
export function createEnginesAnalyzer(options: EnginesAnalyzerOptions): Analyzer {
  const { blobs, versions } = options;
  const files: FilesOfReports = new Map();
  return {
    scope: async (kind) => `engines ${versions[kind]}`,
    submit: (request) => submit(options, request),
    find: async (request) => (await openQuestion(options, request)).answered,
    progress: (kind, question) => progress(blobs, kind, question),
    async report(kind, question) {
      const { report, fileSha256 } = await finishedReport(options, kind, question);
      if (files.size >= MAX_REMEMBERED_FILES) files.clear();
      if (fileSha256 !== null) files.set(question, fileSha256);
      return report;
    },
    disarmedFile: (question, maxBytes) => disarmedFile(options, files, question, maxBytes),
  };
}

/** Reads the report itself, because a look whether it is there costs as much. Its reader says what is wrong with an unusable one. */
async function progress(blobs: EnginesAnalyzerOptions['blobs'], kind: Kind, question: string): Promise<Progress> {
  const found = await readReport(blobs, kind, question).catch(asUnusable);
  if (found === null) return { state: 'pending', retryAfterSeconds: null };
  return found === 'unusable' ? { state: 'finished' } : { state: 'finished', report: found.report };
}

/** Sends the job of the first question without a report. A question that has an answer is not asked again. */
async function submit(options: EnginesAnalyzerOptions, request: AnalysisRequest): Promise<string> {
  const { answered, open } = await openQuestion(options, request);
  if (answered !== null) return answered;
  const job = Job.safeParse(jobOf(request, open, options.versions[request.kind]));
  if (!job.success) throw new AnalyzerRefusal('unsupported', 'its URL or its password is too long for an engine');
  await options.queue.send(job.data);
  return open;
}

interface Question {
  /** Returns the question whose report can be used; null when there is none. */
  readonly answered: string | null;
  /** The question to ask otherwise. */
  readonly open: string;
}

/** Returns the question that all runs share. After a temporary failure come further attempts, which belong to this run alone. */
async function openQuestion(options: EnginesAnalyzerOptions, request: AnalysisRequest): Promise<Question> {
  const { group, kind } = request;
  let open = '';
  for (let number = 0; number <= ATTEMPTS_OF_RUN; number += 1) {
    open = questionOf(request, options.versions[kind], number === 0 ? null : { group, number });
    const finished = await readReport(options.blobs, kind, open).catch(asUnusable);
    if (finished === null) return { answered: null, open };
    if (finished !== 'unusable' && (await isUsable(options, kind, open, finished))) return { answered: open, open };
  }
  // The engine failed each time. Its last failure is the answer, and policy decides.
  return { answered: open, open };
}

function questionOf(request: AnalysisRequest, versions: string, attempt: Parameters<typeof engineQuestion>[1]): string {
  const { kind, id } = request;
  const { filename, password } = request.kind === 'url_analysis' ? { filename: '', password: null } : request;
  return engineQuestion({ versions, kind, id, filename, password }, attempt);
}

function asUnusable(error: unknown): 'unusable' {
  if (error instanceof CorruptDataError || error instanceof LimitExceededError) return 'unusable';
  throw error;
}

/** Returns whether a report answers a new request: it is no temporary failure, these engines made it, and its file still exists. */
async function isUsable(
  { blobs, versions }: EnginesAnalyzerOptions,
  kind: Kind,
  question: string,
  { report, fileSha256, versions: made }: Finished,
): Promise<boolean> {
  if (report.failure?.class === 'timeout' || report.failure?.class === 'service_error') return false;
  if (made !== versions[kind]) return false;
  return fileSha256 === null || (await blobs.has('work', keys.engineFile(kind, question, fileSha256)));
}

function jobOf(request: AnalysisRequest, question: string, versions: string): Job {
  const common = { question, group: request.group, versions };
  if (request.kind === 'url_analysis') return { ...common, kind: request.kind, url: request.url };
  const { kind, id, filename, password } = request;
  return { ...common, kind, artifact: hashOf(id), filename, password };
}

async function finishedReport({ blobs }: EnginesAnalyzerOptions, kind: Kind, question: string): Promise<Finished> {
  const found = await readReport(blobs, kind, question).catch(asRefusal);
  if (found !== null) return found;
  throw new AnalyzerRefusal('service_error', `the ${kind} report was asked for before it was finished`);
}

/** The hashes of the files of reports that were just read, by their questions. A report never changes, so it is not read again. */
type FilesOfReports = Map<string, string>;

/** Returns the disarmed file. The engine states the hash of the bytes that it wrote. Other bytes are refused. */
async function disarmedFile(
  options: EnginesAnalyzerOptions,
  files: FilesOfReports,
  question: string,
  maxBytes: number,
): Promise<Uint8Array> {
  const fileSha256 = files.get(question) ?? (await finishedReport(options, 'cdr', question)).fileSha256;
  files.delete(question);
  if (fileSha256 === null) throw new AnalyzerRefusal('service_error', 'the engine wrote no file for this submission');
  const key = keys.engineFile('cdr', question, fileSha256);
  const bytes = await options.blobs.get('work', key, { maxBytes }).catch(asRefusal);
  if (sha256Hex(bytes) === fileSha256) return bytes;
  throw new AnalyzerRefusal('service_error', 'the disarmed file is not the one that the engine reported');
}

function asRefusal(error: unknown): never {
  if (error instanceof LimitExceededError) throw new AnalyzerRefusal('oversize', error.message);
  if (error instanceof CorruptDataError || error instanceof NotFoundError)
    throw new AnalyzerRefusal('service_error', error.message);
  throw error;
}
