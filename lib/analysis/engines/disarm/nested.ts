/**
 * Files within files. A container hands each of its members to the door again; all members of one upload share one budget, so
 * that no nesting multiplies what a file may cost.
 */
import { createHash } from 'node:crypto';
import { type DetectedType, EngineError, type EngineLimits, type FileInput } from '../engine.ts';
import { threadTimeMs } from '../thread-time.ts';
import type { Disarmed, Nested, NestedResult } from './disarm-module.ts';

/** Archives in messages in archives: real mail stays below five, and a zip that holds itself has no end. */
export const MAX_NESTED_CONTAINERS = 8;

/** Ends the whole upload: what one member spends is gone for all of them. */
class BudgetError extends EngineError {}

/** The door, as containers see it: one file, disarmed and checked. Throws EngineError. */
export type DisarmChecked = (input: FileInput, limits: EngineLimits, nested: Nested) => Promise<Disarmed>;

interface Upload {
  readonly disarm: DisarmChecked;
  readonly limits: EngineLimits;
  readonly now: () => number;
  readonly endsAt: number;
  /** Results that passed the gate, by hash: a second look need not do the work of every level below again. */
  readonly settled: Map<string, DetectedType>;
}

interface Purse {
  entries: number;
  bytes: number;
}

/** The budget of one upload. `now` counts milliseconds: the processor time of this thread. */
export function openNested(disarm: DisarmChecked, limits: EngineLimits, now: () => number = threadTimeMs): Nested {
  const upload: Upload = { disarm, limits, now, endsAt: now() + limits.timeoutMs, settled: new Map() };
  return nestedAt(upload, 0, fullPurse(limits), false);
}

function fullPurse(limits: EngineLimits): Purse {
  return { entries: limits.entries, bytes: limits.inflatedBytes };
}

function nestedAt(upload: Upload, depth: number, purse: Purse, isSecondLook: boolean): Nested {
  const spend = (entries: number, bytes: number) => spendFrom(upload, purse, entries, bytes);
  return {
    get limits() {
      return { ...upload.limits, entries: purse.entries, inflatedBytes: purse.bytes };
    },
    spend,
    afford: (entries, bytes) => checkPurse(upload, { entries: purse.entries - entries, bytes: purse.bytes - bytes }),
    secondLook: () => nestedAt(upload, depth, fullPurse(upload.limits), true),
    async disarm(input) {
      spend(1, 0);
      if (depth >= MAX_NESTED_CONTAINERS) {
        throw new BudgetError('oversize', `containers are nested more than ${MAX_NESTED_CONTAINERS} deep`);
      }
      const known = isSecondLook ? upload.settled.get(sha256(input.bytes)) : undefined;
      if (known !== undefined) return { outcome: 'already_safe', bytes: input.bytes, type: known, details: [] };
      return disarmMember(upload, input, nestedAt(upload, depth + 1, purse, isSecondLook));
    },
  };
}

function spendFrom(upload: Upload, purse: Purse, entries: number, bytes: number): void {
  purse.entries -= entries;
  purse.bytes -= bytes;
  checkPurse(upload, purse);
}

function checkPurse({ limits, now, endsAt }: Upload, purse: Purse): void {
  if (purse.entries < 0) throw new BudgetError('oversize', `more than ${limits.entries} entries in all`);
  if (purse.bytes < 0) {
    throw new BudgetError('oversize', `the file expands to more than ${limits.inflatedBytes} bytes in all`);
  }
  // The pool ends the thread at this time; a container that notices by itself can still say why.
  if (now() > endsAt) throw new BudgetError('timeout', 'the files within the file took too long');
}

async function disarmMember(upload: Upload, input: FileInput, inner: Nested): Promise<NestedResult> {
  try {
    const disarmed = await upload.disarm(input, inner.limits, inner);
    upload.settled.set(sha256(disarmed.bytes), disarmed.type);
    return disarmed;
  } catch (error) {
    if (error instanceof BudgetError) throw error;
    const failure =
      error instanceof EngineError
        ? { code: error.code, message: error.message }
        : { code: 'engine_failed' as const, message: 'the disarm engine failed on this file' };
    return { outcome: 'refused', failure };
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
