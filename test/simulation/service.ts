/** The analysis service of the simulation: it takes submissions, finishes them after a while, and judges by words in the bytes. */
import { AnalyzerRefusal } from '../../lib/pipeline/errors.ts';
import type { Kind, Progress, Report } from '../../lib/pipeline/model.ts';
import type { AnalysisRequest } from '../../lib/pipeline/ports.ts';
import { BENIGN, type SentRequest } from '../pipeline/rig.ts';
import type { Faults } from './faults.ts';
import { roll } from './random.ts';
import { isSealed } from './sealed-archive.ts';

interface Submitted {
  readonly request: SentRequest;
  readonly sentAtMs: number;
  readonly finishedAtMs: number;
}

type Asked = Pick<AnalysisRequest, 'kind' | 'id' | 'group'>;

export interface Service {
  scope(kind: Kind): string;
  submit(request: SentRequest): string;
  find(request: Asked): string | null;
  progress(submissionId: string): Progress;
  report(submissionId: string): Report;
  disarmedFile(submissionId: string): Uint8Array;
  /** What was asked in a submission. */
  requestOf(submissionId: string): SentRequest;
}

export interface ServiceOptions {
  readonly seed: number;
  readonly faults: Faults;
  readonly nowMs: () => number;
  /** Told of every submission, before it is taken in; and when this run sent the same before, if it could find that. */
  readonly onSubmit: (request: SentRequest, sentAtMs: number | null) => void;
  /** Told of every report that is handed out: its artifact and kind. */
  readonly onReport: (request: SentRequest) => void;
}

/** What it calls itself before and after its engines have changed. */
export const SCOPES = ['scripted 1', 'scripted 2'] as const;

const SECONDS: Readonly<Record<Kind, number>> = { static: 8, cdr: 8, url_analysis: 12, sandbox: 60 };
const SLOW_SECONDS = 900;
/** How many of ten services give a report with the answer that it is finished. The others are asked for it. */
const TOLD_AT_ONCE = 5;

/** A service whose every answer follows from what it is asked. */
export function createService({ seed, faults, nowMs, onSubmit, onReport }: ServiceOptions): Service {
  const submitted: Submitted[] = [];
  const isToldAtOnce = roll(seed, 'reports come at once') * 10 < TOLD_AT_ONCE;
  const of = (submissionId: string) => submitted[Number(submissionId)] as Submitted;
  const find = ({ kind, id, group }: Asked): number =>
    submitted.findLastIndex(({ request }) => request.kind === kind && request.id === id && request.group === group);
  const handedOut = (request: SentRequest): Report => {
    onReport(request);
    return reportOn(request);
  };
  return {
    scope: () => (faults.isIn('new engines') ? SCOPES[1] : SCOPES[0]),
    submit(request) {
      if (textOf(request).includes('/REFUSED')) throw new AnalyzerRefusal('unsupported', 'it is refused');
      onSubmit(request, request.kind === 'url_analysis' ? null : (submitted[find(request)]?.sentAtMs ?? null));
      const name = `analysis ${submitted.length} ${request.kind} ${request.id.slice(0, 12)}`;
      const fault = faults.of(name, ['slow analysis', 'endless analysis']);
      const seconds = roll(seed, `${name} takes`) * (fault === 'slow analysis' ? SLOW_SECONDS : SECONDS[request.kind]);
      const isEndless = fault === 'endless analysis';
      submitted.push({
        request,
        sentAtMs: nowMs(),
        finishedAtMs: isEndless ? Number.POSITIVE_INFINITY : nowMs() + seconds * 1_000,
      });
      return String(submitted.length - 1);
    },
    // As in the adapter for the real service: URLs cannot be searched.
    find(request) {
      if (request.kind === 'url_analysis') return null;
      const found = find(request);
      return found < 0 ? null : String(found);
    },
    progress(submissionId) {
      const { request, finishedAtMs } = of(submissionId);
      if (nowMs() < finishedAtMs) return { state: 'pending', retryAfterSeconds: null };
      return isToldAtOnce ? { state: 'finished', report: handedOut(request) } : { state: 'finished' };
    },
    report(submissionId) {
      const { request, finishedAtMs } = of(submissionId);
      if (nowMs() < finishedAtMs) throw new Error('a report was asked for before it was finished');
      return handedOut(request);
    },
    disarmedFile: (submissionId) => disarmed(of(submissionId).request),
    requestOf: (submissionId) => of(submissionId).request,
  };
}

const textOf = (request: SentRequest): string =>
  request.kind === 'url_analysis' ? request.url : Buffer.from(request.bytes).toString('latin1');

function reportOn(request: SentRequest): Report {
  const text = textOf(request);
  if (text.includes('/EVIL')) return { ...BENIGN, verdict: 'malicious', reasons: ['it is evil'] };
  if (request.kind === 'sandbox' && text.includes('/HIDDEN'))
    return { ...BENIGN, verdict: 'malicious', reasons: ['it does something else'] };
  if (request.kind === 'url_analysis' && text.includes('odd.example'))
    return { ...BENIGN, verdict: 'suspicious', reasons: ['it is odd'] };
  if (request.kind !== 'cdr') return BENIGN;
  const isChanged = disarmed(request).length !== request.bytes.length;
  const readAs = text.startsWith('%PDF') ? 'pdf' : text.startsWith('<') ? 'html' : isSealed(text) ? 'archive' : null;
  return { ...BENIGN, hasDisarmedFile: true, readAs, removed: isChanged ? ['JavaScript'] : [] };
}

function disarmed(request: SentRequest): Uint8Array {
  const text = textOf(request)
    .replace('/SCRIPT (1) ', '')
    .replace(/<script>.*?<\/script>/, '');
  return Buffer.from(text, 'latin1');
}
