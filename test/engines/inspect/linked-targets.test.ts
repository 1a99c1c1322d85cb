/** The second look lets only links name a target of elsewhere. A picture, a part or a sound that names one is refused, whatever its type. */
import { expect, test } from 'vitest';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';
import { inspectOutput } from '../../../lib/engines/inspect/inspect.ts';
import { detectType } from '../../../lib/formats/detection/detect.ts';
import { describeType, type FileType, secondLookOf } from '../../../lib/formats/file-types.ts';
import { wordDocument } from '../office-fixture.ts';

const DOCX: FileType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

async function found(body: string, id = 'r0', more: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const made = wordDocument({
    body,
    relationships: [],
    parts: {
      'word/_rels/document.xml.rels': `<Relationships><Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink" Target="https://load.example/a.png" TargetMode="External"/></Relationships>`,
      ...more,
    },
  });
  const file = { bytes: made, type: describeType(DOCX) };
  const { leftovers } = await inspectOutput(file, file, DEFAULT_ENGINE_LIMITS, { detectType, secondLookOf });
  return leftovers.map(({ id: fact }) => fact);
}

test.each([
  ['a text', '<w:hyperlink r:id="r0"><w:r><w:t>a</w:t></w:r></w:hyperlink>', 'r0'],
  ['a picture', '<a:blip r:embed="r1"/><a:hlinkClick r:id="r0"/><a:hlinkHover r:id="r0"/>', 'r0'],
  [
    'two texts, beside other things with numbers',
    '<w:hyperlink r:id="5"/><w:bookmark w:id="5"/><w:hyperlink r:id="5"/>',
    '5',
  ],
  ['a text, as a name without a prefix', '<w:hyperlink id="r0"/>', 'r0'],
  ['nothing', '<w:p w:id="r"/>', 'r0'],
])('is named by a link of %s', async (_, body, id) => {
  expect(await found(body, id)).not.toContain('office-loaded-target');
});

test.each([
  ['a picture', '<a:blip r:embed="r0"/>', 'r0'],
  ['a picture, with its letters as numbers', '<a:blip r:embed="&#114;0"/>', 'r0'],
  ['a picture under another prefix', "<q:blip q:EMBED = 'r0'/>", 'r0'],
  ['a drawing beside a picture', '<a:blip r:embed="r1"><asvg:svgBlip r:embed="r0"/></a:blip>', 'r0'],
  ['a picture of VML', '<v:imagedata r:id="r0"/>', 'r0'],
  ['a picture of VML by a number', '<v:imagedata r:id="5"/>', '5'],
  ['an area of VML', '<v:fill o:relid="r0"/>', 'r0'],
  ['a line of VML', '<v:stroke r:id="r0"/>', 'r0'],
  ['a chart', '<c:chart r:id="r0"/>', 'r0'],
  ['a diagram', '<dgm:relIds r:dm="r0" r:lo="r0"/>', 'r0'],
  ['a header', '<w:headerReference r:id="r0"/>', 'r0'],
  ['the sound of a link', '<a:hlinkClick r:id="r0"><a:snd r:embed="r0"/></a:hlinkClick>', 'r0'],
  ['a sheet background', '<picture r:id="r0"/>', 'r0'],
  ['a picture beside a link', '<w:hyperlink r:id="r0"/><w:headerReference r:id="r0"/>', 'r0'],
  ['a picture by a number', '<a:blip r:embed="5"/>', '5'],
])('is refused as named by %s', async (_, body, id) => {
  expect(await found(body, id)).toContain('office-loaded-target');
});

test('is looked for in the part that lists it, in any case of its name', async () => {
  const header = { 'word/Header1.xml': '<w:hdr xmlns:w="w"><v:imagedata r:id="h"/></w:hdr>' };
  const list = (name: string) => ({
    [`word/_rels/${name}.rels`]:
      '<Relationships><Relationship Id="h" Type="x/hyperlink" Target="https://load.example/" TargetMode="EXTERNAL"/></Relationships>',
  });
  expect(await found('<w:p/>', 'r0', { ...header, ...list('header1.xml') })).toContain('office-loaded-target');
  expect(await found('<w:p/>', 'r0', { ...header, ...list('footer1.xml') })).not.toContain('office-loaded-target');
});
