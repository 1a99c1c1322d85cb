/** References by row and column become those of xlsx, and nothing else of a formula changes. */
import { describe, expect, test } from 'vitest';
import { formulaInA1 } from '../../../lib/engines/disarm/workbook/r1c1.ts';

const STANDING = { row: 4, column: 2 };

describe('a formula of the cell C5', () => {
  test.each([
    ['=SUM(R[-3]C:R[-1]C)', 'SUM(C2:C4)'],
    ['=RC[-2]*RC[-1]', 'A5*B5'],
    ['=R1C1+R2C[1]+R[1]C3', '$A$1+D$2+$C6'],
    ['=RC', 'C5'],
    ['=SUM(C)', 'SUM(C:C)'],
    ['=SUM(C[-1]:C[1])', 'SUM(B:D)'],
    ['=SUM(C1,R2,R)', 'SUM($A:$A,$2:$2,5:5)'],
    ['=SUM(R1:R[2])', 'SUM($1:7)'],
    ['=IF(RC[-1]="R1C1",ROUND(RC[-1],2),COUNT(C))', 'IF(B5="R1C1",ROUND(B5,2),COUNT(C:C))'],
    ["='R1C1 of ''05'!R1C1&Sheet2!RC", "'R1C1 of ''05'!$A$1&Sheet2!C5"],
    ['=Übersicht!R1C', 'Übersicht!C$1'],
    ['=IF(ISERROR(RC[-1]),#N/A,#DIV/0!)', 'IF(ISERROR(B5),#N/A,#DIV/0!)'],
    ['=AND(TRUE,RC[1]&gt;1.5E3)'.replace('&gt;', '>'), 'AND(TRUE,D5>1.5E3)'],
    ['={1,2;3,4}', '{1,2;3,4}'],
    ["='[b.xls]A'!R1C1", "'[b.xls]A'!$A$1"],
  ])('%s is %s', (formula, written) => {
    expect(formulaInA1(formula, STANDING)).toBe(written);
  });

  test.each([
    'RC[-1]',
    '=',
    `=${'1+'.repeat(5_000)}1`,
    '=R[-5]C',
    '=RC[-3]',
    '=R1048577C1',
    '=RC[99999]',
    '=Total*2',
    '=Rate+R1C1Total',
  ])('%s has no form there', (formula) => {
    expect(formulaInA1(formula, STANDING)).toBeNull();
  });
});
