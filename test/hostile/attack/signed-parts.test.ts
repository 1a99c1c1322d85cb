import { signedParts } from './signed-parts.ts';
import { testAttack } from './suite.ts';

testAttack(signedParts);
