/**
 * Files within files. A container passes each of its members to the engine again. All members of one upload share one budget, so nesting
 * cannot multiply the cost of a file.
 */
import { createHash } from 'node:crypto';
import type { DetectedType } from '../../formats/detection/detected-type.ts';
import { disarmOf } from '../../formats/file-types.ts';
import { threadTimeMs } from '../../formats/threads/thread-time.ts';
import { BudgetError, type Deadline, openBudget, type UnpackBudget } from '../archives/unpack-budget.ts';
import { EngineError, type EngineLimits, type FileInput } from '../engine.ts';
import { withExtension } from './archive/member-names.ts';
import type { CheckedDisarm, Disarmed, Nested, NestedResult } from './disarm-module.ts';
import { refusalOf } from './refusals.ts';

/** The most levels, such as archives in messages in archives. Real mail has fewer than five. A zip that contains itself has no end. */
export const MAX_NESTED_CONTAINERS = 8;

/** The disarm engine as containers see it: it disarms and checks one file. Throws EngineError. */
export type DisarmChecked = (
  input: FileInput,
  limits: EngineLimits,
  nested: Nested,
) => Promise<Disarmed & Partial<Pick<CheckedDisarm, 'readAs'>>>;

interface Upload extends Deadline {
  readonly disarm: DisarmChecked;
  readonly limits: EngineLimits;
  /**
   * Results that passed the gate, by hash, so that a second look does not repeat the work of every level below. The same bytes may be a
   * text and a table, by their names.
   */
  readonly passed: Map<string, Map<string, DetectedType>>;
}

/** Returns the budget of one upload. `now` counts milliseconds: the processor time of this thread. */
export function openNested(disarm: DisarmChecked, limits: EngineLimits, now: () => number = threadTimeMs): Nested {
  const upload: Upload = { disarm, limits, now, endsAt: now() + limits.timeoutMs, passed: new Map() };
  return nestedAt(upload, 0, openBudget(limits, upload), false);
}

function nestedAt(upload: Upload, depth: number, budget: UnpackBudget, isSecondLook: boolean): Nested {
  return {
    get limits() {
      return budget.limits;
    },
    spend: budget.spend,
    afford: budget.afford,
    secondLook: () => nestedAt(upload, depth, openBudget(upload.limits, upload), true),
    async disarm(input) {
      budget.spend(1, 0);
      if (depth >= MAX_NESTED_CONTAINERS) {
        throw new BudgetError('oversize', `containers are nested more than ${MAX_NESTED_CONTAINERS} deep`);
      }
      const known = isSecondLook ? passedAs(upload, input) : undefined;
      if (known !== undefined) return { outcome: 'already_safe', bytes: input.bytes, type: known, details: [] };
      return disarmMember(upload, input, nestedAt(upload, depth + 1, budget, isSecondLook));
    },
  };
}

/** Returns the type as which these bytes passed under such a name; undefined when they did not pass. */
function passedAs({ passed }: Upload, { bytes, untrustedName }: FileInput): DetectedType | undefined {
  const types = [...(passed.get(sha256(bytes))?.values() ?? [])];
  return types.find((type) => withExtension(untrustedName, type) === untrustedName) ?? types.at(-1);
}

async function disarmMember(upload: Upload, input: FileInput, inner: Nested): Promise<NestedResult> {
  try {
    const disarmed = await upload.disarm(input, inner.limits, inner);
    // The judge of the container may remove such a file, and would not find it under its new name.
    const { readAs } = disarmed;
    if (readAs !== undefined && disarmOf(readAs.type) === 'source')
      return { outcome: 'refused', failure: { code: 'unsupported', message: refusalOf(readAs) } };
    const hash = sha256(disarmed.bytes);
    const { type } = disarmed;
    upload.passed.set(hash, (upload.passed.get(hash) ?? new Map()).set(type.type, type));
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
