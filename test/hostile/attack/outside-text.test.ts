import { outsideText } from './outside-text.ts';
import { testAttack } from './suite.ts';

testAttack(outsideText);
