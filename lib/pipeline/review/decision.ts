/** The decisions that people make about held mail at a desk, and the roles that may make them. */
import type { ReleaseForm, Role } from '../model.ts';

/** All possible decisions, as the last piece of the address of each form. */
export const DECISIONS = ['release', 'original', 'rescan', 'delete'] as const;
export type DecisionName = (typeof DECISIONS)[number];

/** The decisions that each role may make. */
export const MAY: Readonly<Record<Role, readonly DecisionName[]>> = {
  reader: [],
  analyst: ['release', 'rescan', 'delete'],
  admin: ['release', 'original', 'rescan', 'delete'],
};

/** Returns true for a role that may block and unblock, report a false alarm, take an original out, and change saved views. */
export const mayBlock = (role: Role | null): boolean => role === 'analyst' || role === 'admin';

/** Returns true for a role that may accept that records are missing at the end of the audit trail. */
export const maySeal = (role: Role | null): boolean => role === 'admin';

/** Returns the action of a decision, and the form in which it releases. */
export function actionOf(name: DecisionName): {
  readonly action: 'release' | 'rescan' | 'delete';
  readonly form: ReleaseForm;
} {
  return name === 'original' ? { action: 'release', form: 'original' } : { action: name, form: 'rebuilt' };
}
