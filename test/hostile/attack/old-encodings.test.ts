import { oldEncodings } from './old-encodings.ts';
import { testAttack } from './suite.ts';

testAttack(oldEncodings);
