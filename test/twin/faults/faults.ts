/** Every fault, in the order in which `--faults all` runs them. */
import { AWS_FAULTS } from './aws-faults.ts';
import { CONTENT_FAULTS } from './content-faults.ts';
import { ENGINE_FAULTS } from './engine-faults.ts';
import { EXPRESS_FAULTS } from './express-faults.ts';
import type { FaultGroup } from './fault.ts';
import { INTAKE_FAULTS } from './intake-faults.ts';
import { KILL } from './kill.ts';
import { NONE } from './none.ts';
import { OPERATOR_FAULTS } from './operator-faults.ts';
import { REDRIVE_FAULTS } from './redrive-faults.ts';
import { SERVICE_FAULTS } from './service-faults.ts';

export const FAULTS: FaultGroup = [
  ...NONE,
  ...SERVICE_FAULTS,
  ...INTAKE_FAULTS,
  ...KILL,
  ...CONTENT_FAULTS,
  ...AWS_FAULTS,
  ...EXPRESS_FAULTS,
  ...ENGINE_FAULTS,
  ...OPERATOR_FAULTS,
  ...REDRIVE_FAULTS,
];
