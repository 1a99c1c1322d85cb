/** Boxes and buttons of forms in workbooks, as Excel 2010 and later write them, and controls that bring code. */
import { expect, test } from 'vitest';
import { relationships } from '../../fixtures/build-office.ts';
import { zipOf } from '../zip-fixture.ts';
import { verdictOn } from './analyse.ts';

const OD = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

function form(
  links: readonly (readonly [id: string, kind: string])[],
  control = 'r:id="rId3"',
  from = 'sheet1',
): Buffer {
  return zipOf({
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>',
    'xl/workbook.xml': '<workbook/>',
    'xl/worksheets/sheet1.xml': `<worksheet><controls><control shapeId="1001" ${control} name="Check Box 1"><controlPr defaultSize="0"/></control></controls></worksheet>`,
    [`xl/worksheets/_rels/${from}.xml.rels`]: relationships(
      links.map(([id, kind]) => ({ id, type: `${OD}/${kind}`, target: '../ctrlProps/ctrlProp1.xml' })),
    ),
    'xl/ctrlProps/ctrlProp1.xml': '<formControlPr objectType="CheckBox" fmlaLink="$A$1"/>',
  });
}

test('a check box of a form is no ActiveX control', async () => {
  expect(await verdictOn(form([['rId3', 'ctrlProp']]), 'form.xlsx')).not.toContain('office-activex');
});

test.each([
  ['another kind of part', form([['rId3', 'control']])],
  ['a part of another id', form([['rId4', 'ctrlProp']])],
  ['a part that only another sheet has', form([['rId3', 'ctrlProp']], undefined, 'sheet2')],
  [
    'both kinds under one id',
    form([
      ['rId3', 'ctrlProp'],
      ['rId3', 'control'],
    ]),
  ],
  ['one part of a form and one of another kind', form([['rId3', 'ctrlProp']], 'r:id="rId3"/><control r:id="rId5"')],
  ['an id without a value that can be read', form([['rId3', 'ctrlProp']], 'r:id=rId3')],
])('a control with %s is still one', async (_, bytes) => {
  expect(await verdictOn(bytes, 'form.xlsx')).toContain('office-activex');
});
