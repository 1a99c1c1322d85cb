/** Documents with formulas of the old equation editor (Equation 3.0), through the command line and the real engines. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { zipMembers } from '../engines/disarm/contents.ts';
import { compoundFile } from '../engines/office-fixture.ts';
import { buildDocx } from '../fixtures/build-office.ts';
import { equation } from '../hostile/static/document-fixture.ts';
import { airlock } from '../local/console.ts';
import { emailWith } from '../pipeline/rig.ts';

const OD = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/';
/** A header, and the formula `x`. */
const FORMULA = Buffer.concat([Buffer.alloc(28), Buffer.from([3, 1, 1, 3, 0, 10, 1, 0, 2, 0x83, 0x78, 0, 0, 0])]);

const documentWith = (formula: Uint8Array) =>
  buildDocx({
    body: `<w:p><w:r><w:t>Our formula is</w:t></w:r><w:r><w:object><o:OLEObject xmlns:o="urn:schemas-microsoft-com:office:office" Type="Embed" ProgID="Equation.3" r:id="rId7" xmlns:r="${OD.slice(0, -1)}"/></w:object></w:r></w:p>`,
    parts: [
      {
        name: 'word/embeddings/oleObject1.bin',
        content: compoundFile({ 'Equation Native': formula }),
        contentType: 'application/vnd.openxmlformats-officedocument.oleObject',
      },
    ],
    links: [{ id: 'rId7', type: `${OD}oleObject`, target: 'embeddings/oleObject1.bin' }],
  });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airlock-equations-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function scanned(name: string, formula: Uint8Array) {
  const path = join(folder, `${name}.eml`);
  await writeFile(path, emailWith({ text: 'see it', files: [{ name: 'a.docx', bytes: await documentWith(formula) }] }));
  const { stdout } = await airlock(['scan', '--json', '--out', join(folder, name), path]);
  return JSON.parse(stdout);
}

test.each([
  ['an ordinary', FORMULA],
  ['a crafted', equation],
])('%s formula goes out of a Word document, which stays', async (name, formula) => {
  const { state, written } = await scanned(name, formula);
  expect(state).toBe('delivered');
  const [file = ''] = (written.files as string[]).filter((path) => path.endsWith('.docx'));
  const members = zipMembers(await readFile(file));
  expect([...members.keys()].filter((name) => name.includes('embeddings'))).toEqual([]);
  expect(members.get('word/document.xml')?.toString()).toContain('Our formula is');
});
