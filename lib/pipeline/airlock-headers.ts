/** The headers that a rebuilt message gets, for mail programs, gateways and people who look at the source. */
import type { AddedHeader } from '../message/model.ts';
import { linksOf } from './artifacts-of.ts';
import { tally } from './conservation.ts';
import type { Ledger } from './ledger.ts';

/** `X-Airlock-Run` names the run. `X-Airlock-Outcome` says what became of the parts. No value has text from the sender. */
export function airlockHeaders(ledger: Ledger): AddedHeader[] {
  const { kept, disarmed, removed } = tally(ledger);
  const links = linksOf(ledger).filter(({ disposition }) => disposition !== 'keep').length;
  return [
    { name: 'X-Airlock-Run', value: ledger.runId },
    {
      name: 'X-Airlock-Outcome',
      value: `delivered; kept=${kept}; disarmed=${disarmed}; removed=${removed}; blocked-urls=${links}`,
    },
  ];
}
