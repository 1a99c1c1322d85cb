import { halfLinks } from './half-links.ts';
import { testAttack } from './suite.ts';

testAttack(halfLinks);
