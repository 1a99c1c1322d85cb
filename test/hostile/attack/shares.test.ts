import { shares } from './shares.ts';
import { testAttack } from './suite.ts';

testAttack(shares);
