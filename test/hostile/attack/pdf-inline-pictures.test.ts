import { pdfInlinePictures } from './pdf-inline-pictures.ts';
import { testAttack } from './suite.ts';

testAttack(pdfInlinePictures);
