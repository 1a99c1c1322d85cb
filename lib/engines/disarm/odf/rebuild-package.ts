/** Rebuilds an OpenDocument package: its four XML parts are filtered, the pictures they show are encoded anew, and nothing else is kept. */
import { crc32 } from 'node:zlib';
import { EngineError, type EngineLimits, type FileInput } from '../../engine.ts';
import type { Nested } from '../disarm-module.ts';
import { noteLayout, openContainer, type PackageContainer } from '../office/package/container.ts';
import { type PackedPart, packPart, writeZip } from '../office/package/zip-write.ts';
import type { RemovalLog } from '../removals.ts';
import { checkMethod, odfDecryptor } from './encryption.ts';
import { OdfFilter } from './filter.ts';
import { readManifest, type UntrustedEncryption, writeManifest } from './manifest.ts';
import { packagePictures, writeInlinePictures } from './pictures.ts';
import { readOdfXml } from './xml.ts';

/** The XML parts of an output, in their order, with the root element that each must have. */
const PARTS: readonly (readonly [name: string, root: string])[] = [
  ['content.xml', 'office:document-content'],
  ['styles.xml', 'office:document-styles'],
  ['settings.xml', 'office:document-settings'],
  ['meta.xml', 'office:document-meta'],
];

/** Parts without content of the document. A document is not refused because one of them is damaged. */
const ASIDE: ReadonlySet<string> = new Set(['settings.xml', 'meta.xml']);

/** The kinds under which left-out entries are reported; null for entries that are not reported. The first match counts. */
const LEFT_OUT: readonly (readonly [RegExp, string | null])[] = [
  [/^(?:mimetype|META-INF\/manifest\.xml|manifest\.rdf|layout-cache)$/i, null],
  [/^META-INF\/.*signatures?\.xml$/i, 'digital signature'],
  [/^(?:Basic|Scripts|Dialogs)\//i, 'macro'],
  [/^ObjectReplacements\//i, null],
  [/^Object[^/]*(?:\/|$)/i, 'embedded object'],
  [/^Configurations\d*\//i, 'custom user interface'],
  [/^Thumbnails\//i, 'thumbnail'],
  [/^Fonts\//i, 'embedded font'],
  [/^(?:database|forms|reports)\//i, 'data connection'],
  [/^Versions?(?:\/|List\.xml$)/i, 'older version'],
  [/^(?:Pictures|media)\//i, 'picture that nothing shows'],
];

export interface OdfWork {
  readonly input: FileInput;
  readonly limits: EngineLimits;
  readonly nested: Nested;
  readonly log: RemovalLog;
  readonly mimetype: string;
  readonly keepMetadata: boolean;
}

/** Returns the bytes of the rebuilt package. Throws EngineError `unreadable`, `unsupported`, `encrypted`, `oversize`. */
export async function rebuildPackage(work: OdfWork): Promise<Uint8Array> {
  const container = await openContainer(work.input.bytes, work.limits);
  noteLayout(container, work.log);
  const read = await partReader(container, work);
  const pictures = await packagePictures(container, read, work);
  const parts = new Map<string, Uint8Array>();
  const types = new Map<string, string>();
  let version: string | null = null;
  for (const [name, root] of PARTS) {
    const bytes = await read(name);
    if (bytes === null) continue;
    refuseFirstFormat(bytes);
    const { log, keepMetadata } = work;
    const filter = new OdfFilter({ log, part: name, keepMetadata, picture: pictures.use, mimetype: null }, root);
    try {
      readOdfXml(bytes, work.limits, filter);
    } catch (error) {
      if (!ASIDE.has(name) || !(error instanceof EngineError) || error.code !== 'unreadable') throw error;
      log.note('damaged part', name);
      continue;
    }
    await writeInlinePictures(filter.inline, work, name);
    version ??= filter.version;
    parts.set(name, filter.finish());
    types.set(name, 'text/xml');
  }
  // A template may consist only of its styles.
  if (!parts.has('content.xml') && !parts.has('styles.xml'))
    throw new EngineError('unreadable', 'the document has no content');
  for (const { name, bytes, type } of pictures.used()) {
    parts.set(name, bytes);
    types.set(name, type);
  }
  noteLeftOut(container, pictures.names(), work.log);
  return writePackage(work.mimetype, parts, writeManifest(work.mimetype, version, types));
}

/** The name space of the format before OpenDocument (.sxw, .sxc, .sxi). Its styles and lists are marked up in another way. */
const FIRST_FORMAT = /<office:document-[^<>]*["']http:\/\/openoffice\.org\/2000\/office["']/;

function refuseFirstFormat(bytes: Uint8Array): void {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 4_096)).toString('latin1');
  if (!FIRST_FORMAT.test(head)) return;
  throw new EngineError(
    'unsupported',
    'documents of OpenOffice.org 1 cannot be made safe here; ask for it as an OpenDocument file or as PDF',
  );
}

/** Returns a reader of the package's entries, which decrypts by the manifest; null for a missing entry. */
async function partReader(container: PackageContainer, work: OdfWork) {
  const manifest = await container.entries.get('meta-inf/manifest.xml')?.read();
  const encrypted =
    manifest === undefined ? new Map<string, UntrustedEncryption>() : readManifest(manifest, work.limits);
  for (const each of encrypted.values()) checkMethod(each);
  const { password } = work.input;
  if (encrypted.size > 0 && password === null) {
    throw new EngineError('encrypted', 'the document is encrypted; it can be disarmed only with its password');
  }
  const decryptor = odfDecryptor(password ?? '', work.nested);
  return async (name: string): Promise<Uint8Array | null> => {
    const entry = container.entries.get(name.toLowerCase());
    if (entry === undefined) return null;
    const bytes = await entry.read();
    const encryption = encrypted.get(entry.name);
    return encryption === undefined ? bytes : decryptor.decrypt(bytes, encryption);
  };
}

function noteLeftOut(container: PackageContainer, used: ReadonlySet<string>, log: RemovalLog): void {
  for (const [key, { name }] of container.entries) {
    if (used.has(key) || PARTS.some(([part]) => part === key)) continue;
    const found = LEFT_OUT.find(([pattern]) => pattern.test(name));
    const kind = found === undefined ? 'unknown part' : found[1];
    if (kind !== null) log.note(kind, name);
  }
}

function writePackage(mimetype: string, parts: ReadonlyMap<string, Uint8Array>, manifest: Uint8Array): Uint8Array {
  const type = Buffer.from(mimetype, 'latin1');
  // This entry is the first and is not packed, so its bytes are at a fixed place of the file (ODF 1.3 part 2, 3.3).
  const entries = new Map<string, PackedPart>([
    ['mimetype', { method: 0, data: type, crc: crc32(type), size: type.length }],
  ]);
  for (const [name, bytes] of parts) entries.set(name, packPart(bytes));
  entries.set('META-INF/manifest.xml', packPart(manifest));
  return writeZip(entries);
}
