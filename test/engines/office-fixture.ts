/** Small Office documents for tests: packages written part by part, compound files, and VBA projects with source in them. */
import { createRequire } from 'node:module';
import { zipOf } from './zip-fixture.ts';

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const WORD_MAIN = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';

export interface WordFixture {
  /** Inner XML of the body. */
  readonly body?: string;
  /** Relationships of the document: kind, target, external or not. */
  readonly relationships?: readonly (readonly [kind: string, target: string, external: boolean])[];
  readonly parts?: Readonly<Record<string, string | Uint8Array>>;
  readonly contentType?: string;
}

/** A Word document with only the given content. */
export function wordDocument({
  body = '<w:p/>',
  relationships = [],
  parts = {},
  contentType = WORD_MAIN,
}: WordFixture): Buffer {
  const rels = relationships.map(
    ([kind, target, external], index) =>
      `<Relationship Id="r${index}" Type="${OFFICE}/${kind}" Target="${target}"${external ? ' TargetMode="External"' : ''}/>`,
  );
  const extra = Object.fromEntries(Object.entries(parts).map(([name, content]) => [name, { content }]));
  return zipOf({
    '[Content_Types].xml': `<Types xmlns="x"><Override PartName="/word/document.xml" ContentType="${contentType}"/></Types>`,
    '_rels/.rels': `<Relationships><Relationship Id="r" Type="${OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/document.xml': `<w:document xmlns:w="w"><w:body>${body}</w:body></w:document>`,
    'word/_rels/document.xml.rels': `<Relationships>${rels.join('')}</Relationships>`,
    ...extra,
  });
}

/** A compound file of the given streams. */
export function compoundFile(streams: Readonly<Record<string, Uint8Array>>): Buffer {
  const { utils, write } = createRequire(import.meta.url)('cfb') as typeof import('cfb');
  const container = utils.cfb_new();
  for (const [path, content] of Object.entries(streams)) utils.cfb_add(container, `/${path}`, Buffer.from(content));
  return Buffer.from(write(container, { type: 'buffer' }) as Uint8Array);
}

/** A VBA project with one module, its source stored as literals ([MS-OVBA] 2.4.1). */
export function vbaProject(source: string): Buffer {
  return compoundFile({
    'VBA/Module1': vbaCompress(`Attribut${'e'} VB_Name = "Module1"\r\n${source}`),
    'VBA/_VBA_PROJECT': Buffer.alloc(8),
  });
}

/** Compresses text into one chunk of literals; at most 3,500 characters. */
export function vbaCompress(text: string): Buffer {
  const tokens: number[] = [];
  for (const [index, byte] of [...Buffer.from(text, 'latin1')].entries()) {
    if (index % 8 === 0) tokens.push(0);
    tokens.push(byte);
  }
  const header = Buffer.alloc(2);
  header.writeUInt16LE(0xb000 | (tokens.length - 1));
  return Buffer.concat([Buffer.from([1]), header, Buffer.from(tokens)]);
}
