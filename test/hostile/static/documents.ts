/** All hostile documents and containers. */
import { CONTAINERS } from './containers.ts';
import { OFFICE_AND_PDF } from './office-and-pdf.ts';
import type { HostileFile } from './sample.ts';

export const HOSTILE_DOCUMENTS: readonly HostileFile[] = [...OFFICE_AND_PDF, ...CONTAINERS];
