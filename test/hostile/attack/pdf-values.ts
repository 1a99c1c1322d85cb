/** Values of a type that a key of a PDF does not have: strings in a matrix, dictionaries in a list of numbers (as in CVE-2024-4367). */
import { disarmFile } from '../../../lib/engines/disarm/disarm.ts';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';
import { ordinaryPdf } from '../../fixtures/ordinary-pdf.ts';
import { packedPdf, pdfStream, plainPdf } from '../../fixtures/pdf-file.ts';
import type { AttackClass, Attempt } from './attack-class.ts';

const MARK = 'airlockvalue';

/** Keys of numbers, the object that carries each, and what a value of it looks like in an output. */
const NUMBERS = String.raw`\[(?:\s*-?[\d.]+)*\s*\]`;
const KEYS: Readonly<Record<string, { readonly carrier: number; readonly good: string }>> = {
  MediaBox: { carrier: 3, good: NUMBERS },
  CropBox: { carrier: 2, good: NUMBERS },
  Rotate: { carrier: 2, good: String.raw`-?\d+` },
  UserUnit: { carrier: 3, good: String.raw`[\d.]+` },
  FontMatrix: { carrier: 4, good: NUMBERS },
  FontBBox: { carrier: 4, good: NUMBERS },
  Widths: { carrier: 4, good: NUMBERS },
  FirstChar: { carrier: 4, good: String.raw`\d+` },
  Matrix: { carrier: 6, good: NUMBERS },
  BBox: { carrier: 6, good: NUMBERS },
  Coords: { carrier: 7, good: NUMBERS },
  Domain: { carrier: 7, good: NUMBERS },
  C0: { carrier: 8, good: NUMBERS },
  Rect: { carrier: 9, good: NUMBERS },
  QuadPoints: { carrier: 9, good: NUMBERS },
  Border: { carrier: 9, good: String.raw`\[[\s\d.[\]-]*\]` },
  LW: { carrier: 10, good: String.raw`[\d.]+` },
  SMask: { carrier: 10, good: '/None' },
  CA: { carrier: 9, good: String.raw`[\d.]+` },
  Name: { carrier: 4, good: String.raw`/\w+` },
};

/** What stands there instead; `@` is another object, which holds the mark. */
const WRONG: Readonly<Record<string, string>> = {
  string: String.raw`(0\); ${MARK})`,
  'hex string': `<${Buffer.from(MARK).toString('hex')}>`,
  'string in a matrix': String.raw`[1 2 3 4 5 (0\); ${MARK})]`,
  'name in a list': `[1 2 3 /${MARK}]`,
  'list in a list': `[0 0 [9 (${MARK})] 9 9 9]`,
  dictionary: `<< /JS (${MARK}) /Title (${MARK}) >>`,
  'dictionary in a list': `[0 0 9 << /Title (${MARK}) >>]`,
  'reference in a list': '[1 2 3 4 5 @]',
};

/** Where the value stands: as it is, or behind one reference or two. */
const PLACES = ['direct', 'behind a reference', 'behind two references', 'in an object stream'] as const;

function bodies(key: string, value: string, place: (typeof PLACES)[number]): string[] {
  const text = value.replace('@', '14 0 R');
  const isDirect = place === 'direct' || place === 'in an object stream';
  const entry = `/${key} ${isDirect ? text : place === 'behind a reference' ? '13 0 R' : '12 0 R'}`;
  const at = (number: number, own: string) => (KEYS[key]?.carrier === number ? `${own} ${entry}` : own);
  const stream = (number: number, data: string, own: string) => pdfStream(data, `${at(number, own)} `);
  return [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< ${at(2, '/Type /Pages /Kids [3 0 R] /Count 1')} >>`,
    `<< ${at(3, '/Type /Page /Parent 2 0 R /Contents 5 0 R /Annots [9 0 R]')} /Resources << /Font << /F1 11 0 R /F2 4 0 R >> /XObject << /X 6 0 R >> /Shading << /S 7 0 R >> /ExtGState << /G 10 0 R >> >> >>`,
    `<< ${at(4, '/Type /Font /Subtype /Type3 /Encoding << /Differences [97 /a] >> /CharProcs << /a 5 0 R >> /LastChar 97')} >>`,
    pdfStream('BT /F1 12 Tf 20 100 Td (kept words) Tj ET'),
    stream(6, 'q Q', '/Type /XObject /Subtype /Form'),
    `<< ${at(7, '/ShadingType 2 /ColorSpace /DeviceRGB /Function 8 0 R')} >>`,
    `<< ${at(8, '/FunctionType 2 /N 1')} >>`,
    `<< ${at(9, '/Type /Annot /Subtype /Highlight')} >>`,
    `<< ${at(10, '/Type /ExtGState')} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    '13 0 R',
    text,
    `(${MARK})`,
  ];
}

/** What is left of the value, in words. The disarm writes every object of the output as text. */
function cameThrough(bytes: Uint8Array, key: string): string | null {
  const raw = Buffer.from(bytes).toString('latin1');
  const hidden = [MARK, Buffer.from(MARK).toString('hex')].find((form) => raw.toLowerCase().includes(form));
  if (hidden !== undefined) return `${hidden} is in the output`;
  const good = new RegExp(`^(?:${KEYS[key]?.good})(?=[\\s/>])`);
  for (const match of raw.matchAll(new RegExp(`/${key} `, 'g'))) {
    let value = raw.slice(match.index + match[0].length);
    const reference = /^(\d+) 0 R/.exec(value)?.[1];
    if (reference !== undefined) value = `${raw.split(`\n${reference} 0 obj\n`)[1] ?? ''} `;
    if (!good.test(value)) return `/${key} is ${value.slice(0, 40)}`;
  }
  return null;
}

async function disarmed(bytes: Uint8Array) {
  return await disarmFile({ bytes, untrustedName: 'a.pdf', password: null }, DEFAULT_ENGINE_LIMITS);
}

async function hostile(id: string, key: string, bytes: Uint8Array): Promise<Attempt> {
  const report = await disarmed(bytes);
  if (report.outcome !== 'failed') return { id, ended: report.outcome, won: cameThrough(report.bytes, key) };
  const { code, message } = report.failure;
  return { id, ended: code, won: code === 'engine_failed' || code === 'timeout' ? message : null };
}

async function ordinary(name: string, bytes: Uint8Array): Promise<Attempt> {
  const id = `ordinary ${name}`;
  const report = await disarmed(bytes);
  if (report.outcome === 'failed') return { id, ended: 'refused', won: `refused: ${report.failure.message}` };
  const { words, units, strategy } = report.quality;
  const isWhole = strategy === 'rebuild' && words?.kept === words?.before && units?.after === units?.before;
  return { id, ended: report.outcome, won: isWhole ? null : 'words or pages of it are lost' };
}

export const pdfValues: AttackClass = {
  name: 'pdf-values',
  title: 'a value of another type under a key of a PDF that is kept',
  async *attempts() {
    for (const key of Object.keys(KEYS))
      for (const [wrong, value] of Object.entries(WRONG))
        for (const place of PLACES) {
          const objects = bodies(key, value, place);
          const bytes = place === 'in an object stream' ? packedPdf(objects) : plainPdf(objects);
          yield await hostile(`${key}: ${wrong} ${place}`, key, bytes);
        }
    for (const { name, bytes } of await ordinaryPdf()) yield await ordinary(name, bytes);
  },
};
