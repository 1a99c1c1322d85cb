import { sandboxBlinding } from './sandbox-blinding.ts';
import { testAttack } from './suite.ts';

testAttack(sandboxBlinding);
