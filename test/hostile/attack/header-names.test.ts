import { headerNames } from './header-names.ts';
import { testAttack } from './suite.ts';

testAttack(headerNames);
