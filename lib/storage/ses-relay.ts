/**
 * The Relay port over Amazon SES. It sends the unchanged message from the sender of the envelope to its recipients. SES sends only for
 * senders that are verified, and answers once for all recipients of a request.
 */
import { SESv2Client, type SESv2ClientConfig, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { TransientError } from '../pipeline/errors.ts';
import { type Relay, type RelayMessage, type RelayReply, SEND_SECONDS } from '../pipeline/results/relay-port.ts';
import { awsCall, httpStatusOf } from './aws-errors.ts';

/** The longest message that SES sends, in bytes, with its attachments in their encoding. */
const MAX_BYTES = 40 * 1024 * 1024;
/** SES takes no more recipients in one request. */
const MAX_RECIPIENTS = 50;
const MAX_TEXT_LENGTH = 200;
/** Faults that a person must mend before SES takes any message. Sending is tried again for days. */
const NEEDS_A_PERSON = new Set(['AccessDeniedException', 'AccessDenied', 'SendingPausedException']);
/** Milliseconds. */
const TIMES = { connectionTimeout: 5_000, requestTimeout: 1_000 * SEND_SECONDS, throwOnRequestTimeout: true };

/**
 * Sends by the API of SES (version 2). A request is made only once, because SES may have taken one without an answer. The promise never
 * rejects for an answer of SES. The signal ends all requests for one message together.
 *
 * @example
 * ```ts
 * const relay = createSesRelay();
 * const replies = await relay.send({ sender: 'a@example.com', recipients: ['b@example.org'], bytes: new Uint8Array() });
 * replies[0]?.outcome; // 'sent', 'refused' or 'later'
 * ```
 */
export function createSesRelay(
  config: SESv2ClientConfig = {},
  newSignal = () => AbortSignal.timeout(1_000 * SEND_SECONDS),
): Relay {
  const client = new SESv2Client({ requestHandler: TIMES, ...config, maxAttempts: 1 });
  return {
    async send(message) {
      const { recipients, bytes } = message;
      if (bytes.length > MAX_BYTES)
        return repliesTo(recipients, 'refused', `it has ${bytes.length} bytes, and SES sends at most ${MAX_BYTES}`);
      const signal = newSignal();
      const replies: RelayReply[] = [];
      for (let at = 0; at < recipients.length; at += MAX_RECIPIENTS)
        replies.push(...(await sendTo(client, message, recipients.slice(at, at + MAX_RECIPIENTS), signal)));
      return replies;
    },
  };
}

async function sendTo(
  client: SESv2Client,
  { sender, bytes }: RelayMessage,
  recipients: readonly string[],
  abortSignal: AbortSignal,
): Promise<RelayReply[]> {
  if (abortSignal.aborted) return repliesTo(recipients, 'later', 'no time was left for them');
  const command = new SendEmailCommand({
    // Without a sender here, SES takes the sender of the header.
    ...(sender !== '' && { FromEmailAddress: sender }),
    // SES leaves the header fields of raw content as they are. These addresses are only the envelope.
    Destination: { ToAddresses: [...recipients] },
    Content: { Raw: { Data: bytes } },
  });
  try {
    const { MessageId = '' } = await awsCall('ses send', client.send(command, { abortSignal }));
    return repliesTo(recipients, 'sent', `SES took it as ${MessageId}`);
  } catch (error) {
    return repliesTo(recipients, outcomeOf(error), textOf(error));
  }
}

function repliesTo(recipients: readonly string[], outcome: RelayReply['outcome'], text: string): RelayReply[] {
  return recipients.map((recipient) => ({ recipient, outcome, text: text.slice(0, MAX_TEXT_LENGTH) }));
}

/** SES will give the same answer again, because the message or its addresses cause it. */
function outcomeOf(error: unknown): RelayReply['outcome'] {
  if (error instanceof TransientError || !(error instanceof Error)) return 'later';
  return httpStatusOf(error) === null || NEEDS_A_PERSON.has(error.name) ? 'later' : 'refused';
}

function textOf(error: unknown): string {
  const cause = error instanceof TransientError ? error.cause : error;
  const said = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
  return httpStatusOf(cause) === null ? `SES did not answer, and may have taken it (${said})` : said;
}
