/** The objects that every handler uses. */
import type { JobContext } from './jobs/jobs.ts';
import type { Quotas } from './jobs/quotas.ts';
import type { ServiceLimits } from './limits.ts';

export interface HandlerContext extends Omit<JobContext, 'limits'> {
  readonly limits: ServiceLimits;
  readonly quotas: Quotas;
}
