/** One budget for everything that is unpacked from one message. Content that exceeds it is reported, never silently skipped. */
import { type Allowance, collectWithin, type MemberCollector } from '../../formats/archives/unpacking.ts';
import { type Budget, type Member, type Opened, opened } from './container.ts';

/** The limits of a budget; lib/pipeline/limits.ts names the attack behind each. */
export interface ContainerLimits {
  readonly containerDepth: number;
  readonly containerMembers: number;
  readonly containerBytes: number;
  readonly memberBytes: number;
  readonly containerRatio: number;
  readonly containerWorkSeconds: number;
  readonly nestedEmailBytes: number;
  readonly passwordTries: number;
}

/** Makes a budget that starts now. `workMs` returns the milliseconds of processor time that the message has used. */
export function createBudget(limits: ContainerLimits, workMs: () => number): Budget {
  const endsAt = workMs() + limits.containerWorkSeconds * 1000;
  let members = limits.containerMembers;
  let bytes = limits.containerBytes;
  let readable = limits.nestedEmailBytes;
  return {
    allowance: () => ({
      members,
      bytes,
      memberBytes: limits.memberBytes,
      ratio: limits.containerRatio,
      workMs: Math.max(0, endsAt - workMs()),
      passwordTries: limits.passwordTries,
    }),
    spend: (found) => {
      members = Math.max(0, members - found.length);
      bytes = Math.max(0, bytes - found.reduce((sum, member) => sum + member.bytes.length, 0));
    },
    takeReading: (size) => {
      if (size > readable) return false;
      readable -= size;
      return true;
    },
  };
}

export interface Collector extends Pick<MemberCollector<Member>, 'add' | 'isOver'> {
  /** Returns everything collected. The outcome is `outcome`, unless the allowance ended the opening. */
  result(facts?: Partial<Opened>): Opened;
}

/** Collects members up to the allowance. The ratio is measured against `containerSize`. */
export function collectMembers(allowance: Allowance, containerSize: number): Collector {
  const collector = collectWithin<Member>(allowance, containerSize);
  return { ...collector, result: (facts = {}) => opened({ ...facts, ...collector.result(facts) }) };
}
