import { bareLinks } from './bare-links.ts';
import { testAttack } from './suite.ts';

testAttack(bareLinks);
