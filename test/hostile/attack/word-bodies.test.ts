import { testAttack } from './suite.ts';
import { wordBodies } from './word-bodies.ts';

testAttack(wordBodies);
