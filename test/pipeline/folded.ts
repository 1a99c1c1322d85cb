/** The ledger in a stored chain, for tests that have only its bytes. Signatures are not looked at. */
import { readChainText } from '../../lib/pipeline/chain/chain-text.ts';
import { readEntry } from '../../lib/pipeline/chain/entry.ts';
import { fold } from '../../lib/pipeline/chain/fold.ts';
import type { Ledger } from '../../lib/pipeline/ledger/ledger.ts';

export function foldedLedger(stored: Uint8Array | undefined): Ledger {
  if (stored === undefined) throw new Error('no chain was stored');
  return fold(readChainText(stored, 'the chain').map(({ json }) => readEntry(json, 'an entry')));
}
