/** The titles and texts of the documentation pages of both services. */
import { CDR_ROUTES } from './cdr.ts';
import type { ApiDescription } from './openapi.ts';
import { V1_ROUTES } from './v1.ts';
import { V3_ROUTES } from './v3.ts';

/** The analysis service: the current interface and the earlier one. */
export const ANALYSIS_API: ApiDescription = {
  title: 'Malware analysis service',
  version: '3.0.0',
  description:
    'Submit files and URLs, follow their analysis, and fetch reports and files. v3 paths work with and without the prefix `/public-api`.',
  groups: [
    { tag: 'v3', description: 'The current interface.', routes: V3_ROUTES },
    { tag: 'v1', description: 'The earlier interface. Submissions are the same in both.', routes: V1_ROUTES },
  ],
};

/** The CDR service. */
export const CDR_API: ApiDescription = {
  title: 'Content disarm service',
  version: '1.0.0',
  description: 'Send a file, ask for its record until it has status 2, and download the sanitized file.',
  groups: [{ tag: 'cdr', description: 'Content disarm and reconstruction.', routes: CDR_ROUTES }],
};
