/** An event for tests of what carries events: a delivered mail. */
import type { RunEvent } from '../../lib/pipeline/results/run-event.ts';

export const RUN_EVENT: RunEvent = {
  schema: 'mail-airlock/run-event/1',
  runId: 'f'.repeat(32),
  attempt: 1,
  reference: 'ZZ-ZZZZ',
  state: 'delivered',
  verdict: 'suspicious',
  reasons: [],
  intake: { bucket: 'an-intake', untrustedKey: 'mail', versionId: 'v1', etag: null, size: 10, sha256: null },
  message: null,
  dispositions: { keep: 1, disarm: 1, remove: 0 },
  linksOff: 0,
  bucket: 'clean',
  keys: ['a'],
  bornAt: '2026-11-20T12:00:00.000Z',
  endedAt: '2026-11-20T12:00:30.000Z',
  durationMs: 30_000,
  costUsd: 0.0005,
};
