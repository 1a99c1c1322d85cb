/** Lambda entry point of `forward`: delivered mail goes on by SMTP. Its role reads clean messages, and writes notes of what was sent. */
import { createSmtpRelay, relaySettings } from '../lib/gateway/relay.ts';
import { forward } from '../lib/pipeline/forward.ts';
import { endHandler } from './ends.ts';
import { setting } from './runtime.ts';
import { secretValue } from './secrets.ts';

const relay = createSmtpRelay(async () => relaySettings(await secretValue(setting('AIRLOCK_RELAY_SECRET'))));

export const handler = endHandler('forward', (ctx, event, receipts) =>
  forward({ ...ctx, relay, envelopesFor: setting('AIRLOCK_ENVELOPES_FOR') }, event, receipts === 1),
);
