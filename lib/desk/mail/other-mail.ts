/** Other mail that has something in common with one: a file, a whole link, or the sender. */
import { parseUrl } from '../../formats/urls/parse-url.ts';
import { hashOf } from '../../pipeline/ledger/artifact-id.ts';
import { linksOf } from '../../pipeline/ledger/artifacts-of.ts';
import { correspondentsOf } from '../../pipeline/ledger/correspondents.ts';
import type { Ledger } from '../../pipeline/ledger/ledger.ts';
import type { Runs } from '../../pipeline/ports.ts';
import type { Fact, RunRow } from '../../pipeline/runs/row.ts';
import type { Filter } from '../ask.ts';

export const IN_COMMON = ['file', 'link', 'sender'] as const;
export type InCommon = (typeof IN_COMMON)[number];

export interface OtherMail {
  readonly row: RunRow;
  readonly common: readonly InCommon[];
}

/** A file, a link or an address of a mail, and the list of all mail with it. For a link, the list has all mail with links to its host. */
export interface Shared {
  readonly common: InCommon;
  readonly fact: Fact;
  readonly filter: Filter;
  readonly untrustedValue: string;
}

export interface SharedByMore extends Shared {
  readonly runs: number;
  /** Counting ended before all were counted. */
  readonly isAtLeast: boolean;
}

export interface OtherMails {
  readonly mails: readonly OtherMail[];
  /** The facts with more mail than is shown, and how much. */
  readonly more: readonly SharedByMore[];
  /** The facts that were not searched for. */
  readonly unsearched: readonly Shared[];
}

/** The number of files, links and addresses of a mail for which others are searched, and the number of others that are shown for each. */
const [SEARCHED, OTHERS_OF_EACH] = [10, 6];
const COUNTED = 1_000;

type Index = Pick<Runs, 'list' | 'count'>;

/** Returns other mail, mail with a file of this one first. Texts are omitted: many mails have the same. */
export async function othersOf(runs: Index, ledger: Ledger): Promise<OtherMails> {
  const all = IN_COMMON.map((common) => sharedBy(ledger, common));
  const found = await Promise.all(
    all.flatMap((each) => each.slice(0, SEARCHED)).map((one) => search(runs, ledger, one)),
  );
  const mails = new Map<string, { readonly row: RunRow; readonly common: InCommon[] }>();
  for (const { rows, common } of found)
    for (const row of rows) {
      const other = mails.get(row.runId) ?? { row, common: [] };
      if (!other.common.includes(common)) other.common.push(common);
      mails.set(row.runId, other);
    }
  return {
    mails: [...mails.values()],
    more: found.filter((each) => each.runs > 0),
    unsearched: all.flatMap((each) => each.slice(SEARCHED)),
  };
}

function sharedBy(ledger: Ledger, common: InCommon): Shared[] {
  if (common === 'link')
    return linksOf(ledger).map(({ id, untrustedUrl }) => {
      const untrustedValue = parseUrl(untrustedUrl)?.hostname ?? '';
      return { common, fact: { kind: 'url', value: hashOf(id) }, filter: 'host', untrustedValue };
    });
  if (common === 'sender')
    return correspondentsOf(ledger).senders.map((value) => {
      return { common, fact: { kind: 'sender', value }, filter: 'sender', untrustedValue: value };
    });
  const files = ledger.parts.flatMap(({ role, sha256 }) => (role === 'body' || sha256 === null ? [] : [sha256]));
  return [...new Set(files)].map((value) => {
    return { common, fact: { kind: 'hash', value }, filter: 'hash', untrustedValue: value };
  });
}

async function search(runs: Index, { runId }: Ledger, shared: Shared) {
  const span = { since: null, until: null, after: null, most: OTHERS_OF_EACH + 1 };
  const page = await runs.list({ facts: [shared.fact], ...span });
  const rows = page.rows.filter((row) => row.runId !== runId).slice(0, OTHERS_OF_EACH);
  // The mail itself is one of them.
  const count = page.next === null ? 0 : await runs.count(shared.fact, COUNTED);
  return { ...shared, rows, runs: Math.max(0, count - 1 - rows.length), isAtLeast: count === COUNTED };
}
