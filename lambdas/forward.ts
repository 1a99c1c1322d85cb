/**
 * Lambda entry point of `forward`. It sends delivered mail on by SMTP if a secret names a server, otherwise by SES. Its role reads clean
 * messages, and writes notes of what was sent.
 */
import { createSmtpRelay, relaySettings } from '../lib/gateway/relay.ts';
import { forward } from '../lib/pipeline/results/forward.ts';
import { createSesRelay } from '../lib/storage/ses-relay.ts';
import { endHandler } from './shared/ends.ts';
import { optionalSetting, setting } from './shared/runtime.ts';
import { secretValue } from './shared/secrets.ts';

const secretId = optionalSetting('AIRLOCK_RELAY_SECRET');
const relay =
  secretId === null ? createSesRelay() : createSmtpRelay(async () => relaySettings(await secretValue(secretId)));

export const handler = endHandler('forward', (ctx, event, receipts) =>
  forward({ ...ctx, relay, envelopesFor: setting('AIRLOCK_ENVELOPES_FOR') }, event, receipts === 1),
);
