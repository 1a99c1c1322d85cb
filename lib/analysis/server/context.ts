/** What every handler works with. */
import type { JobContext } from './jobs.ts';
import type { ServiceLimits } from './limits.ts';
import type { Quotas } from './quotas.ts';

export interface HandlerContext extends Omit<JobContext, 'limits'> {
  readonly limits: ServiceLimits;
  readonly quotas: Quotas;
}
