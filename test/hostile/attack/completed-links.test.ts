import { completedLinks } from './completed-links.ts';
import { testAttack } from './suite.ts';

testAttack(completedLinks);
