import { mimeGrammar } from './mime-grammar.ts';
import { testAttack } from './suite.ts';

testAttack(mimeGrammar);
