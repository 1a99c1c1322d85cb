import { sandboxEvasion } from './sandbox-evasion.ts';
import { testAttack } from './suite.ts';

testAttack(sandboxEvasion);
