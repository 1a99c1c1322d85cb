import { charsets } from './charsets.ts';
import { testAttack } from './suite.ts';

testAttack(charsets);
