/** The keys of a run's delivery in the clean bucket. They follow from the ledger alone, so they are the same each time. */

import { isOriginalReleased } from '../chain/release.ts';
import { keys } from '../keys.ts';
import type { Ledger, Part } from '../ledger/ledger.ts';

export interface DeliveryKeys {
  /** Attachments that are also delivered as separate files beside the message, each content once. */
  readonly files: readonly { readonly part: Part; readonly key: string }[];
  /** The key of the message or the bare file, which is written last. When it exists, everything else of the run exists, too. */
  readonly last: string;
}

/** Returns every key of a delivery. The key that is written last comes first. */
export function writtenKeys({ files, last }: DeliveryKeys): string[] {
  return [last, ...files.map(({ key }) => key)];
}

/** Returns the keys of a rebuilt run, or null while it has nothing to deliver. */
export function deliveryKeys(ledger: Ledger): DeliveryKeys | null {
  if (ledger.rebuilt === null) return null;
  if (isOriginalReleased(ledger)) return { files: [], last: keyOfOriginal(ledger, ledger.rebuilt.sha256) };
  const files = ledger.parts.filter((part) => part.role === 'attachment' && part.disposition !== 'remove');
  const distinct = new Map(files.map((part) => [part.delivered?.sha256, part]));
  const placed = [...distinct.values()].flatMap((part) => {
    if (!part.delivered) return [];
    return [{ part, key: keys.cleanFile(ledger.runId, part.delivered.sha256, part.delivered.extension) }];
  });
  if (ledger.kind === 'email') return { files: placed, last: keys.cleanMessage(ledger.runId) };
  return placed[0] ? { files: [], last: placed[0].key } : null;
}

/** Returns the key of an original. It is written alone, because its files were not disarmed. */
function keyOfOriginal({ kind, runId, artifacts }: Ledger, sha256: string): string {
  if (kind === 'email') return keys.cleanMessage(runId);
  return keys.cleanFile(runId, sha256, artifacts[0]?.extension || 'bin');
}
