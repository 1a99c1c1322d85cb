/** The options of verbs that send mail of ours to a mail server. */
import { type Command, Option } from 'commander';
import type { Policy } from '../../pipeline/policy/policy.ts';
import type { Blobs } from '../../pipeline/ports.ts';
import type { SendingParts } from '../../pipeline/recall/send-once.ts';
import { type Console, complain, UsageError } from '../console.ts';
import { readPolicy } from '../session/engine-session.ts';
import { nextRelay } from './next-relay.ts';
import { nextOf } from './next-settings.ts';

export interface NextOptions {
  readonly next?: string;
  readonly nextTls?: 'off' | 'try' | 'required';
  readonly nextCa?: string;
  readonly nextKey?: string;
  readonly nextCert?: string;
  readonly nextUser?: string;
  readonly name?: string;
}

/** Adds the options to a verb. `what` names the mail that is sent. */
export function addNextOptions(command: Command, what: string): Command {
  return command
    .option('--next <place>', `${what}: HOST:PORT, or lmtp:HOST:PORT for LMTP`)
    .addOption(
      new Option('--next-tls <how>', 'TLS to it (default: off on this machine, else required)').choices([
        'off',
        'try',
        'required',
      ]),
    )
    .option('--next-ca <file>', 'certificates to trust in it, in PEM')
    .option('--next-key <file>', 'the key of the certificate that is shown to it, in PEM')
    .option('--next-cert <file>', 'that certificate, with those between it and its authority, in PEM')
    .option('--next-user <name>', 'authenticate there, with the password in AIRLOCK_NEXT_PASSWORD')
    .option('--name <host>', 'our name in EHLO (default: that of this machine)');
}

/** Reads the way to that server. Throws UsageError. */
export async function sendingTo(console: Console, options: NextOptions, blobs: Blobs): Promise<SendingParts> {
  const settings = await nextOf(console, { ...options, client: [] });
  const warn = (message: string) => complain(console, message);
  return { blobs, relay: nextRelay(settings, console.signal), log: { warn }, now: Date.now };
}

/** Reads a policy with the sender and the recipients of our mail. `what` names the mail. Throws UsageError. */
export async function writingPolicy(path: string, what: string): Promise<Policy> {
  const policy = await readPolicy(path);
  if (policy.notices.from === '' || policy.notices.domains.length === 0)
    throw new UsageError(
      `The policy file ${path} must say in notices.from which address ${what} come from, and in notices.domains which recipients are yours.`,
    );
  return policy;
}
