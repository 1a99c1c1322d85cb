import { testAttack } from './suite.ts';
import { textSchemes } from './text-schemes.ts';

testAttack(textSchemes);
