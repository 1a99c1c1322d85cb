/**
 * The state of one connection beside the state of smtp-server: the unchanged envelope, counters, and the time since which the peer owes us
 * something.
 */
import type { Recipient } from './envelope.ts';
import type { GatewayLimits } from './limits.ts';
import type { MailFrom } from './smtp-parameters.ts';

export interface Dialogue {
  mail: MailFrom | null;
  /** Each address once; `lmtpReplies` has an index for each accepted RCPT, because LMTP answers each. */
  recipients: Recipient[];
  rcptReplies: number[];
  refusals: number;
  wrongPasswords: number;
  /** Whether the line that is read now ends in LF without CR. */
  endsBare: boolean;
  /** Recipients of this connection that were too many for their message. */
  excessRecipients: number;
  idleCommands: number;
  messages: number;
  /** `command`: the peer has to send one. `data`: it has to send the message. `busy`: we have to answer. */
  phase: 'command' | 'data' | 'busy';
  /** Milliseconds since the epoch. */
  phaseSince: number;
  minuteSince: number;
  minuteBytes: number;
}

/** Returns the state of a new connection. */
export function newDialogue(now: number): Dialogue {
  return {
    mail: null,
    recipients: [],
    rcptReplies: [],
    refusals: 0,
    wrongPasswords: 0,
    endsBare: false,
    excessRecipients: 0,
    idleCommands: 0,
    messages: 0,
    phase: 'command',
    phaseSince: now,
    minuteSince: now,
    minuteBytes: 0,
  };
}

/** Forgets the envelope: after RSET, EHLO, STARTTLS and the end of a message. */
export function resetEnvelope(dialogue: Dialogue): void {
  dialogue.mail = null;
  dialogue.recipients = [];
  dialogue.rcptReplies = [];
}

/** Begins a phase. */
export function enter(dialogue: Dialogue, phase: Dialogue['phase'], now: number): void {
  dialogue.phase = phase;
  dialogue.phaseSince = now;
  dialogue.minuteSince = now;
  dialogue.minuteBytes = 0;
}

/** Adds a recipient, or finds the one with the same bytes. */
export function addRecipient(dialogue: Dialogue, recipient: Recipient): void {
  const known = dialogue.recipients.findIndex(({ address }) => address === recipient.address);
  if (known < 0) dialogue.recipients.push(recipient);
  dialogue.rcptReplies.push(known < 0 ? dialogue.recipients.length - 1 : known);
}

/** Returns why the connection is too slow, or null while it is not. Called every few seconds. */
export function slowness(dialogue: Dialogue, limits: GatewayLimits, now: number): string | null {
  const age = now - dialogue.phaseSince;
  if (dialogue.phase === 'busy') return null;
  if (dialogue.phase === 'command') return age > limits.commandSeconds * 1000 ? 'no command for too long' : null;
  if (age > limits.dataSeconds * 1000) return 'the message takes too long';
  if (now - dialogue.minuteSince < 60_000) return null;
  const isSlow = age > limits.commandSeconds * 1000 && dialogue.minuteBytes < limits.dataBytesPerMinute;
  dialogue.minuteSince = now;
  dialogue.minuteBytes = 0;
  return isSlow ? 'the message arrives too slowly' : null;
}
