/** One budget for everything that is unpacked from one message. What is over it is said, never left out in silence. */
import type { Allowance, Budget, Member, Opened } from './container.ts';

/** The limits of a budget; lib/pipeline/limits.ts names the attack behind each. */
export interface ContainerLimits {
  readonly containerDepth: number;
  readonly containerMembers: number;
  readonly containerBytes: number;
  readonly memberBytes: number;
  readonly containerRatio: number;
  readonly containerSeconds: number;
  readonly nestedEmailBytes: number;
  readonly passwordTries: number;
}

/** A budget that begins now. `now` is the time in milliseconds. */
export function createBudget(limits: ContainerLimits, now: () => number): Budget {
  const endsAt = now() + limits.containerSeconds * 1000;
  let members = limits.containerMembers;
  let bytes = limits.containerBytes;
  let readable = limits.nestedEmailBytes;
  return {
    allowance: () => ({
      members,
      bytes,
      memberBytes: limits.memberBytes,
      ratio: limits.containerRatio,
      timeMs: Math.max(0, endsAt - now()),
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

/** Below this an output is no bomb, whatever its ratio: a page of spaces packs 500:1. */
export const RATIO_FREE_BYTES = 10 * 1024 * 1024;

/** Bytes that a container of this size may unpack to under an allowance. */
export function mostBytes(allowance: Allowance, containerSize: number): number {
  return Math.min(allowance.bytes, Math.max(RATIO_FREE_BYTES, containerSize * allowance.ratio));
}

export interface Collector {
  /** False when the member is over the allowance: it is not taken, and what follows need not be looked for. */
  add(member: Omit<Member, 'path'> & { readonly path?: string }): boolean;
  /** True once something was over the allowance: reading on would be work for nothing. */
  isOver(): boolean;
  /** What was collected, as `outcome` unless the allowance ended it. */
  result(facts?: Partial<Opened>): Opened;
}

/** Collects members up to the allowance. `containerSize` is what the ratio is measured by. */
export function collectMembers(allowance: Allowance, containerSize: number): Collector {
  const members: Member[] = [];
  const most = mostBytes(allowance, containerSize);
  let bytes = 0;
  let over: string | null = null;
  return {
    add(member) {
      if (over !== null) return false;
      const { length } = member.bytes;
      if (members.length >= allowance.members) over = 'more members than are looked at';
      else if (length > allowance.memberBytes) over = 'a member larger than is looked at';
      else if (bytes + length > most) over = 'it unpacks to more than is looked at';
      if (over !== null) return false;
      bytes += length;
      members.push({ ...member, path: member.path ?? String(members.length + 1) });
      return true;
    },
    isOver: () => over !== null,
    result: (facts = {}) => ({
      outcome: 'opened',
      detail: '',
      warnings: [],
      untrustedPassword: null,
      untrustedTexts: [],
      ...facts,
      ...(over === null ? {} : { outcome: 'over_budget' as const, detail: over }),
      members,
    }),
  };
}
