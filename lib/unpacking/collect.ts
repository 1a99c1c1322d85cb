/** What an archive unpacks to, taken piece by piece and stopped at the allowance: no declared size is believed. */
import { type Collector, collectMembers, mostBytes } from '../message/containers/budget.ts';
import type { Allowance, Opened, UnpackRequest } from '../message/containers/container.ts';
import { readableName } from '../message/encoded-words.ts';

/** Thrown inside an opener when the allowance is used up; it never leaves this folder. */
export class OverBudget extends Error {
  override readonly name = 'OverBudget';
}

export interface Output {
  /** Counts bytes before they are held. Throws OverBudget. `memberSize` is what the member has by now. */
  count(bytes: number, memberSize: number): void;
  /** The names are those that programs may give the member. */
  add(untrustedNames: readonly string[], bytes: Uint8Array): void;
  result(facts?: Partial<Opened>): Opened;
}

/** Output of one archive of `containerSize` bytes under an allowance. */
export function createOutput(allowance: Allowance, containerSize: number): Output {
  const collector: Collector = collectMembers(allowance, containerSize);
  const most = mostBytes(allowance, containerSize);
  let total = 0;
  return {
    count(bytes, memberSize) {
      total += bytes;
      if (total > most) throw new OverBudget('it unpacks to more than is looked at');
      if (memberSize > allowance.memberBytes) throw new OverBudget('a member larger than is looked at');
    },
    add(untrustedNames, bytes) {
      const member = {
        untrustedNames: [...new Set(untrustedNames.map(readableName))],
        declaredType: 'application/octet-stream',
        charset: null,
        role: 'file' as const,
        bytes,
      };
      if (!collector.add(member)) throw new OverBudget('more members than are looked at');
    },
    result: (facts) => collector.result(facts),
  };
}

/** Of an archive's time, the part that may go into trying passwords: what they open must still be unpacked. */
const TRYING_SHARE = 0.5;

/** The passwords to try, one by one, as long as there is time for another. */
export function* passwordsWithin({ passwords, allowance }: UnpackRequest): Generator<string> {
  const endsAt = performance.now() + allowance.timeMs * TRYING_SHARE;
  for (const password of passwords.slice(0, allowance.passwordTries)) {
    if (performance.now() > endsAt) return;
    yield password;
  }
}

/** A stated total that is over the allowance is believed: who lies upwards gets what they ask for. Throws OverBudget. */
export function refuseTotals(
  allowance: Allowance,
  containerSize: number,
  declared: { readonly members: number; readonly bytes: number },
): void {
  if (declared.members > allowance.members) throw new OverBudget('more members than are looked at');
  if (declared.bytes > mostBytes(allowance, containerSize))
    throw new OverBudget('it unpacks to more than is looked at');
}
