/** One recording or film through the disarm engine and through the second look, for tests. */
import { openFindings } from '../../../lib/engines/inspect/fact.ts';
import { inspectMedia } from '../../../lib/engines/inspect/media/media.ts';
import { disarmed, disarmReport } from './run-disarm.ts';

/** The engine's report. */
export const run = (bytes: Uint8Array, untrustedName = 'file') => disarmReport(bytes, untrustedName);

/** What came out. Fails the test when the file is refused. */
export async function disarmedBytes(bytes: Uint8Array): Promise<Buffer> {
  return Buffer.from((await disarmed(bytes, 'file')).bytes);
}

/** What the second look finds. */
export function foundIn(bytes: Uint8Array): string[] {
  const findings = openFindings();
  inspectMedia(bytes, findings);
  return findings.list.map(({ id }) => id);
}
