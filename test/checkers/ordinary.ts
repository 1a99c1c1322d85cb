/** Ordinary documents: written in code, and by LibreOffice itself in every format that it knows. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildDocx } from '../fixtures/build-office.ts';
import { buildPdf } from '../fixtures/build-pdf.ts';
import { buildWorkbook } from '../fixtures/build-workbook.ts';
import { pack } from '../hostile/disarm/office-draft.ts';
import { convertFiles, type NamedFile } from './office-opener.ts';

export interface OrdinaryFile extends NamedFile {
  readonly format: string;
}

const WORDS =
  'the invoice for January lists twelve hours of consulting and one journey to the customer whose order is confirmed below'.split(
    ' ',
  );
const sentence = (seed: number): string =>
  Array.from({ length: 24 }, (_, index) => WORDS[(seed * 7 + index * 5) % WORDS.length] ?? '').join(' ');
const DOCUMENTS = 2;

async function written(): Promise<readonly NamedFile[]> {
  const files: NamedFile[] = [];
  for (let seed = 0; seed < DOCUMENTS; seed++) {
    const paragraphs = Array.from(
      { length: 30 + seed * 40 },
      (_, index) => `<w:p><w:r><w:t>${sentence(seed + index)} ${index}</w:t></w:r></w:p>`,
    );
    files.push({ name: `letter${seed}.docx`, bytes: await buildDocx({ body: paragraphs.join('') }) });
    const cells = Array.from(
      { length: 12 },
      (_, index) =>
        `<c r="${String.fromCharCode(65 + index)}1" t="inlineStr"><is><t>${sentence(seed + index).slice(0, 40)}</t></is></c>`,
    );
    files.push({
      name: `table${seed}.xlsx`,
      bytes: await buildWorkbook({ cells: `${cells.join('')}<c r="M1"><f>SUM(1,${seed})</f><v>${1 + seed}</v></c>` }),
    });
    const shape = `<p:sp><p:nvSpPr><p:cNvPr id="9" name="b"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm><a:off x="500000" y="2000000"/><a:ext cx="8000000" cy="2000000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr><p:txBody><a:bodyPr/><a:p><a:r><a:t>${sentence(seed)}</a:t></a:r></a:p></p:txBody></p:sp>`;
    files.push({ name: `slides${seed}.pptx`, bytes: pack('pptx', { body: shape }) });
  }
  return files;
}

/** What LibreOffice makes of each. */
const OTHER_FORMATS = {
  docx: ['docx', 'odt', 'doc', 'rtf', 'pdf'],
  xlsx: ['xlsx', 'ods', 'xls', 'pdf'],
  pptx: ['pptx', 'odp', 'ppt', 'pdf'],
} as const;

/** Harmless documents in all formats. Those that only LibreOffice can write are missing where `hasOffice` is false. */
export async function ordinaryFiles(hasOffice: boolean): Promise<readonly OrdinaryFile[]> {
  const sources = await written();
  const found: OrdinaryFile[] = sources.map((file) => ({ ...file, format: file.name.split('.').at(-1) ?? '' }));
  found.push({
    name: 'page.pdf',
    bytes: buildPdf({ text: sentence(1), links: ['https://www.sender.example/a'] }),
    format: 'pdf',
  });
  found.push(...sampleFiles());
  if (!hasOffice) return found;
  for (const [from, formats] of Object.entries(OTHER_FORMATS)) {
    const ours = sources.filter(({ name }) => name.endsWith(from));
    for (const format of formats) {
      for (const [name, bytes] of await convertFiles(ours, format))
        found.push({ name: `office-${name}.${format}`, bytes, format });
    }
  }
  return found;
}

/** The harmless ones of the sample folder, where it is there. */
function sampleFiles(): OrdinaryFile[] {
  const folder = join(process.env.AIRLOCK_CASES ?? '../shared/data', 'disarm');
  const manifest = join(folder, 'manifest.json');
  if (!existsSync(manifest)) return [];
  const { samples } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    samples: readonly { file: string; type: string; expect: string }[];
  };
  return samples
    .filter(({ type, expect }) => expect === 'clean' && /^(?:docx|xlsx|pptx|odt|ods|rtf|doc|xls|ppt|pdf)$/.test(type))
    .map(({ file, type }) => ({
      name: file,
      bytes: new Uint8Array(readFileSync(join(folder, 'files', file))),
      format: type,
    }));
}
