import { rootHeaders } from './root-headers.ts';
import { testAttack } from './suite.ts';

testAttack(rootHeaders);
