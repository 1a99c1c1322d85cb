/** All hostile documents and containers. */
import { CONTAINERS } from './containers.ts';
import { DISKS_AND_CODES } from './disks-and-codes.ts';
import { MORE_CONTAINERS } from './more-containers.ts';
import { OFFICE_AND_PDF } from './office-and-pdf.ts';
import type { HostileFile } from './sample.ts';

export const HOSTILE_DOCUMENTS: readonly HostileFile[] = [
  ...OFFICE_AND_PDF,
  ...CONTAINERS,
  ...MORE_CONTAINERS,
  ...DISKS_AND_CODES,
];
