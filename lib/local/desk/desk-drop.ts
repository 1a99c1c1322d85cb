/** Takes in a file that a person drops at the desk: it is in the intake folder like any other input, and passes the same stages. */
import type { TakenIn } from '../../desk/drops.ts';
import { isMbox } from '../../pipeline/contents/mbox.ts';
import { runIdOf } from '../../pipeline/keys.ts';
import { bringIn } from '../input/intake.ts';
import type { Session } from '../session/session.ts';

/**
 * Stores the bytes under a safe name. Returns null for an mbox, which holds several mails. The same name with the same bytes is the same
 * run, as for `airlock scan`.
 */
export async function takeInDropped(
  out: string,
  session: Pick<Session, 'scanStored'>,
  untrustedName: string,
  bytes: Uint8Array,
): Promise<TakenIn | null> {
  if (isMbox(untrustedName, bytes)) return null;
  const label = `desk: ${untrustedName}`;
  const open = async function* () {
    yield bytes;
  };
  const stored = await bringIn(out, { kind: 'bytes', label, name: untrustedName, open });
  const intake = { ...stored, dropped: true as const };
  const run = async () => {
    const outcome = await session.scanStored(label, intake, { isOnce: false });
    return 'message' in outcome ? outcome.message : null;
  };
  return { runId: runIdOf(intake), run };
}
