/** The pictures of an OpenDocument file: entries of its package, or base64 in its XML. */
import type { EngineLimits } from '../../engine.ts';
import type { Nested } from '../disarm-module.ts';
import { type DocumentPicture, documentPicture } from '../document-picture.ts';
import { pictureFormat } from '../image/format.ts';
import { rebuildMetafile } from '../image/metafile.ts';
import { STAR_METAFILE, svgOfStarMetafile } from '../image/star-metafile.ts';
import type { PackageContainer } from '../office/package/container.ts';
import type { RemovalLog } from '../removals.ts';
import type { InlinePicture } from './filter.ts';

/** Formats that every OpenDocument program shows. */
const WANTED = /^image\/(?:png|jpeg|gif|webp|tiff|svg\+xml)$/;
/** The folders of pictures, and of the pictures that represent objects. */
const PICTURE_FOLDER = /^(?:Pictures|media|ObjectReplacements)\/[^/]+$/i;

interface PictureWork {
  readonly nested: Nested;
  readonly log: RemovalLog;
  readonly limits: EngineLimits;
}

export interface PackagePictures {
  /** Returns the name in the output of the entry that a link names; null when there is no such picture. */
  readonly use: (href: string) => string | null;
  /** Pictures that were used, by name. */
  readonly used: () => readonly { readonly name: string; readonly bytes: Uint8Array; readonly type: string }[];
  /** Lower-case names of the input's entries that were used. */
  readonly names: () => ReadonlySet<string>;
}

/** Reads and disarms every picture of the package. Throws EngineError when the budget of the upload is spent. */
export async function packagePictures(
  container: PackageContainer,
  read: (name: string) => Promise<Uint8Array | null>,
  work: PictureWork,
): Promise<PackagePictures> {
  const pictures = new Map<string, DocumentPicture>();
  for (const [key, { name }] of container.entries) {
    const bytes = PICTURE_FOLDER.test(name) ? await read(name) : null;
    if (bytes === null) continue;
    pictures.set(key, await disarmPicture(bytes, name, work));
  }
  const names = new Map<string, string>();
  return {
    use(href) {
      const key = entryOf(href);
      const picture = key === null ? undefined : pictures.get(key);
      if (key === null || picture === undefined) return null;
      const known = names.get(key) ?? `Pictures/picture-${names.size + 1}.${picture.extension}`;
      names.set(key, known);
      return known;
    },
    used: () =>
      [...names].flatMap(([key, name]) => {
        const picture = pictures.get(key);
        return picture === undefined ? [] : [{ name, bytes: picture.bytes, type: picture.type }];
      }),
    names: () => new Set(names.keys()),
  };
}

/** Returns the entry that a link inside the package names, in lower case; null for every other link. */
function entryOf(href: string): string | null {
  let name = href.replace(/^(?:\.\/)+/, '');
  try {
    name = decodeURIComponent(name);
  } catch {
    // A percent sign that starts no escape belongs to the name.
  }
  return PICTURE_FOLDER.test(name) ? name.toLowerCase() : null;
}

async function disarmPicture(bytes: Uint8Array, where: string, { nested, log }: PictureWork): Promise<DocumentPicture> {
  const format = pictureFormat(bytes);
  if (format === 'emf' || format === 'wmf') {
    // A metafile holds drawing commands. It is null when they cannot be read with certainty.
    const metafile = rebuildMetafile(bytes, format);
    if (metafile !== null) {
      if (Buffer.compare(metafile, bytes) !== 0) log.note('picture data', where, 'sanitized');
      return { bytes: metafile, type: `image/x-${format}`, extension: format, details: [] };
    }
  }
  // The picture that LibreOffice stores beside a chart or a formula becomes a drawing that every program shows.
  const isStar = STAR_METAFILE.equals(bytes.subarray(0, STAR_METAFILE.length));
  const drawing = isStar ? svgOfStarMetafile(bytes) : null;
  if (drawing !== null) log.note('picture data', where, 'sanitized');
  const picture = await documentPicture(drawing === null ? bytes : Buffer.from(drawing), nested, WANTED);
  const isDisguised = format === null && !isStar;
  for (const { kind, action } of picture.details) log.note(isDisguised ? 'disguised content' : kind, where, action);
  return picture;
}

/** Encodes pictures in the XML itself anew, and puts them back. */
export async function writeInlinePictures(
  inline: readonly InlinePicture[],
  work: PictureWork,
  where: string,
): Promise<void> {
  for (const { base64, put } of inline) {
    const { bytes } = await disarmPicture(Buffer.from(base64, 'base64'), where, work);
    put(Buffer.from(bytes).toString('base64'));
  }
}
