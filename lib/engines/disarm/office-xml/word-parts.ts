/** The parts of a Word document that is being built: its relationships, the stories beside the text, and pictures. */
import { gunzipSync } from 'node:zlib';
import { signedType } from '../../../formats/signatures.ts';
import type { EngineLimits } from '../../engine.ts';
import { type Relationship, serializeRelationships } from '../office/package/relationships.ts';
import { writeXml, type XmlElement, type XmlNode } from '../xml/tree.ts';
import type { PackagePart } from './parts-container.ts';

const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const MAIN = 'application/vnd.openxmlformats-officedocument.wordprocessingml.';
const RELATIONSHIPS = 'application/vnd.openxmlformats-package.relationships+xml';
const SPACES = {
  'xmlns:w': WORD,
  'xmlns:r': OFFICE,
  'xmlns:v': 'urn:schemas-microsoft-com:vml',
  'xmlns:o': 'urn:schemas-microsoft-com:office:office',
  'xmlns:w10': 'urn:schemas-microsoft-com:office:word',
};
/** Content types and extensions of pictures, by the type that their first bytes say. */
const PICTURES: ReadonlyMap<string, readonly [contentType: string, extension: string]> = new Map([
  ['image/png', ['image/png', 'png']],
  ['image/jpeg', ['image/jpeg', 'jpeg']],
  ['image/gif', ['image/gif', 'gif']],
  ['image/bmp', ['image/bmp', 'bmp']],
  ['image/tiff', ['image/tiff', 'tiff']],
  ['image/emf', ['image/x-emf', 'emf']],
  ['image/wmf', ['image/x-wmf', 'wmf']],
]);
const GZIP = 0x1f;

export const element = (
  key: string,
  attributes: Readonly<Record<string, string>> = {},
  children: readonly XmlNode[] = [],
): XmlElement => ({
  key,
  untrustedName: key,
  attributes: new Map(Object.entries(attributes)),
  children,
});

/** One story with its own relationships: the text, a header, the notes. */
export class Story {
  private readonly relationships: Relationship[] = [];

  constructor(
    readonly name: string,
    readonly type: string,
  ) {}

  /** Returns the identifier of a new relationship. */
  refer(type: string, target: string, external = false): string {
    const known = this.relationships.find((each) => each.target === target && each.type === `${OFFICE}/${type}`);
    if (known !== undefined) return known.id;
    const id = `rId${this.relationships.length + 1}`;
    this.relationships.push({ id, type: `${OFFICE}/${type}`, target, external });
    return id;
  }

  parts(root: XmlElement): PackagePart[] {
    const list = serializeRelationships(this.relationships);
    return [
      { name: `word/${this.name}.xml`, contentType: `${MAIN}${this.type}+xml`, bytes: writeXml(root, SPACES) },
      ...(this.relationships.length === 0
        ? []
        : [{ name: `word/_rels/${this.name}.xml.rels`, contentType: RELATIONSHIPS, bytes: list }]),
    ];
  }
}

/** Returns the relationships of the package itself. */
export const rootPart = (): PackagePart => ({
  name: '_rels/.rels',
  contentType: RELATIONSHIPS,
  bytes: serializeRelationships([
    { id: 'rId1', type: `${OFFICE}/officeDocument`, target: '/word/document.xml', external: false },
  ]),
});

/** The pictures of a document, which it names by its own addresses (`wordml://01000001.png`). */
export class Pictures {
  readonly parts: PackagePart[] = [];
  private readonly targets = new Map<string, string>();

  constructor(private readonly limits: EngineLimits) {}

  /** Takes a file in base64. Returns false when it is no picture. */
  take(untrustedName: string, base64: string): boolean {
    if (this.targets.has(untrustedName)) return true;
    const bytes = contentOf(Buffer.from(base64, 'base64'), this.limits);
    const [contentType, extension] = (bytes === null ? undefined : PICTURES.get(pictureType(bytes))) ?? [];
    if (bytes === null || contentType === undefined) return false;
    const name = `word/media/image${this.parts.length + 1}.${extension}`;
    this.parts.push({ name, contentType, bytes });
    this.targets.set(untrustedName, `/${name}`);
    return true;
  }

  /** Returns the place of the picture with an address; null when the document does not have it. */
  targetOf(untrustedName: string): string | null {
    return this.targets.get(untrustedName) ?? null;
  }
}

/** Recognises metafiles. They begin with a record and not with a signature ([MS-EMF] 2.3.4.2, [MS-WMF] 2.3.2). */
function pictureType(bytes: Buffer): string {
  if (bytes.length > 44 && bytes.readUInt32LE(0) === 1 && bytes.toString('latin1', 40, 44) === ' EMF')
    return 'image/emf';
  const start = bytes.toString('hex', 0, 4);
  return /^(?:d7cdc69a|0[12]000900)$/.test(start) ? 'image/wmf' : (signedType(bytes) ?? '');
}

/** Unpacks the pictures of Windows that Word packs (.emz, .wmz). Returns null for one that is damaged, or endless. */
function contentOf(bytes: Buffer, { inflatedBytes }: EngineLimits): Buffer | null {
  if (bytes[0] !== GZIP) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: inflatedBytes });
  } catch {
    // It is left out, and the report says so.
    return null;
  }
}
