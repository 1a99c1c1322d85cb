import type { V3_ROUTES } from '../../contract/v3.ts';
import type { HandlerContext } from '../context.ts';
import type { Handlers } from '../routing.ts';
import { v3DownloadHandlers } from './download-handlers.ts';
import { v3DynamicHandlers, v3ReportHandlers } from './report-handlers.ts';
import { v3ConfigHandlers, v3CreateHandlers, v3QueryHandlers } from './submission-handlers.ts';

/** Returns the handlers of the v3 table. */
export function v3Handlers(ctx: HandlerContext): Handlers<typeof V3_ROUTES> {
  return {
    ...v3CreateHandlers(ctx),
    ...v3QueryHandlers(ctx),
    ...v3ReportHandlers(ctx),
    ...v3DynamicHandlers(ctx),
    ...v3DownloadHandlers(ctx),
    ...v3ConfigHandlers(ctx),
  };
}
