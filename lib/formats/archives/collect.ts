/** Collects what an archive unpacks to, piece by piece, and stops at the allowance. No declared size is trusted. */
import { readableName } from '../names/bounded-name.ts';
import { type Allowance, collectWithin, mostBytes, type Unpacked } from './unpacking.ts';

/** Thrown inside an opener when the allowance is used up. It never leaves this folder. */
export class OverBudget extends Error {
  override readonly name = 'OverBudget';
}

export interface Output {
  /** Counts bytes before they are stored. Throws OverBudget. `memberSize` is the size of the member so far. */
  count(bytes: number, memberSize: number): void;
  /** Adds a member. `names` are all the names that programs may give it. */
  add(untrustedNames: readonly string[], bytes: Uint8Array): void;
  result(facts?: Partial<Unpacked>): Unpacked;
}

/** Output of one archive of `containerSize` bytes under an allowance. */
export function createOutput(allowance: Allowance, containerSize: number): Output {
  const collector = collectWithin(allowance, containerSize);
  const most = mostBytes(allowance, containerSize);
  let total = 0;
  return {
    count(bytes, memberSize) {
      total += bytes;
      if (total > most) throw new OverBudget('it unpacks to more than is looked at');
      if (memberSize > allowance.memberBytes) throw new OverBudget('a member larger than is looked at');
    },
    add(untrustedNames, bytes) {
      const member = { untrustedNames: [...new Set(untrustedNames.map(readableName))], bytes };
      if (!collector.add(member)) throw new OverBudget('more members than are looked at');
    },
    result: (facts) => collector.result(facts),
  };
}

/** Refuses an archive that states a total over the allowance, even if the total is a lie. Throws OverBudget. */
export function refuseTotals(
  allowance: Allowance,
  containerSize: number,
  declared: { readonly members: number; readonly bytes: number },
): void {
  if (declared.members > allowance.members) throw new OverBudget('more members than are looked at');
  if (declared.bytes > mostBytes(allowance, containerSize))
    throw new OverBudget('it unpacks to more than is looked at');
}
