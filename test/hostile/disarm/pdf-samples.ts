/** PDF samples: every key, action, annotation and stream, written in several ways. */
import { deflateSync } from 'node:zlib';
import { type Draft, type Generator, KEEP, LIVE, LIVE_URL } from './sample.ts';

interface PdfDraft {
  readonly catalog?: string;
  readonly page?: string;
  /** Dictionaries of annotations. */
  readonly annotations?: readonly string[];
  /** Further objects; the first is number 6. */
  readonly objects?: readonly string[];
  readonly info?: string;
  readonly prepended?: string;
  readonly appended?: string;
}

const FIRST = 6;

function objectsOf(draft: PdfDraft): string[] {
  const text = `BT /F1 18 Tf 72 700 Td (${KEEP} invoice) Tj ET`;
  const further = draft.objects ?? [];
  const annotations = (draft.annotations ?? []).map((_, index) => `${FIRST + further.length + index} 0 R`);
  return [
    `<< /Type /Catalog /Pages 2 0 R ${draft.catalog ?? ''} >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R ${annotations.length > 0 ? `/Annots [${annotations.join(' ')}]` : ''} ${draft.page ?? ''} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    ...further,
    ...(draft.annotations ?? []),
  ];
}

function trailerOf(draft: PdfDraft, size: number): string {
  return `/Size ${size} /Root 1 0 R${draft.info === undefined ? '' : ` /Info ${draft.info}`}`;
}

function plain(draft: PdfDraft, change: (object: string) => string = (object) => object, isBroken = false): Uint8Array {
  let out = `${draft.prepended ?? ''}%PDF-1.7\n`;
  const objects = objectsOf(draft);
  const offsets = objects.map((object, index) => {
    const offset = out.length;
    out += `${index + 1} 0 obj\n${change(object)}\nendobj\n`;
    return offset;
  });
  const table = isBroken ? 7 : out.length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`);
  out += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows.join('')}trailer\n<< ${trailerOf(draft, objects.length + 1)} >>\nstartxref\n${table}\n%%EOF\n${draft.appended ?? ''}`;
  return Buffer.from(out, 'latin1');
}

/** Writes all objects but streams into one compressed object, found through a compressed table. */
function compressed(draft: PdfDraft): Uint8Array {
  const objects = objectsOf(draft);
  const isPacked = objects.map((object) => !object.includes('stream\n'));
  const packed = objects.flatMap((object, index) => (isPacked[index] === true ? [[index + 1, object] as const] : []));
  let at = 0;
  const heads = packed.map(([number, object]) => {
    const head = `${number} ${at}`;
    at += object.length + 1;
    return head;
  });
  const head = `${heads.join(' ')} `;
  const body = deflateSync(Buffer.from(head + packed.map(([, object]) => object).join('\n'), 'latin1')).toString(
    'latin1',
  );
  const holder = objects.length + 1;
  let out = `${draft.prepended ?? ''}%PDF-1.7\n`;
  const places = new Map<number, number>();
  const add = (number: number, object: string): void => {
    places.set(number, out.length);
    out += `${number} 0 obj\n${object}\nendobj\n`;
  };
  for (const [index, object] of objects.entries()) if (isPacked[index] !== true) add(index + 1, object);
  add(
    holder,
    `<< /Type /ObjStm /N ${packed.length} /First ${head.length} /Filter /FlateDecode /Length ${body.length} >>\nstream\n${body}\nendstream`,
  );
  const rows = [Buffer.from([0, 0, 0, 0, 0, 255, 255])];
  for (let number = 1; number <= holder + 1; number++) {
    const inside = packed.findIndex(([other]) => other === number);
    const row = Buffer.alloc(7);
    row[0] = inside >= 0 ? 2 : 1;
    row.writeUInt32BE(inside >= 0 ? holder : (places.get(number) ?? out.length), 1);
    row.writeUInt16BE(Math.max(0, inside), 5);
    rows.push(row);
  }
  const table = deflateSync(Buffer.concat(rows)).toString('latin1');
  const start = out.length;
  out += `${holder + 1} 0 obj\n<< /Type /XRef /W [1 4 2] ${trailerOf(draft, holder + 2)} /Filter /FlateDecode /Length ${table.length} >>\nstream\n${table}\nendstream\nendobj\nstartxref\n${start}\n%%EOF\n${draft.appended ?? ''}`;
  return Buffer.from(out, 'latin1');
}

/** Writes every second letter of a name as its number, which readers decode. */
function escapeNames(object: string): string {
  const end = object.indexOf('stream\n');
  const dictionary = end < 0 ? object : object.slice(0, end);
  const escaped = dictionary.replace(
    /\/([A-Za-z0-9]+)/g,
    (_, name: string) =>
      `/${[...name].map((letter, at) => (at % 2 === 0 ? `#${letter.charCodeAt(0).toString(16)}` : letter)).join('')}`,
  );
  return escaped + (end < 0 ? '' : object.slice(end));
}

/** Strings in hexadecimal. */
const hexStrings = (object: string): string =>
  object.includes('stream\n')
    ? object
    : object.replace(/\(([^()\\]*)\)/g, (_, value: string) => `<${Buffer.from(value, 'latin1').toString('hex')}>`);

function waysOf(draft: PdfDraft): Draft[] {
  return [
    { encoding: 'plain', content: plain(draft) },
    { encoding: 'escaped names', content: plain(draft, escapeNames) },
    { encoding: 'hexadecimal strings', content: plain(draft, hexStrings) },
    { encoding: 'object streams', content: compressed(draft) },
    { encoding: 'broken table', content: plain(draft, undefined, true) },
  ];
}

const script = `<< /S /JavaScript /JS (${LIVE}) >>`;
const file = `<< /Type /Filespec /F (${LIVE}.exe) /EF << /F 6 0 R >> >>`;
const stream = (data: string, entries = ''): string =>
  `<< /Length ${data.length} ${entries}>>\nstream\n${data}\nendstream`;
const attached = stream(LIVE, '/Type /EmbeddedFile ');

const VALUES: Readonly<Record<string, string>> = {
  OpenAction: script,
  AA: `<< /O ${script} /WC ${script} >>`,
  JS: `(${LIVE})`,
  JavaScript: `(${LIVE})`,
  EF: '<< /F 6 0 R >>',
  RF: '<< /F [(a) 6 0 R] >>',
  AF: `[${file}]`,
  Collection: `<< /View /D /D (${LIVE}) >>`,
  NeedsRendering: 'true',
  'URI/Base': `(${LIVE_URL})`,
  LastModified: `(${LIVE})`,
};

function keyDraft(line: string): PdfDraft {
  const [outer = line, inner] = line.split('/');
  const value = VALUES[line] ?? `<< /S /JavaScript /JS (${LIVE}) /F 6 0 R /N [(${LIVE}) 6 0 R] >>`;
  const entry =
    inner === undefined
      ? `/${line} ${value}`
      : outer === 'Names'
        ? `/Names << /${inner} << /Names [(${LIVE}) ${inner === 'JavaScript' ? script : file}] >> >>`
        : `/${outer} << /${inner} ${value} >>`;
  const form = line === 'XFA' || line === 'JS' ? `/AcroForm << /Fields [] ${entry} >>` : '';
  const annotation = `<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /Rect [0 0 9 9] ${entry} >>`;
  return {
    catalog: form === '' ? entry : form,
    page: /^\/(?:Names|URI)/.test(entry) ? '' : entry,
    annotations: [annotation],
    objects: [attached],
  };
}

const ACTIONS: Readonly<Record<string, string>> = {
  JavaScript: script,
  Launch: `<< /S /Launch /F (${LIVE}.exe) /Win << /F (${LIVE}) >> >>`,
  GoToR: `<< /S /GoToR /F (\\\\\\\\${LIVE}\\\\x) /D [0 /Fit] >>`,
  GoToE: `<< /S /GoToE /F (${LIVE}) /T << /R /C /N (${LIVE}) >> >>`,
  SubmitForm: `<< /S /SubmitForm /F (${LIVE_URL}) >>`,
  ImportData: `<< /S /ImportData /F (${LIVE}) >>`,
  Rendition: `<< /S /Rendition /JS (${LIVE}) /OP 0 >>`,
  Next: `<< /S /GoTo /D [3 0 R /Fit] /Next ${script} >>`,
  Unknown: `<< /S /Unknown /JS (${LIVE}) >>`,
};

function actionDraft(line: string): PdfDraft {
  const action = ACTIONS[line] ?? `<< /S /${line} /F (${LIVE}) /T (${LIVE}) >>`;
  const outline = '<< /Type /Outlines /First 7 0 R /Last 7 0 R /Count 1 >>';
  return {
    catalog: `/OpenAction ${action} /Outlines 6 0 R`,
    page: `/AA << /O ${action} >>`,
    annotations: [
      `<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A ${action} /PA ${action} >>`,
      `<< /Type /Annot /Subtype /Widget /FT /Btn /T (b) /Rect [0 0 9 9] /AA << /D ${action} >> >>`,
    ],
    objects: [outline, `<< /Title (${KEEP} outline) /Parent 6 0 R /A ${action} >>`],
  };
}

function annotationDraft(line: string): PdfDraft {
  const content = `/FS ${file} /Contents (${LIVE}) /RichMediaContent << /Assets << /Names [(${LIVE}) ${file}] >> >> /Movie << /F (${LIVE}) >> /Sound 6 0 R /3DD 6 0 R /A ${script}`;
  return { annotations: [`<< /Type /Annot /Subtype /${line} /Rect [0 0 99 99] ${content} >>`], objects: [attached] };
}

const STREAMS: Readonly<Record<string, () => PdfDraft>> = {
  'external-file': () => ({
    page: '/Resources << /Font << /F1 4 0 R >> /XObject << /X 6 0 R >> >>',
    objects: [
      stream(
        'x',
        `/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /F (${LIVE_URL}) `,
      ),
    ],
  }),
  'external-filter': () => ({
    page: '/XObject << /X 6 0 R >>',
    objects: [stream('x', `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /F (${LIVE}) /FFilter /FlateDecode `)],
  }),
  'unknown-filter': () => ({
    page: '/Group << /S /Transparency /CS 6 0 R >>',
    objects: [stream(LIVE, '/Filter /Nothing ')],
  }),
  unreachable: () => ({ objects: [script, stream(LIVE)] }),
  superseded: () => ({
    appended: `1 0 obj\n<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (${LIVE}) >> >>\nendobj\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\nxref\n0 0\ntrailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n0\n%%EOF\n`,
  }),
  'file-under-unknown-key': () => ({
    annotations: ['<< /Type /Annot /Subtype /Text /Rect [0 0 9 9] /Anything 7 0 R /More [7 0 R] >>'],
    objects: [attached, `<< /F (${LIVE}.exe) /EF << /F 6 0 R >> >>`],
  }),
  'stream-under-unknown-key': () => ({
    page: '/Resources << /Font << /F1 4 0 R >> /ExtGState << /G << /ca 1 /Payload 6 0 R >> >> >>',
    objects: [stream(`MZ${LIVE}`)],
  }),
  'remote-file-of-annotation': () => ({
    annotations: [`<< /Type /Annot /Subtype /Text /Rect [0 0 9 9] /FS << /FS /URL /F (${LIVE_URL}) >> >>`],
  }),
  'signature-server': () => ({
    annotations: [
      `<< /Type /Annot /Subtype /Widget /FT /Sig /T (s) /Rect [0 0 9 9] /SV << /Cert << /URL (${LIVE_URL}) >> >> >>`,
    ],
  }),
  'script-as-destination': () => ({ catalog: `/OpenAction [3 0 R /Fit ${script} (${LIVE})]` }),
  'picture-comment': () => ({
    page: '/Resources << /Font << /F1 4 0 R >> /XObject << /X 6 0 R >> >>',
    objects: [
      stream(
        `\xff\xd8\xff\xfe\0\x0d${LIVE}\xff\xda\0\x03\0\x12\x34\xff\xd9<script>${LIVE}</script>`,
        '/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /DCTDecode ',
      ),
    ],
  }),
  'figure-properties': () => ({
    page: '/Resources << /Font << /F1 4 0 R >> /XObject << /X 6 0 R >> >>',
    objects: [
      stream('q Q', '/Subtype /Form /BBox [0 0 9 9] /PTEX.FileName (/home/airlocklive/a.pdf) /PTEX.InfoDict 7 0 R '),
      `<< /Author (${LIVE}) /Creator (${LIVE}) >>`,
    ],
  }),
  'before-header': () => ({ prepended: `<script>${LIVE}</script>\n` }),
  'after-end': () => ({ appended: `<script>${LIVE}</script>\nPK\x03\x04` }),
};

const onlyPdf =
  (draftOf: (line: string) => PdfDraft): Generator =>
  (line, format) =>
    format === 'pdf' ? waysOf(draftOf(line)) : [];

/** A link to an address, for the samples of schemes. */
export const pdfLink = (address: string): Uint8Array =>
  plain({
    annotations: [
      `<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI (${address.replace(/[\\()]/g, '\\$&')}) >> >>`,
    ],
    catalog: `/OpenAction << /S /URI /URI (${address.replace(/[\\()]/g, '\\$&')}) >>`,
  });

export const pdfSamples: Readonly<Record<string, Generator>> = {
  'pdf/key': onlyPdf(keyDraft),
  'pdf/action': onlyPdf(actionDraft),
  'pdf/annotation': onlyPdf(annotationDraft),
  'pdf/stream': onlyPdf((line) => STREAMS[line]?.() ?? {}),
  people: onlyPdf((line) => ({
    info: '6 0 R',
    objects: [`<< /${line === 'author' ? 'Author' : 'Company'} (${LIVE}) /Creator (${LIVE}) >>`],
  })),
  'frame/appended': onlyPdf((line) => ({
    appended: line === 'zip' ? `PK\x03\x04${LIVE}` : `<script>${LIVE}</script>`,
  })),
};
