/** Why a message is quarantined, as codes that outside rules may branch on. Codes may be added, but none is renamed. */
import { WARNING_CODES } from '../message/model.ts';
import { FAILURE_CLASSES } from './model.ts';

/** Codes that are neither a verdict, nor a failed analysis, nor a warning of the reader. */
export const OWN_REASON_CODES = [
  /** An address field contains a blocked link, and nothing can be taken out of such a field. */
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
  /** A person released the message, and policy does not allow it, or something was found that the person did not know of. */
  'release_refused',
  /** A person blocked a file or a link in it, or its sender. */
  'blocked',
] as const;

/** Verdicts for which policy can quarantine a message. */
export const HELD_VERDICTS = ['suspicious', 'malicious', 'unknown'] as const;

export const REASON_CODES = [...OWN_REASON_CODES, ...HELD_VERDICTS, ...FAILURE_CLASSES, ...WARNING_CODES] as const;

/** Reasons that pass by themselves: the same mail may be delivered when it is tried again. */
export const PASSING_REASONS = ['run_failed', 'timeout', 'service_error', 'not_asked'] as const;
export type PassingReason = (typeof PASSING_REASONS)[number];
/** Faults of ours or of the service among them, for which an alarm rings. A budget that is used up is none. */
export const FAULT_REASONS = PASSING_REASONS.filter((code) => code !== 'not_asked');

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
  /** It was still examined when a first message went out without it. */
  'still_examined',
] as const;
export type RemovalCode = (typeof REMOVAL_CODES)[number];
