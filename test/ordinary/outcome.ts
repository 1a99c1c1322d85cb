/** What became of one ordinary mail, measured by programs that share nothing with the airlock. */
import type { Airlock } from '../hostile/attack/airlock-run.ts';
import type { Dkim } from './dkim.ts';
import { blockedIn, wordsChanged } from './judge.ts';
import type { OrdinaryMail } from './ordinary-mail.ts';

/** A file that a mail carried. */
export interface FileOutcome {
  readonly name: string;
  readonly disposition: 'keep' | 'disarm' | 'remove';
}

export interface Outcome {
  readonly mail: OrdinaryMail;
  /** Null when it was held. */
  readonly delivered: Uint8Array | null;
  /** Why it was held. */
  readonly why: string;
  /** True when the airlock says that nothing was changed. */
  readonly isUnchanged: boolean;
  /** Everything below the header is byte for byte what was sent. */
  readonly isBodyEqual: boolean;
  readonly words: readonly string[];
  /** Links that were switched off. */
  readonly links: number;
  /** `pass`, or what is wrong with the signature of the server. */
  readonly dkim: string;
  readonly files: readonly FileOutcome[];
}

/** Signs the mail as its server would, and sends it through the airlock. */
export async function outcomeOf(mail: OrdinaryMail, airlock: Airlock, dkim: Dkim): Promise<Outcome> {
  const signed = await dkim.sign(mail.bytes);
  const { message, why, ledger } = await airlock.scan(signed, `${mail.id.replace(/\W+/g, '-')}.eml`);
  const files = (ledger?.parts ?? []).flatMap(({ role, untrustedNames, disposition }): FileOutcome[] =>
    role !== 'attachment' || disposition === null ? [] : [{ name: untrustedNames[0] ?? 'without a name', disposition }],
  );
  const held = { words: [], links: 0, dkim: 'held', isUnchanged: false, isBodyEqual: false };
  if (message === null) return { mail, delivered: null, why, files, ...held };
  return {
    mail,
    delivered: message,
    why,
    files,
    isUnchanged: /^X-Airlock-Summary: Nothing was changed\.\r?$/m.test(headOf(message)),
    isBodyEqual: Buffer.compare(bodyOf(mail.bytes), bodyOf(message)) === 0,
    words: await wordsChanged(mail, message),
    links: await blockedIn(message),
    dkim: await dkim.verify(message),
  };
}

function endOfHead(message: Uint8Array): number {
  const text = Buffer.from(message).toString('latin1');
  return text.indexOf('\r\n\r\n') + 4;
}

const headOf = (message: Uint8Array) => Buffer.from(message.subarray(0, endOfHead(message))).toString('latin1');
const bodyOf = (message: Uint8Array) => message.subarray(endOfHead(message));
