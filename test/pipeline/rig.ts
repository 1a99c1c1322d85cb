/**
 * The pipeline over memory and a scripted analyzer: everything real but the service, whose answers a test chooses. Time is a
 * number the test moves.
 */

import { createUnpacker } from '../../lib/formats/archives/unpacker.ts';
import type { FileGroup } from '../../lib/formats/file-groups.ts';
import { describeType, FILE_TYPES, groupOf } from '../../lib/formats/file-types.ts';
import { createWorkflow } from '../../lib/local/session/workflow.ts';
import { readLedger } from '../../lib/pipeline/chain/ledger-store.ts';
import type { Context } from '../../lib/pipeline/context.ts';
import { keys, runIdOf, sha256Hex } from '../../lib/pipeline/keys.ts';
import type { IntakeObject } from '../../lib/pipeline/ledger/intake-object.ts';
import type { Ledger } from '../../lib/pipeline/ledger/ledger.ts';
import { DEFAULT_LIMITS, type Limits } from '../../lib/pipeline/limits.ts';
import type { Progress, Report, Run } from '../../lib/pipeline/model.ts';
import { parse } from '../../lib/pipeline/parse.ts';
import { DEFAULT_POLICY, type Policy } from '../../lib/pipeline/policy/policy.ts';
import type { AnalysisRequest, Analyzer, CodeReader, Sealer, SecondLook } from '../../lib/pipeline/ports.ts';
import { STAGES } from '../../lib/pipeline/stages.ts';
import { type MemoryBlobs, memoryBlobs, memorySubmissions } from '../../lib/storage/memory.ts';
import { createSigner } from '../../lib/storage/signer.ts';

export const BENIGN: Report = {
  verdict: 'benign',
  score: 0,
  reasons: [],
  failure: null,
  removed: [],
  sanitized: [],
  readAs: null,
  hasDisarmedFile: false,
};

/** What the scripted service says of one request: a report with an optional disarmed file, `pending` for ever, or an error. */
export type Answer = (Partial<Report> & { readonly disarmed?: Uint8Array }) | 'pending' | Error;

export interface Script {
  /** @default benign; a disarm gives back the same bytes */
  readonly answer?: (request: SentRequest) => Answer;
  /** Throws from `submit`. */
  readonly refuse?: (request: SentRequest) => Error | null;
  /** How many polls a submission is pending. @default 1 */
  readonly polls?: number;
  /** Called at each poll, for example to move the clock. */
  readonly onPoll?: () => void;
  readonly retryAfterSeconds?: number;
  /** @default the same always */
  readonly scope?: () => string;
}

type FileRequest = Exclude<AnalysisRequest, { readonly kind: 'url_analysis' }>;

/** A request with its bytes, as a service gets it. */
export type SentRequest =
  | Exclude<AnalysisRequest, FileRequest>
  | (Omit<FileRequest, 'bytes'> & { readonly bytes: Uint8Array });

/** Reads the bytes of a request. */
export async function sent(request: AnalysisRequest): Promise<SentRequest> {
  return request.kind === 'url_analysis' ? request : { ...request, bytes: await request.bytes() };
}

export interface ScriptedAnalyzer extends Analyzer {
  readonly requests: SentRequest[];
}

/** A service whose every answer the test chooses. */
export function scriptedAnalyzer(script: Script = {}): ScriptedAnalyzer {
  const requests: SentRequest[] = [];
  const polled = new Map<string, number>();
  const requestOf = (submissionId: string) => requests[Number(submissionId)] as SentRequest;
  const answerTo = (submissionId: string): Answer => {
    const request = requestOf(submissionId);
    const answer = script.answer?.(request) ?? {};
    if (answer instanceof Error || answer === 'pending' || request.kind !== 'cdr') return answer;
    if (answer.failure || 'disarmed' in answer) return answer;
    return { ...answer, disarmed: request.bytes };
  };
  return {
    scope: async () => script.scope?.() ?? 'scripted',
    requests,
    async submit(asked) {
      const request = await sent(asked);
      const refusal = script.refuse?.(request);
      if (refusal) throw refusal;
      requests.push(request);
      return String(requests.length - 1);
    },
    async find({ kind, id }) {
      const index = requests.findIndex((request) => request.kind === kind && request.id === id);
      return index < 0 ? null : String(index);
    },
    async progress(_kind, submissionId): Promise<Progress> {
      script.onPoll?.();
      const count = (polled.get(submissionId) ?? 0) + 1;
      polled.set(submissionId, count);
      const isPending = answerTo(submissionId) === 'pending' || count <= (script.polls ?? 1);
      return isPending
        ? { state: 'pending', retryAfterSeconds: script.retryAfterSeconds ?? null }
        : { state: 'finished' };
    },
    async report(_kind, submissionId) {
      const answer = answerTo(submissionId);
      if (answer === 'pending') throw new Error('a report was asked for before it was finished');
      if (answer instanceof Error) throw answer;
      const { disarmed, ...report } = answer;
      const readAs = disarmed === undefined ? null : groupCalled(requestOf(submissionId));
      return { ...BENIGN, hasDisarmedFile: disarmed !== undefined, readAs, ...report };
    },
    async disarmedFile(submissionId) {
      const answer = answerTo(submissionId);
      if (answer === 'pending' || answer instanceof Error || !answer.disarmed)
        throw new Error('there is no disarmed file');
      return answer.disarmed;
    },
  };
}

/** The group of what a file is called, as a service that reads it by its name would say. */
function groupCalled(request: SentRequest): FileGroup | null {
  if (request.kind === 'url_analysis') return null;
  const extension = request.filename.slice(request.filename.lastIndexOf('.') + 1);
  const type = FILE_TYPES.find((one) => describeType(one).extension === extension);
  return type === undefined ? null : groupOf(type);
}

export interface Rig {
  readonly ctx: Context;
  readonly blobs: MemoryBlobs;
  readonly analyzer: ScriptedAnalyzer;
  readonly events: { type: string; runId: string }[];
  readonly started: string[];
  /** Moves the time by milliseconds. */
  advance(ms: number): void;
  /** Moves the clock of work, and no other. */
  spend(ms: number): void;
  /** Puts bytes into the intake bucket. */
  intake(bytes: Uint8Array | string, name?: string): Promise<IntakeObject>;
  /** Parse and the whole state machine. */
  scan(bytes: Uint8Array | string, name?: string, known?: Partial<IntakeObject>): Promise<Scanned>;
  ledger(runId: string): Promise<Ledger>;
}

export interface Scanned {
  readonly runId: string;
  readonly ledger: Ledger;
  /** The delivered message or null. */
  readonly clean: string | null;
}

const NO_CODES: CodeReader = { read: async () => ({ outcome: 'read', untrustedTexts: [] }) };

export interface RigOptions {
  /** Null: pictures cannot be decoded here. @default one that finds no codes */
  readonly codes?: CodeReader | null;
  readonly script?: Script;
  /** @default none: the scripted service counts as part of the installation */
  readonly secondLook?: SecondLook;
  readonly sealer?: Sealer;
  readonly policy?: Policy;
  readonly limits?: Partial<Limits>;
  readonly overrides?: (ctx: Context) => Partial<Context>;
  /** As on AWS: a run waits for a service that is away. @default as on a laptop: the stage fails */
  readonly waitsForService?: boolean;
}

/** One thread for all rigs of a test file. It does not keep the process alive. */
const UNPACKER = createUnpacker();

const NO_WAITING = {
  firstSeconds: { static: 0, cdr: 0, url_analysis: 0, sandbox: 0 },
  factor: 1,
  capSeconds: 0,
  wholeSeconds: false,
};

export function createRig(options: RigOptions = {}): Rig {
  const blobs = memoryBlobs();
  const analyzer = scriptedAnalyzer(options.script);
  const events: { type: string; runId: string }[] = [];
  const started: string[] = [];
  let now = Date.UTC(2026, 10, 20, 12);
  let workMs = 0;
  const base: Context = {
    blobs,
    signer: createSigner({ blobs, secretOf: async (stage) => `secret of ${stage}` }),
    submissions: memorySubmissions(),
    analyzer,
    unpacker: UNPACKER,
    secondLook: options.secondLook ?? null,
    sealer: options.sealer ?? null,
    ...(options.codes === null ? {} : { codes: options.codes ?? NO_CODES }),
    executions: { start: async ({ runId }) => void started.push(runId) },
    events: { emit: async ({ type, runId }) => void events.push({ type, runId }) },
    policy: options.policy ?? DEFAULT_POLICY,
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    schedule: { ...NO_WAITING, waitsForService: options.waitsForService ?? false },
    longestStageMs: 0,
    clock: { now: () => now },
    work: { workMs: () => workMs },
    log: { info: () => {}, warn: () => {} },
  };
  const ctx: Context = { ...base, ...options.overrides?.(base) };
  const names = Object.keys(STAGES) as (keyof typeof STAGES)[];
  const stages = Object.fromEntries(names.map((name) => [name, (run: Run) => STAGES[name](ctx, run)])) as Record<
    keyof typeof STAGES,
    (run: Run) => Promise<Run>
  >;
  const workflow = createWorkflow({ stages, retryIntervalMs: 0 });
  const intake = async (bytes: Uint8Array | string, name = 'mail.eml'): Promise<IntakeObject> => {
    const content = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes;
    await blobs.put('intake', name, content);
    return { bucket: 'intake', untrustedKey: name, versionId: sha256Hex(content), size: content.length };
  };
  const ledger = (runId: string) => readLedger(base, runId);
  return {
    ctx,
    blobs,
    analyzer,
    events,
    started,
    spend: (ms) => {
      workMs += ms;
    },
    advance: (ms) => {
      now += ms;
    },
    intake,
    ledger,
    async scan(bytes, name, known) {
      const object = { ...(await intake(bytes, name)), ...known };
      await workflow.run(await parse(ctx, object), new AbortController().signal);
      const runId = runIdOf(object);
      const hasClean = await blobs.has('clean', keys.cleanMessage(runId));
      const clean = hasClean ? await blobs.get('clean', keys.cleanMessage(runId), { maxBytes: 100_000_000 }) : null;
      return { runId, ledger: await ledger(runId), clean: clean && Buffer.from(clean).toString('latin1') };
    },
  };
}

/** A multipart/mixed email of a text body and files, CRLF line ends. */
export function emailWith(options: {
  readonly subject?: string;
  readonly text?: string;
  readonly html?: string;
  readonly files?: readonly { readonly name: string; readonly type?: string; readonly bytes: Uint8Array | string }[];
}): string {
  const part = (headers: string[], body: string) => ['--b1', ...headers, '', body].join('\r\n');
  const base64 = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64').replace(/.{76}/g, '$&\r\n');
  const bodies = [
    part(
      ['Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: 8bit'],
      options.text ?? 'Hello,\r\nsee the files.',
    ),
    ...(options.html === undefined
      ? []
      : [part(['Content-Type: text/html; charset=utf-8', 'Content-Transfer-Encoding: 8bit'], options.html)]),
    ...(options.files ?? []).map(({ name, type, bytes }) =>
      part(
        [
          `Content-Type: ${type ?? 'application/octet-stream'}; name="${name}"`,
          `Content-Disposition: attachment; filename="${name}"`,
          'Content-Transfer-Encoding: base64',
        ],
        base64(bytes),
      ),
    ),
  ];
  const head = [
    'From: Ana <ana@sender.example>',
    'To: bob@recipient.example',
    `Subject: ${options.subject ?? 'Files'}`,
    'Date: Fri, 20 Nov 2026 12:00:00 +0000',
    'Message-ID: <1@sender.example>',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="b1"',
    '',
  ];
  return [...head, ...bodies, '--b1--', ''].join('\r\n');
}

/** A minimal PDF-looking file: enough for its type to be told. */
export const PDF = '%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer << /Root 1 0 R >>\n%%EOF\n';
