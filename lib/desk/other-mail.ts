/** Other mail that has something in common with one: a file, a whole link, or the sender. */
import { hashOf } from '../pipeline/artifact-id.ts';
import { linksOf } from '../pipeline/artifacts-of.ts';
import { correspondentsOf } from '../pipeline/correspondents.ts';
import type { Ledger } from '../pipeline/ledger.ts';
import type { Fact, RunRow } from '../pipeline/run-row.ts';
import type { ReadingParts } from './desk-parts.tsx';

export const IN_COMMON = ['file', 'link', 'sender'] as const;
export type InCommon = (typeof IN_COMMON)[number];

export interface OtherMail {
  readonly row: RunRow;
  readonly common: readonly InCommon[];
}

/** Files, links and addresses of a mail for which others are searched, and how many others are shown of each. */
const [SEARCHED, OTHERS_OF_EACH] = [10, 6];

/** Other mail, that with a file of this one in front. Texts are left out: many mails have the same. */
export async function othersOf({ runs }: Pick<ReadingParts, 'runs'>, ledger: Ledger): Promise<OtherMail[]> {
  const files = ledger.parts.filter(({ role, sha256 }) => role !== 'body' && sha256 !== null);
  const asked: Readonly<Record<InCommon, readonly Fact[]>> = {
    file: files.map(({ sha256 }) => ({ kind: 'hash', value: sha256 as string })),
    link: linksOf(ledger).map(({ id }) => ({ kind: 'url', value: hashOf(id) })),
    sender: correspondentsOf(ledger).senders.map((value) => ({ kind: 'sender', value })),
  };
  const found = new Map<string, { readonly row: RunRow; readonly common: InCommon[] }>();
  for (const name of IN_COMMON)
    for (const fact of asked[name].slice(0, SEARCHED)) {
      const span = { since: null, until: null, after: null, most: OTHERS_OF_EACH };
      const { rows } = await runs.list({ facts: [fact], ...span });
      for (const row of rows) {
        if (row.runId === ledger.runId) continue;
        const other = found.get(row.runId) ?? { row, common: [] };
        if (!other.common.includes(name)) other.common.push(name);
        found.set(row.runId, other);
      }
    }
  return [...found.values()];
}
