import { SCHEDULED, WAYS_IN, WAYS_OUT } from '../pipeline/model.ts';

/**
 * The lambdas beside the stages. Engines analyse, and `engine-failed` ends jobs that they cannot do. `redrive` begins held runs again. The
 * desk has `review` for decisions and `preview` for reading mail. The rest are the pages of recipients, the ways in, the ways out, and
 * scheduled functions.
 */
export const OTHER_LAMBDAS = [
  'engine',
  'engine-failed',
  'redrive',
  'desk',
  'review',
  'preview',
  'recipients',
  ...WAYS_IN,
  ...WAYS_OUT,
  ...SCHEDULED,
] as const;
export type OtherLambda = (typeof OTHER_LAMBDAS)[number];
