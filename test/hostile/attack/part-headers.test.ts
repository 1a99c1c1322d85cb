import { partHeaders } from './part-headers.ts';
import { testAttack } from './suite.ts';

testAttack(partHeaders);
