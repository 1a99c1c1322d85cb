import { testAttack } from './suite.ts';
import { writtenLinks } from './written-links.ts';

testAttack(writtenLinks);
