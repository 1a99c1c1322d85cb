import { pdfValues } from './pdf-values.ts';
import { testAttack } from './suite.ts';

testAttack(pdfValues);
