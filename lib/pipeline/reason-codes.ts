/** The reasons for which a message is quarantined, as codes on which outside rules may branch. Codes may be added, but none is renamed. */
import { WARNING_CODES } from '../message/model.ts';
import { FAILURE_CLASSES } from './model.ts';

/** Codes that are neither a verdict, nor a failed analysis, nor a warning of the reader. */
export const OWN_REASON_CODES = [
  /** An address field contains a blocked link, and nothing can be removed from such a field. */
  'blocked_link_in_header',
  /** The message is encrypted to its recipient, and policy holds such messages of its sender. */
  'encrypted_mail',
  /** The input was a single file, and it may not be delivered. */
  'nothing_left',
  /** The ledger contradicts itself. */
  'inconsistent',
  /** The ledger cannot be read. */
  'ledger_lost',
  /** A stage failed after its retries. */
  'run_failed',
  /** A person released the message, but policy does not allow that, or a finding appeared that the person did not know. */
  'release_refused',
  /** A person blocked a file or a link in it, or its sender. */
  'blocked',
] as const;

/** Verdicts for which policy can quarantine a message. */
export const HELD_VERDICTS = ['suspicious', 'malicious', 'unknown'] as const;

export const REASON_CODES = [...OWN_REASON_CODES, ...HELD_VERDICTS, ...FAILURE_CLASSES, ...WARNING_CODES] as const;
export type ReasonCode = (typeof REASON_CODES)[number];

type RowCode = (typeof OWN_REASON_CODES)[number] | (typeof HELD_VERDICTS)[number] | (typeof FAILURE_CLASSES)[number];

interface ReasonRow {
  /**
   * `mail`: the reason is in the mail itself. The other classes say nothing about the mail. `fault`: a temporary fault of ours or of the
   * service, for which an alarm rings. `budget`: a budget was used up, which is also temporary. `record`: the stored data of the run is
   * lost or wrong, and stays so.
   */
  readonly about: 'mail' | 'fault' | 'budget' | 'record';
  /** The reason why a message that is held for this code cannot be released as rebuilt. Null when rebuilding leaves out the cause. */
  readonly onlyAsOriginal: string | null;
}

const OF_THE_MAIL = { about: 'mail', onlyAsOriginal: null } as const;

/** A row for each code. Warnings have their own rows in lib/message: each of them is about the mail. */
const REASON_ROWS = {
  blocked_link_in_header: {
    about: 'mail',
    onlyAsOriginal: 'an address field has a blocked link, and nothing can be taken out of such a field',
  },
  encrypted_mail: {
    about: 'mail',
    onlyAsOriginal: 'it is encrypted to its recipient, so nothing in it can be made safe',
  },
  nothing_left: { about: 'mail', onlyAsOriginal: 'nothing of the file would be left' },
  inconsistent: { about: 'record', onlyAsOriginal: 'what is known of it contradicts itself' },
  ledger_lost: { about: 'record', onlyAsOriginal: null }, // nobody can release it in any form
  run_failed: { about: 'fault', onlyAsOriginal: null },
  release_refused: OF_THE_MAIL,
  blocked: OF_THE_MAIL,
  suspicious: OF_THE_MAIL,
  malicious: OF_THE_MAIL,
  unknown: OF_THE_MAIL,
  timeout: { about: 'fault', onlyAsOriginal: null },
  service_error: { about: 'fault', onlyAsOriginal: null },
  encrypted: OF_THE_MAIL,
  unsupported: OF_THE_MAIL,
  oversize: OF_THE_MAIL,
  unreadable: OF_THE_MAIL,
  unsafe_output: OF_THE_MAIL,
  not_asked: { about: 'budget', onlyAsOriginal: null },
} as const satisfies Readonly<Record<RowCode, ReasonRow>>;

type Rows = typeof REASON_ROWS;
type CodeAbout<About> = { [Code in RowCode]: Rows[Code]['about'] extends About ? Code : never }[RowCode];

const isRow = (code: string): code is RowCode => Object.hasOwn(REASON_ROWS, code);
const codesAbout = <About extends ReasonRow['about']>(...about: readonly About[]): CodeAbout<About>[] =>
  REASON_CODES.filter(
    (code): code is CodeAbout<About> => isRow(code) && about.some((one) => one === REASON_ROWS[code].about),
  );

/** Temporary reasons: the same mail may be delivered when it is tried again. */
export const PASSING_REASONS = codesAbout('fault', 'budget');
export type PassingReason = (typeof PASSING_REASONS)[number];
/** Faults of ours or of the service, for which an alarm rings. */
export const FAULT_REASONS = codesAbout('fault');

const SILENT_REASONS: readonly ReasonCode[] = codesAbout('fault', 'budget', 'record');

/** Returns true for a reason that says something about the mail, and not only about us, a service or a budget. */
export const isAboutMail = (code: ReasonCode): boolean => !SILENT_REASONS.includes(code);

/** Returns the reason why a message that is held for this cannot be released as rebuilt, in words; null when it can. */
export const onlyAsOriginal = (code: ReasonCode): string | null =>
  isRow(code) ? REASON_ROWS[code].onlyAsOriginal : null;

/** Why one file was removed from a message that is delivered. */
export const REMOVAL_CODES = [
  ...FAILURE_CLASSES,
  ...HELD_VERDICTS,
  /** Policy removes files of this group. */
  'type_not_allowed',
  /** Something inside the container could not be judged, or may not be delivered. */
  'contents_not_allowed',
  /** It contains a blocked link that cannot be taken out. */
  'blocked_link',
  /** The disarm read the file as another type than policy judged. */
  'read_differently',
  /** A person blocked it. */
  'blocked',
  /** It was still being analysed when a first message went out without it. */
  'still_examined',
] as const;
export type RemovalCode = (typeof REMOVAL_CODES)[number];
