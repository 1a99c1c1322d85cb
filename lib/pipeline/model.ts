/**
 * The closed sets of the pipeline. Three questions have three types and are never mixed: how far the work got (`SubmissionStatus`),
 * what was found (`Verdict`), and what we do about it (`Disposition`, `MessageDisposition`).
 */
import { FILE_GROUPS, type FileGroup } from '../formats/file-groups.ts';

/** The verdict of an analysis. `unknown` is a verdict of its own and never counts as benign. */
export const VERDICTS = ['benign', 'suspicious', 'malicious', 'unknown'] as const;
export type Verdict = (typeof VERDICTS)[number];
/** The worst first. An unknown file may be bad, and a file that is known to be harmless is not. */
export const BY_SEVERITY: readonly Verdict[] = ['malicious', 'suspicious', 'unknown', 'benign'];

/** The kinds of analysis that can be asked of the service, in its own words. */
export const KINDS = ['static', 'sandbox', 'cdr', 'url_analysis'] as const;
export type Kind = (typeof KINDS)[number];

/** How far one submission got. `accepted` covers everything between sending it and its last report. */
export const SUBMISSION_STATUSES = ['accepted', 'completed', 'error'] as const;
export type SubmissionStatus = (typeof SUBMISSION_STATUSES)[number];

/** Where a submission came from: this run sent it, this run joined it while another had it in flight, or its report was known. */
export const SUBMISSION_SOURCES = ['submitted', 'joined', 'known'] as const;
export type SubmissionSource = (typeof SUBMISSION_SOURCES)[number];

/** The disposition of one artifact: its bytes stay, its disarmed form replaces it, or a placeholder does. */
export const DISPOSITIONS = ['keep', 'disarm', 'remove'] as const;
export type Disposition = (typeof DISPOSITIONS)[number];

/** The disposition of the whole message. */
export const MESSAGE_DISPOSITIONS = ['deliver', 'quarantine'] as const;
export type MessageDisposition = (typeof MESSAGE_DISPOSITIONS)[number];

/** The form in which a person releases a held message: rebuilt like every other message, or the original, byte for byte. */
export const RELEASE_FORMS = ['rebuilt', 'original'] as const;
export type ReleaseForm = (typeof RELEASE_FORMS)[number];

/** Why an analysis or a reading has no verdict. Policy says what each one leads to. */
export const FAILURE_CLASSES = [
  'timeout',
  'service_error',
  'encrypted',
  'unsupported',
  'oversize',
  'unreadable',
  'unsafe_output',
  /** The budget of the analysis was kept for files of a higher priority (analysis/budget.ts). */
  'not_asked',
] as const;
export type FailureClass = (typeof FAILURE_CLASSES)[number];

/** The groups of artifacts in a policy. The bytes and every claimed name decide the group together, never one of them alone. */
export const TYPE_GROUPS = [...FILE_GROUPS, 'url'] as const;
export type TypeGroup = (typeof TYPE_GROUPS)[number];

/** The first segment of every name in the work bucket, before a slash. */
export const WORK_FOLDERS = [
  'runs',
  'keys',
  'audit',
  'artifacts',
  'disarmed',
  'reports',
  'envelopes',
  'forwarded',
  'placed',
  'notices',
  'asks',
  'worse',
  'recalled',
  'rechecked',
  'digests',
  'budget',
  'seen',
  'lists',
  'takeouts',
  'desk',
] as const;

/**
 * The prefix of the keys of files that a person dropped at a desk, in the intake bucket. On AWS, the policy of our own bucket lets only
 * `review` write there, and nobody at all where the desk takes no drops. In a bucket of another stack, a signed note marks an object as a
 * copy (drop-note.ts).
 */
export const DROPS = 'dropped/';

/** The languages of the pages of mails, for analysts. */
export const PAGE_LANGUAGES = ['en', 'de'] as const;
export type PageLanguage = (typeof PAGE_LANGUAGES)[number];

/** The stages of the workflow, as `stages.ts`, the state machine, the lambdas and the log name them. */
export const STAGE_NAMES = ['parse', 'submit', 'poll', 'fetch', 'decide', 'rebuild', 'deliver', 'quarantine'] as const;
export type StageName = (typeof STAGE_NAMES)[number];

/** The writers that begin a run again: `redrive` after a fault that passed, `review` for a person who decided about held mail. */
export const BEGINNERS = ['redrive', 'review'] as const;

/**
 * The writer of the message that goes out while some of its files are still being analysed (early.ts). It is no stage: a run ends without
 * it.
 */
export const BETWEEN = ['early'] as const;

/** The writers of entries. */
export const WRITERS = [...STAGE_NAMES, ...BEGINNERS, ...BETWEEN] as const;
export type Writer = (typeof WRITERS)[number];

/** The writers of every deployment on AWS. `review` exists with a desk. Every message waits until it is judged. */
export const DEPLOYED_WRITERS = [...STAGE_NAMES, 'redrive'] as const satisfies readonly Writer[];

/** Functions that note something about mail before a run begins. */
export const WAYS_IN = ['envelope'] as const;
export type WayIn = (typeof WAYS_IN)[number];

/** Functions that work after a run has ended, without the rights of a stage. */
export const WAYS_OUT = ['tag', 'forward', 'index-run', 'password-mail', 'mail-page'] as const;
export type WayOut = (typeof WAYS_OUT)[number];

/** Functions that a clock starts. */
export const SCHEDULED = ['digest', 'recheck'] as const;
export type Scheduled = (typeof SCHEDULED)[number];

/**
 * How the results of a source are named. `by-run`: under the run, as in the clean bucket. `mirrored`: under the key of the object that came
 * in. `in-place`: as a new version of that object.
 */
export const RESULT_KEYS = ['by-run', 'mirrored', 'in-place'] as const;
export type ResultKeys = (typeof RESULT_KEYS)[number];

/** The roles of a person at a desk, each with more rights than the one before it. */
export const ROLES = ['reader', 'analyst', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Returns true for a stage that begins a run again. */
export function isBeginner(writer: Writer | undefined): boolean {
  return BEGINNERS.some((name) => name === writer);
}

/** Stages that may write several entries into one chain: the service answers in its own time. */
export const NUMBERED_STAGES: readonly Writer[] = ['poll', 'fetch'];

/** Why an analysis failed. `detail` is plain text for a person; no code branches on it. */
export interface Failure {
  readonly class: FailureClass;
  readonly detail: string;
}

/** One answer to "is it done yet?". An answer outside this set is a ContractError, never `pending`. */
export type Progress =
  | { readonly state: 'pending'; readonly retryAfterSeconds: number | null }
  /** The report is there if the answer has it. It can then be used at once, unless there is a disarmed file. */
  | { readonly state: 'finished'; readonly report?: Report };

/** The analyzer's answer about one finished submission. */
export interface Report {
  readonly verdict: Verdict;
  readonly score: number | null;
  /** Sentences or finding names that explain the verdict. The text comes from the service, so it is untrusted. */
  readonly reasons: readonly string[];
  /** Set when the analysis ended without a result; the verdict is then `unknown`. */
  readonly failure: Failure | null;
  /** Kinds of content a disarm took out or rewrote; empty for other kinds. */
  readonly removed: readonly string[];
  readonly sanitized: readonly string[];
  /** The type as which a disarm read the file; null for other kinds, and when the service does not tell it. */
  readonly readAs: FileGroup | null;
  /** For a picture: the engines of this installation found only the picture and plain data about it. Absent otherwise. */
  readonly isPlain?: true | undefined;
  /**
   * The addresses to which a visit of a URL was redirected, in order. Absent when there were none, or when nobody tells them. Untrusted,
   * and cut.
   */
  readonly redirects?: readonly string[] | undefined;
  /** True when a disarmed file can be fetched. */
  readonly hasDisarmedFile: boolean;
}

/** Submissions of one day that a service takes. */
export interface Quota {
  readonly limit: number;
  readonly left: number;
}

/** The complete state that the state machine carries: facts and counts, never lists or bytes (256 KiB limit of Step Functions). */
export interface Run {
  readonly runId: string;
  /** Which attempt of the run this is, from 1. */
  readonly attempt: number;
  /** The name of the newest entry in the chain of the attempt. */
  readonly last: string;
  /** Submissions that have no report yet. */
  readonly outstanding: number;
  /** Seconds until the next useful poll. */
  readonly waitSeconds: number;
  readonly polls: number;
  readonly disposition: MessageDisposition | 'undecided';
}

/** The input that the failure edge of the state machine adds to a run. */
export interface FailedRun extends Run {
  readonly failure: { readonly Error: string; readonly Cause: string };
}

/** Makes the compiler prove that every value of a closed set is handled. Throws when a value from outside the set occurs. */
export function assertNever(value: never): never {
  throw new TypeError(`unexpected value: ${JSON.stringify(value)}`);
}
