import { starvation } from './starvation.ts';
import { testAttack } from './suite.ts';

testAttack(starvation);
