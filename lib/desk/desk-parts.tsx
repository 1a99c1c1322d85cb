/** @jsxRuntime automatic @jsxImportSource #markup */
/** The parts with which the pages of the desk work. */
import type { Drawn, DrawnKind } from '../formats/drawn/draw-request.ts';
import type { Ledger } from '../pipeline/ledger/ledger.ts';
import type { Quota, ReleaseForm, Role } from '../pipeline/model.ts';
import type { Policy } from '../pipeline/policy/policy.ts';
import type { Asks, Runs } from '../pipeline/ports.ts';
import type { Recalled } from '../pipeline/recall/recall.ts';
import type { AuditWindow } from '../pipeline/review/audit-window.ts';
import type { Block } from '../pipeline/review/block.ts';
import type { Blocking } from '../pipeline/review/block-list.ts';
import type { Who } from '../pipeline/review/review.ts';
import type { TrialRange, TriedRun } from '../pipeline/trial/policy-trial.ts';
import { deskWords, languageOf } from './desk-words.ts';
import type { Drops, TakenIn } from './drops.ts';
import type { Guard } from './guard.ts';
import { type PageContext, pageText } from './layout.tsx';
import type { Side } from './mail/part-sides.ts';
import type { DrawSmall } from './mail/seen-parts.ts';
import type { Views } from './saved-view.ts';

/** The decision of a person at the desk. */
export interface DeskDecision {
  readonly action: 'release' | 'rescan' | 'delete';
  readonly form: ReleaseForm;
  readonly who: Who;
  /** The attempt that was on the page. */
  readonly seen: number;
}

/** The parts that are needed to read mail. */
/** A quota, and the time of the answer of the service. */
export interface ServiceQuota extends Quota {
  /** @default just now */
  readonly at?: string;
}

export interface ReadingParts {
  readonly guard: Pick<Guard, 'csrf'>;
  readonly runs: Pick<Runs, 'get' | 'list' | 'count' | 'tally' | 'oldest' | 'holds'>;
  readonly asks: Pick<Asks, 'of'>;
  readonly policy: Policy;
  readonly role: Role;
  /** The person at this desk; null when nobody is named. */
  readonly person: string | null;
  /** The pages of this desk, so that no link leads nowhere. */
  readonly pages: 'all' | 'cloud';
  /** Returns the ledger of the newest attempt, or null when there is no such run. Throws CorruptDataError when its chain was changed. */
  readonly ledgerOf: (runId: string) => Promise<Ledger | null>;
  /** Returns the header of the original message, or null when it is gone, and where no mail is read. */
  readonly headerOf: (ledger: Ledger) => Promise<string | null>;
  readonly isIncomplete: () => boolean;
  readonly views: Pick<Views, 'list'>;
  readonly now: () => number;
  /**
   * Returns the quota that the analysis service still grants today, and the time of its answer where that is not just now. Returns null
   * when it has no limit. @default nobody is asked
   */
  readonly quota?: () => Promise<ServiceQuota | null>;
}

/** The parts that are needed to show one part of a mail. */
export interface DrawingParts extends ReadingParts {
  /**
   * Draws a side of a part. Returns null when its file is stored nowhere any more. `page` is the picture (from 1) whose bytes are needed,
   * or null when none are: the others may be empty.
   */
  readonly drawn: (side: Side, kind: DrawnKind, page: number | null) => Promise<Drawn | null>;
  /** Draws it for a page that is a file. */
  readonly drawnSmall: DrawSmall;
}

/** The parts that are needed to decide about it, too. */
export interface DecidingParts extends ReadingParts {
  /** Carries out a decision. Returns its result in words, or null when the page shows it. */
  readonly decide: (runId: string, decision: DeskDecision) => Promise<string | null>;
  /** Returns the blocks of people. Rejects with CorruptDataError when the trail was changed. */
  readonly blocks: () => Promise<readonly Blocking[]>;
  /** False when the list says that already. */
  readonly changeBlock: (
    action: 'block' | 'unblock',
    what: { readonly block: Block; readonly who: Who },
  ) => Promise<boolean>;
  readonly noteFalseAlarm: (ledger: Ledger, who: Who) => Promise<void>;
  /** About this many mails of a selection are decided at the same time. */
  readonly decidedAtOnce: number;
}

/** The parts that are needed to list delivered mail that should be recalled. */
export interface RecallParts extends Pick<ReadingParts, 'person' | 'guard' | 'pages' | 'now'> {
  /** Returns delivered mail that came in since then and has something that is blocked or worse now. */
  readonly recalls: (since: number, most: number) => AsyncIterable<Recalled>;
}

/** The parts that are needed to read the audit trail. */
export interface AuditParts extends Pick<ReadingParts, 'runs' | 'person' | 'guard' | 'pages'> {
  /** Reads a checked part of the trail: the newest records, or those up to this number. */
  readonly auditWindow: (before: number | null) => Promise<AuditWindow>;
}

/** The parts that are needed to try another policy. */
export interface TrialParts extends Pick<ReadingParts, 'person' | 'guard' | 'pages' | 'now'> {
  readonly runs: Pick<Runs, 'count'>;
  /** Tries another policy on the mail that came in, the newest first. Blocks count, too. */
  readonly tryPolicy: (policy: Policy, range: TrialRange) => AsyncIterable<TriedRun>;
}

/** The parts with which the desk of one machine works. */
export interface DeskParts extends DecidingParts, DrawingParts, RecallParts, TrialParts, AuditParts {
  readonly runs: ReadingParts['runs'];
  readonly guard: Guard;
  readonly asks: Pick<Asks, 'of' | 'list'>;
  /** The files that were dropped here. */
  readonly drops: Drops;
  /** Stores a dropped file unchanged. Its run is not begun yet. Returns null when it holds several mails (an mbox). */
  readonly takeIn: (untrustedName: string, bytes: Uint8Array) => Promise<TakenIn | null>;
  readonly views: Views;
  /** Returns the original message, or null when it is not stored any more. */
  readonly originalOf: (ledger: Ledger) => Promise<Uint8Array | null>;
  /** Records in the audit trail who takes the original out, and why. Rejects with CorruptDataError when the trail was changed. */
  readonly noteDownload: (ledger: Ledger, who: Who) => Promise<unknown>;
}

/** Returns the context of a page for this browser. */
export function contextOf(
  { person, guard, pages }: Pick<ReadingParts, 'person' | 'guard' | 'pages'>,
  acceptLanguage: string | undefined,
): PageContext {
  const language = languageOf(acceptLanguage);
  return { language, words: deskWords(language), desk: { person, csrf: guard.csrf, pages } };
}

/** Returns a page with one sentence of ours. */
export function notePage(context: PageContext, text: string): string {
  return pageText(
    context,
    'Mail Airlock',
    <section>
      <h1>{text}</h1>
    </section>,
  );
}
