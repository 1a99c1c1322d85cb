/** The service with scripted engines. The text of a file says what its reports become. There are no threads, no clock and no network. */
import type { Hono } from 'hono';
import { ENGINE_FAILURES, type Finding, type Level } from '../../lib/engines/engine.ts';
import type { EngineReport, EngineTask } from '../../lib/engines/threads/task.ts';
import type { UrlVisit } from '../../lib/engines/url-report.ts';
import type { DetectedType } from '../../lib/formats/detection/detected-type.ts';
import type { Submission } from '../../lib/service/contract/v3-submission.ts';
import { createAnalysisApp, createCdrApp } from '../../lib/service/server/app.ts';
import { createCore, type ServiceCore } from '../../lib/service/server/core.ts';
import type { EngineRunner } from '../../lib/service/server/jobs/jobs.ts';
import { createJobQueue, type JobQueue } from '../../lib/service/server/jobs/queue.ts';
import { ServiceLimits } from '../../lib/service/server/limits.ts';
import type { AccessLogEntry } from '../../lib/service/server/routing.ts';
import { type GivenKey, givenKeys } from '../../lib/service/server/store/api-keys.ts';
import type { BlobStore } from '../../lib/service/server/store/blobs.ts';
import { createMemoryBlobs } from '../../lib/service/server/store/memory-blobs.ts';
import { createMemoryStore } from '../../lib/service/server/store/memory-store.ts';
import type { SubmissionStore } from '../../lib/service/server/store/submission-store.ts';
import type { StoredSubmission } from '../../lib/service/server/store/submissions.ts';
import { noteAnswer } from './listed-answers.ts';

export const API_KEY = 'key-for-tests';
/** The key of another workspace. */
export const OTHER_KEY = 'key-of-others';
export const CDR_TOKEN = 'token-for-tests';

export const WORD_TYPE: DetectedType = {
  type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  extension: 'docx',
  description: 'Word document',
};

export const MACRO: Finding = {
  id: 'office-macro',
  name: 'Office macro',
  description: 'The document carries a macro',
  level: 'suspicious',
  score: 60,
  where: 'word/vbaProject.bin',
};

/**
 * Answers by the first word of the file or of the URL's path: a level, a failure code, `safe`, `crash`, `confused` or
 * `silent`. Anything else is benign.
 */
export const scriptedRunner: EngineRunner = {
  async run(task) {
    const text =
      task.engine === 'url' ? new URL(task.url).pathname.slice(1) : new TextDecoder().decode(task.input.bytes);
    const word = text.split(' ')[0] ?? '';
    const failure = ENGINE_FAILURES.find((code) => code === word);
    if (failure) {
      const message = `scripted ${failure}`;
      return { outcome: 'failed', failure: { code: failure, message }, engineVersion: 'scripted-1' };
    }
    if (word === 'crash') throw new Error('secret path /var/lib/engine');
    if (word === 'silent') return await new Promise<EngineReport>(() => undefined);
    if (word === 'confused') return judged('benign');
    if (task.engine === 'sandbox') {
      const failure = { code: 'no_environment', message: 'no environment can run this' } as const;
      return { outcome: 'failed', failure, engineVersion: 'scripted-1' };
    }
    return reportOf(task, word, text);
  },
};

function reportOf(task: EngineTask, word: string, text: string): EngineReport {
  const level = (['suspicious', 'malicious', 'unknown'] as const).find((name) => name === word) ?? 'benign';
  if (task.engine === 'url') return { ...judged(level), ...(word === 'visited' && { visit: visitOf(task.url) }) };
  if (task.engine === 'static') {
    return { ...judged(level), type: WORD_TYPE, hashes: { md5: 'm', sha1: 's', sha256: 'h' } };
  }
  if (word === 'safe') {
    return {
      outcome: 'already_safe',
      bytes: task.input.bytes,
      type: WORD_TYPE,
      readAs: WORD_TYPE,
      details: [],
      quality: QUALITY,
      engineVersion: 'scripted-1',
    };
  }
  return {
    outcome: 'disarmed',
    bytes: new TextEncoder().encode(`disarmed ${text}`),
    type: WORD_TYPE,
    readAs: WORD_TYPE,
    details: [
      { kind: 'macro', action: 'removed', where: 'word/vbaProject.bin' },
      { kind: 'macro', action: 'removed', where: 'word/vbaData.xml' },
      { kind: 'external template', action: 'sanitized', where: 'word/_rels/settings.xml.rels' },
    ],
    quality: QUALITY,
    engineVersion: 'scripted-1',
  };
}

/** Led on eleven times, or once to an address that is longer than anybody reads. */
function visitOf(url: string): UrlVisit {
  const many = Array.from({ length: 11 }, (_, at) => `https://hop-${at + 1}.test/`);
  const next = url.endsWith('?once') ? [`https://b.test/${'x'.repeat(999)}`] : many;
  const hops = [url, ...next].map((each) => ({ url: each, via: 'http' as const, addresses: [], status: 302 }));
  const nothing = { headers: null, certificate: null, page: null, file: null, screenshot: null };
  return { outcome: 'ended', end: 'too-many-redirects', hops, ...nothing };
}

const QUALITY = {
  strategy: 'rebuild',
  words: { before: 100, kept: 99 },
  units: { kind: 'pages', before: 3, after: 3 },
  sizeRatio: 0.5,
  checks: ['type', 'content', 'words', 'pages'],
} as const;

function judged(level: Level) {
  const findings = level === 'suspicious' || level === 'malicious' ? [{ ...MACRO, level }] : [];
  const score = findings.length > 0 ? 60 : 0;
  return { outcome: 'completed', level, score, findings, engineVersion: 'scripted-1' } as const;
}

export interface TestService {
  readonly api: Hono;
  readonly cdr: Hono;
  /** What both are made of. */
  readonly core: ServiceCore;
  readonly queue: JobQueue;
  readonly store: SubmissionStore;
  readonly blobs: BlobStore;
  readonly log: AccessLogEntry[];
  readonly faults: unknown[];
  /** A request with the API key. */
  call(path: string, init?: RequestInit): Promise<Response>;
  /** A request with the key of another workspace. */
  callAsOther(path: string, init?: RequestInit): Promise<Response>;
  /** A request to the CDR service with its token. */
  callCdr(path: string, init?: RequestInit): Promise<Response>;
}

export interface TestServiceOptions {
  readonly runner?: EngineRunner;
  readonly limits?: Partial<ServiceLimits>;
  readonly store?: SubmissionStore;
  readonly blobs?: BlobStore;
  /** @default one of the workspace `local` and one of the workspace `others` */
  readonly keys?: readonly GivenKey[];
  readonly now?: () => number;
  readonly onFinished?: (submission: StoredSubmission) => void;
  readonly pause?: (ms: number) => Promise<void>;
}

const KEYS: readonly GivenKey[] = [{ key: API_KEY }, { key: OTHER_KEY, workspace: 'others' }];

/** Both services on one queue and one store. The clock moves one second at every reading. */
export function testService(options: TestServiceOptions = {}): TestService {
  const limits = ServiceLimits.parse(options.limits ?? {});
  const queue = createJobQueue(limits);
  const store = options.store ?? createMemoryStore();
  const blobs = options.blobs ?? createMemoryBlobs(limits.rememberedBytes);
  const log: AccessLogEntry[] = [];
  const faults: unknown[] = [];
  let timeMs = Date.UTC(2026, 0, 5);
  const tick = () => {
    timeMs += 1_000;
    return timeMs;
  };
  const deps = {
    store,
    blobs,
    queue,
    limits,
    runner: options.runner ?? scriptedRunner,
    now: options.now ?? tick,
    log: (entry: AccessLogEntry) => {
      noteAnswer(entry);
      log.push(entry);
    },
    onFault: (error: unknown) => faults.push(error),
    ...(options.onFinished && { onFinished: options.onFinished }),
    ...(options.pause && { pause: options.pause }),
  };
  const core = createCore({ ...deps, keys: givenKeys(options.keys ?? KEYS) });
  const api = createAnalysisApp(core);
  const cdr = createCdrApp(createCore({ ...deps, keys: givenKeys([{ key: CDR_TOKEN }]) }));
  const withHeader = (init: RequestInit, name: string, value: string) => {
    const headers = new Headers(init.headers);
    headers.set(name, value);
    return { ...init, headers };
  };
  const asBearer =
    (key: string) =>
    async (path: string, init: RequestInit = {}) =>
      await api.request(path, withHeader(init, 'authorization', `Bearer ${key}`));
  return {
    api,
    cdr,
    core,
    queue,
    store,
    blobs,
    log,
    faults,
    call: asBearer(API_KEY),
    callAsOther: asBearer(OTHER_KEY),
    callCdr: async (path, init = {}) => await cdr.request(path, withHeader(init, 'api-token', CDR_TOKEN)),
  };
}

/** The form of a file whose text is its script. */
export function fileForm(
  text: string,
  fields: Readonly<Record<string, string>> = {},
  filename = 'invoice.doc',
): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([text]), filename);
  return form;
}

/** Submits a file and returns its submission id. */
export async function submitted(
  service: TestService,
  route: string,
  text: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<string> {
  const response = await service.call(`/submissions/${route}`, { method: 'POST', body: fileForm(text, fields) });
  return ((await response.json()) as { uuid: string }).uuid;
}

/** The submission as the service shows it. */
export async function shown(service: TestService, uuid: string): Promise<Submission> {
  return (await (await service.call(`/submissions/${uuid}`)).json()) as Submission;
}

/** The submission once its reports have ended. */
export async function finished(service: TestService, uuid: string): Promise<Submission> {
  await service.queue.idle();
  return await shown(service, uuid);
}
