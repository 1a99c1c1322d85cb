import { identity } from './identity.ts';
import { testAttack } from './suite.ts';

testAttack(identity);
