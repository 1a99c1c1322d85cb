import { secondLook } from './second-look.ts';
import { testAttack } from './suite.ts';

testAttack(secondLook);
