/**
 * The newest chains that this process has checked. Each stage reads the chain of the stage before it. When stages share a process, only the
 * new entries are checked. A chain counts as known when every byte of it is the same.
 */

import type { Ledger } from '../ledger/ledger.ts';
import type { SignedLine } from './chain-text.ts';
import type { Entry } from './entry.ts';

/** A chain whose every entry was checked. */
export interface Chain {
  readonly runId: string;
  readonly attempt: number;
  readonly lines: readonly SignedLine[];
  readonly entries: readonly Entry[];
  readonly ledger: Ledger;
}

const MOST = 60;
/** A longer chain is checked completely each time, because an attacker may make entries of megabytes. */
const MAX_CHARACTERS = 128 * 1024;

/** The key is the run, the attempt and the end of the last line, which is its signature. */
const checked = new Map<string, Chain>();

type Of = Pick<Chain, 'runId' | 'attempt'>;
const nameOf = ({ runId, attempt }: Of, last = '') => `${runId} ${attempt} ${last.slice(-100)}`;

/** Remembers a chain whose every entry was checked. */
export function rememberChain(chain: Chain): void {
  const length = chain.lines.reduce((sum, { line }) => sum + line.length, 0);
  if (length > MAX_CHARACTERS) return;
  checked.set(nameOf(chain, chain.lines.at(-1)?.line), chain);
  const [oldest = ''] = checked.keys();
  if (checked.size > MOST) checked.delete(oldest);
}

/** Returns the longest checked chain that these lines are, or begin with; null when there is none. */
export function rememberedChain(of: Of, lines: readonly string[]): Chain | null {
  // A stage adds one entry to the chain that it has read.
  for (const length of [lines.length, lines.length - 1]) {
    const found = checked.get(nameOf(of, lines[length - 1]));
    const isSame = found?.lines.length === length && found.lines.every(({ line }, at) => line === lines[at]);
    if (found !== undefined && isSame) return found;
  }
  return null;
}
