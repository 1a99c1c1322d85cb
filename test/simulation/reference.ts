/** What a mail becomes when nothing goes wrong, taken from a simulation without faults. */
import { EVIDENCE } from './invariants.ts';
import { hashOf } from './memo.ts';
import type { Reference, View } from './view.ts';

/** The reference of the only mail of a simulation. */
export function referenceFrom({ objects, reports }: View, runId: string): Reference {
  const own = objects.keys('clean').filter((key) => key.startsWith(runId) && !key.endsWith(EVIDENCE));
  const written = own.map((key) => {
    const bytes = objects.find('clean', key) ?? new Uint8Array(0);
    return [key.slice(runId.length + 1), hashOf(bytes)] as const;
  });
  return {
    state: written.length > 0 ? 'delivered' : 'quarantined',
    clean: new Map(written),
    reports: new Set(reports),
    isExact: true,
  };
}

/** Stands for the reference that is only being made: everything is allowed. */
export const NO_REFERENCE: Reference = { state: 'quarantined', clean: new Map(), reports: new Set(), isExact: true };
