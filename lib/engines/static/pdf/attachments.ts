/** Decides whether the files in a PDF are documents and pictures, which are judged as files of their own, or may be anything. */
import { detectType, extensionOf } from '../../../formats/detection/detect.ts';
import type { FileGroup } from '../../../formats/file-groups.ts';
import { groupOf } from '../../../formats/file-types.ts';
import { isEditedText } from '../../../formats/names/source-names.ts';
import type { PdfStream } from './streams.ts';
import { withoutEscapes } from './tokens.ts';
import {
  dictionariesIn,
  entriesOf,
  type NumberedObject,
  ObjectValues,
  OncePerReference,
  type PdfValue,
  valuesOf,
} from './values.ts';

/** Types that people attach to documents: no pages, drawings with scripts, mail, archives and programs. */
const GROUPS: ReadonlySet<FileGroup> = new Set(['text', 'image', 'media', 'pdf', 'office', 'data']);
const NO_TYPES: ReadonlySet<string> = new Set(['image/svg+xml']);
const EXTENSIONS: ReadonlySet<string> = new Set(
  `pdf doc docx docm xls xlsx xlsm ppt pptx rtf odt ods odp txt csv xml jpg jpeg png gif bmp tif tiff webp mp3 mp4 wav ics dtx cls bst pgf
  joboptions`.split(/\s+/),
);

/** The files of a document: the names that it gives them, and the numbers of the streams that hold them. */
export interface Attached {
  readonly names: readonly string[];
  readonly streams: ReadonlySet<number>;
  /** False when a list of files cannot be read, or is not there. */
  readonly isRead: boolean;
}

/** Returns true when each attached file was read, and both its bytes and its names are those of a document or a picture. */
export async function hasOnlyDocuments(attached: Attached, streams: readonly PdfStream[]): Promise<boolean> {
  const { names, isRead } = attached;
  const files = streams.filter((stream) => isAttached(stream, attached));
  return (
    isRead &&
    names.every(hasOrdinaryName) &&
    [...attached.streams].every((wanted) => files.some(({ number }) => number === wanted)) &&
    (await Promise.all(files.map(isDocument))).every((one) => one)
  );
}

/** Returns true for a stream that holds a file: it says so, or the document names it as one. */
export const isAttached = ({ dictionary, number }: PdfStream, { streams }: Attached): boolean =>
  /\/EmbeddedFile\b/.test(withoutEscapes(dictionary)) || (number !== null && streams.has(number));

function hasOrdinaryName(untrustedName: string): boolean {
  const extension = extensionOf(untrustedName.replaceAll('\0', ''));
  return extension === '' || EXTENSIONS.has(extension) || isEditedText(extension);
}

async function isDocument({ content, complete }: PdfStream): Promise<boolean> {
  if (content === null || !complete) return false;
  if (content.length === 0) return true;
  const { type } = await detectType(content, 'attachment');
  return GROUPS.has(groupOf(type)) && !NO_TYPES.has(type);
}

/** Reads all file specifications (ISO 32000-1, 7.11.3): `/F (name) /UF (name) /EF <</F 12 0 R>>`. */
export function attachedFiles(objects: readonly NumberedObject[]): Attached {
  const all = new ObjectValues(objects);
  const [names, streams]: [string[], Set<number>] = [[], new Set()];
  const listed = new OncePerReference<boolean>();
  let isRead = true;
  for (const object of objects) {
    if (!withoutEscapes(object.text).includes('EF')) continue;
    const values = valuesOf(object);
    isRead &&= values !== null;
    for (const specification of dictionariesIn(values ?? [])) {
      // Usage rights have a list of this name.
      for (const held of entriesOf(specification, 'EF').filter(({ kind }) => kind !== 'list')) {
        isRead &&= listed.once(held, () => addFiles(all.resolve(held), streams));
        for (const key of NAME_KEYS) names.push(...entriesOf(specification, key).flatMap(textOf));
      }
    }
  }
  return { names, streams, isRead };
}

const NAME_KEYS = ['F', 'UF', 'DOS', 'Mac', 'Unix'];

const textOf = (value: PdfValue): string[] => (value.kind === 'string' ? [value.value] : []);

/** Adds the numbers of the streams in all versions of a list of files. Returns false where one is written in another way. */
function addFiles(versions: readonly PdfValue[] | null, streams: Set<number>): boolean {
  const files = (versions ?? []).map(filesIn);
  for (const number of files.flatMap((numbers) => numbers ?? [])) streams.add(number);
  return files.length > 0 && !files.includes(null);
}

function filesIn(value: PdfValue): number[] | null {
  if (value.kind !== 'dictionary') return null;
  const numbers = value.entries.map(([, file]) => (file.kind === 'reference' ? file.number : null));
  return numbers.includes(null) ? null : numbers.filter((number) => number !== null);
}
