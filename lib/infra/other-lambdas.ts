import { DOORS, SCHEDULED, WAYS_OUT } from '../pipeline/model.ts';

/**
 * The lambdas beside the stages: the engines and what ends the jobs that they cannot do, what begins held runs again, the desk with what carries
 * out its decisions and what reads mail for it, the pages of recipients, the doors, the ways out, and what a clock starts.
 */
export const OTHER_LAMBDAS = [
  'engine',
  'engine-failed',
  'redrive',
  'desk',
  'review',
  'preview',
  'recipients',
  ...DOORS,
  ...WAYS_OUT,
  ...SCHEDULED,
] as const;
export type OtherLambda = (typeof OTHER_LAMBDAS)[number];
