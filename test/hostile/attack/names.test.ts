import { names } from './names.ts';
import { testAttack } from './suite.ts';

testAttack(names);
