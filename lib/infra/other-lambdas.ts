import { DOORS, WAYS_OUT } from '../pipeline/model.ts';

/** The lambdas beside the stages: the engines, what ends the jobs that they cannot do, what begins held runs again, the desk, what carries out its decisions and what reads mail for it, the doors and the ways out. */
export const OTHER_LAMBDAS = [
  'engine',
  'engine-failed',
  'redrive',
  'desk',
  'review',
  'preview',
  ...DOORS,
  ...WAYS_OUT,
] as const;
export type OtherLambda = (typeof OTHER_LAMBDAS)[number];
