import { sandboxLostRecords } from './sandbox-lost-records.ts';
import { testAttack } from './suite.ts';

testAttack(sandboxLostRecords);
