/** Lambda entry point of stage `deliver`. Only its role may write the clean bucket, and read the key that seals messages. */
import { deliver } from '../lib/pipeline/deliver.ts';
import { createSealer } from '../lib/storage/seal-key.ts';
import { stageHandler } from './events.ts';
import { eventPorts } from './ports.ts';
import { optionalSetting } from './runtime.ts';
import { secretValue } from './secrets.ts';

export const handler = stageHandler('deliver', deliver, async () => {
  const secretId = optionalSetting('AIRLOCK_SEAL_SECRET');
  return { ...(await eventPorts()), ...(secretId !== null && { sealer: createSealer(() => secretValue(secretId)) }) };
});
