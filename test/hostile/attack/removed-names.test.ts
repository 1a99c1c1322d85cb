import { removedNames } from './removed-names.ts';
import { testAttack } from './suite.ts';

testAttack(removedNames);
