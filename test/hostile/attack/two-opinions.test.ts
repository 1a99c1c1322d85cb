import { testAttack } from './suite.ts';
import { twoOpinions } from './two-opinions.ts';

testAttack(twoOpinions);
