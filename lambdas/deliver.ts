/** Lambda entry point of stage `deliver`. Only its role may write clean buckets and read the sealing key, so it puts the results, too. */
import { deliver } from '../lib/pipeline/deliver.ts';
import { createSealer } from '../lib/storage/seal-key.ts';
import { isBatch } from './shared/batches.ts';
import { placeAll } from './shared/placing.ts';
import { eventPorts } from './shared/ports.ts';
import { optionalSetting } from './shared/runtime.ts';
import { secretValue } from './shared/secrets.ts';
import { stageHandler } from './shared/stage-handler.ts';

const stage = stageHandler('deliver', deliver, async () => {
  const secretId = optionalSetting('AIRLOCK_SEAL_SECRET');
  return { ...(await eventPorts()), ...(secretId !== null && { sealer: createSealer(() => secretValue(secretId)) }) };
});
export const handler = (event: unknown) => (isBatch(event) ? placeAll(event) : stage(event));
