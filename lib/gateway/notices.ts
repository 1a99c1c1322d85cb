/**
 * Notices to our own people: to the administrator about messages that could not be delivered, and the notices that the policy requires
 * about held messages. A sender never gets one, because most senders of such mail are forged. Each has the null sender, so nothing answers
 * it.
 */
import { safeText } from '../pipeline/safe-text.ts';
import { ENVELOPE_SCHEMA } from './envelope.ts';
import type { Judge } from './judge.ts';
import type { GatewayLimits } from './limits.ts';
import { isTrouble } from './progress.ts';
import { dateOf } from './received.ts';
import type { NoticeSettings } from './settings.ts';
import type { Spool } from './spool.ts';
import type { Entry } from './spool-reading.ts';

export interface NoticeOptions {
  readonly spool: Spool;
  readonly judge: Pick<Judge, 'noticeOf' | 'withheldNote'>;
  readonly limits: GatewayLimits;
  readonly settings: NoticeSettings | null;
  /** Our name, for message ids. */
  readonly name: string;
  readonly now: () => number;
  readonly onEnd: (end: 'sent' | 'too_many' | 'nobody_to_tell') => void;
}

const HOUR_MS = 3_600_000;
const MAX_RECIPIENTS_SHOWN = 20;

/**
 * Returns a function that informs the people whom the end of a message concerns. The administrator hears of messages that could not be
 * delivered or judged. The recipients of the notice hear of messages that the policy holds. People who have the first message hear that the
 * rest was held. The function resolves with the notices once they are in the spool. The caller notes this before they are sent: so a
 * process that dies sends one notice twice, and never two notices twice.
 */
export function noticeTeller(options: NoticeOptions): (entry: Entry) => Promise<Entry[]> {
  const { settings, judge, onEnd } = options;
  const mayTell = hourlyLimit(options);
  const without = (end: 'too_many' | 'nobody_to_tell') => {
    onEnd(end);
    return [];
  };
  const stored = async (to: readonly string[], bytes: Uint8Array) => {
    const notice = await store(options, to, bytes);
    onEnd('sent');
    return [notice];
  };
  const others = async (entry: Entry, noted: readonly string[]) => {
    const isForPerson = isTrouble(entry.progress);
    if (isForPerson && settings === null) return without('nobody_to_tell');
    const notice =
      isForPerson && settings !== null
        ? { to: [settings.to], bytes: Buffer.from(noticeText(options, settings, entry)) }
        : await policyNotice(judge, settings, entry);
    const to = notice?.to.filter((address) => !noted.includes(address.toLowerCase())) ?? [];
    if (notice === null || to.length === 0) return [];
    return mayTell() ? stored(to, notice.bytes) : without('too_many');
  };
  return async (entry) => {
    if (entry.envelope.origin !== 'smtp') return [];
    // Nobody can have more of these than first messages, so they are not counted.
    const note = await noteOf(options, entry);
    const noted = note?.to.map((address) => address.toLowerCase()) ?? [];
    return [...(note === null ? [] : await stored(note.to, note.bytes)), ...(await others(entry, noted))];
  };
}

/** Returns the note to the people who have the first message of a held one. */
async function noteOf({ judge, settings, name }: NoticeOptions, { envelope, progress }: Entry) {
  const { first, state } = progress;
  const to = envelope.recipients.filter((_, index) => first?.got[index] === true).map(({ address }) => address);
  if (first === undefined || state !== 'held' || to.length === 0) return null;
  const from = settings?.from ?? `postmaster@${name}`;
  // They need not know of each other. The recipients of an envelope are secret from others.
  const bytes = await judge.withheldNote(first.runId, from);
  return bytes === null ? null : { to, bytes };
}

function hourlyLimit({ now, limits }: NoticeOptions): () => boolean {
  let hour = 0;
  let sent = 0;
  return () => {
    const current = Math.floor(now() / HOUR_MS);
    if (current !== hour) [hour, sent] = [current, 0];
    sent += 1;
    return sent <= limits.noticesPerHour;
  };
}

/** Returns the notice of the flow, for those of its recipients who are recipients of the message, or for the administrator. */
async function policyNotice(
  judge: Pick<Judge, 'noticeOf'>,
  settings: NoticeSettings | null,
  { envelope, progress: { runId } }: Entry,
): Promise<{ readonly to: string[]; readonly bytes: Uint8Array } | null> {
  const bytes = runId === null ? null : await judge.noticeOf(runId);
  if (bytes === null) return null;
  const known = [settings?.to ?? '', ...envelope.recipients.map(({ address }) => address)];
  const lower = known.map((address) => address.toLowerCase());
  const to = recipientsIn(bytes).filter((address) => lower.includes(address.toLowerCase()));
  return to.length === 0 ? null : { to, bytes };
}

async function store({ spool, now }: NoticeOptions, to: readonly string[], bytes: Uint8Array): Promise<Entry> {
  const incoming = await spool.begin();
  try {
    await incoming.write(bytes);
    const nothing = { name: null, port: null, helo: null, protocol: null, source: 'LOCAL', ident: null };
    return await incoming.commit({
      schema: ENVELOPE_SCHEMA,
      origin: 'notice',
      receivedAt: new Date(now()).toISOString(),
      sender: '',
      recipients: to.map((address) => ({ address, notify: null, orcpt: null })),
      parameters: { body: null, size: null, smtpUtf8: false, ret: null, envid: null },
      peer: { address: 'unknown', ...nothing },
      tls: null,
      user: null,
      passes: 0,
    });
  } catch (error) {
    await incoming.discard();
    throw error;
  }
}

function noticeText({ name, now }: NoticeOptions, { from, to }: NoticeSettings, { envelope, progress }: Entry): string {
  const { id, receivedAt } = envelope;
  const rows = progress.recipients.map(
    ({ state, reply }, index) => `  ${state}: ${shown(envelope.recipients[index]?.address ?? '')} ${shown(reply)}`,
  );
  const more = rows.length > MAX_RECIPIENTS_SHOWN ? [`  … and ${rows.length - MAX_RECIPIENTS_SHOWN} more`] : [];
  const why =
    progress.state === 'held'
      ? `It could not be judged after ${progress.judgements} tries: ${shown(progress.detail)}.`
      : 'The next hop did not take it for all of its recipients, and it is not tried again.';
  return [
    `From: ${from}`,
    `To: ${to}`,
    `Subject: Mail Airlock: message ${id} was not delivered`,
    `Date: ${dateOf(new Date(now()).toISOString())}`,
    `Message-ID: <${id}.notice@${name}>`,
    'Auto-Submitted: auto-generated',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
    '',
    `A message that was accepted at ${receivedAt} was not delivered. Its sender was not told.`,
    why,
    '',
    ...rows.slice(0, MAX_RECIPIENTS_SHOWN),
    ...more,
    '',
    `The message is still in the spool, as ${id}. "airlock gateway retry" sends it again.`,
    '',
  ].join('\r\n');
}

/** Makes foreign addresses and replies safe: one line each, in ASCII, without text that looks like a link. */
function shown(untrusted: string): string {
  return safeText(untrusted, 200)
    .replace(/[^\x20-\x7E]/g, '?')
    .replace(/:\/\//g, ':');
}

/** Returns the addresses of a notice of the flow: plain addresses, separated by commas, in one field. */
function recipientsIn(notice: Uint8Array): string[] {
  const header = Buffer.from(notice.subarray(0, 16_384)).toString('latin1').split('\r\n\r\n', 1)[0] ?? '';
  const [, list = ''] = /^To: (.+(?:\r\n[ \t].+)*)/im.exec(header) ?? [];
  return list
    .split(',')
    .map((address) => address.trim().replace(/^<|>$/g, ''))
    .filter(Boolean);
}
