/** Decides whether the files in a PDF are documents and pictures, which are judged as files of their own, or may be anything. */
import { detectType, extensionOf } from '../../../formats/detection/detect.ts';
import type { FileGroup } from '../../../formats/file-groups.ts';
import { groupOf } from '../../../formats/file-types.ts';
import type { NumberedObject } from './launch.ts';
import type { PdfStream } from './streams.ts';
import { type PdfToken, readTokens } from './tokens.ts';

/** Types that people attach to documents: no pages, drawings with scripts, mail, archives and programs. */
const GROUPS: ReadonlySet<FileGroup> = new Set(['text', 'image', 'media', 'pdf', 'office', 'data']);
const NO_TYPES: ReadonlySet<string> = new Set(['image/svg+xml']);
const EXTENSIONS: ReadonlySet<string> = new Set(
  `pdf doc docx docm xls xlsx xlsm ppt pptx rtf odt ods odp txt csv xml json jpg jpeg png gif bmp tif tiff webp mp3 mp4 wav ics`.split(
    ' ',
  ),
);

/** The files of a document: the names that it gives them, and the numbers of the streams that hold them. */
interface Attached {
  readonly names: readonly string[];
  readonly streams: readonly number[];
  /** False when a list of files is written in another way than in place. */
  readonly isRead: boolean;
}

/** Returns true when each attached file was read, and both its bytes and its names are those of a document or a picture. */
export async function hasOnlyDocuments(
  objects: readonly NumberedObject[],
  streams: readonly PdfStream[],
): Promise<boolean> {
  const attached = objects.map(({ text }) => attachedIn(text));
  const wanted = new Set(attached.flatMap((one) => one.streams));
  const held = streams.filter(({ number }) => number !== null && wanted.has(number));
  const files = streams.filter((one) => held.includes(one) || isFile(one));
  return (
    attached.every(({ isRead, names }) => isRead && names.every(hasOrdinaryName)) &&
    [...wanted].every((number) => held.some((one) => one.number === number)) &&
    (await Promise.all(files.map(isDocument))).every((one) => one)
  );
}

function hasOrdinaryName(untrustedName: string): boolean {
  const extension = extensionOf(untrustedName.replaceAll('\0', ''));
  return extension === '' || EXTENSIONS.has(extension);
}

const isFile = ({ dictionary }: PdfStream): boolean => /\/EmbeddedFile\b/.test(withoutEscapes(dictionary));

const withoutEscapes = (text: string): string =>
  text.replace(/#([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** Extracts only streams that are marked as files, and judges them as files. */
async function isDocument(stream: PdfStream): Promise<boolean> {
  const { content, complete } = stream;
  if (content === null || !complete || !isFile(stream)) return false;
  if (content.length === 0) return true;
  const { type } = await detectType(content, 'attachment');
  return GROUPS.has(groupOf(type)) && !NO_TYPES.has(type);
}

/** Reads the keys of file specifications (ISO 32000-1, 7.11.3): `/F (name) /UF (name) /EF <</F 12 0 R>>`. */
function attachedIn(text: string): Attached {
  if (!withoutEscapes(text).includes('EF')) return NOTHING;
  const tokens: [PdfToken, string | null][] = [];
  readTokens(text, (token, afterName) => void tokens.push([token, afterName]));
  const streams: number[] = [];
  let isRead = true;
  tokens.forEach(([token, afterName], at) => {
    // Usage rights have a list of this name.
    if (afterName !== 'EF' || token.value === '[') return;
    const end = tokens.findIndex(([one], index) => index > at && one.value === '>>');
    isRead &&= token.value === '<<' && end !== -1;
    for (const [one, key] of tokens.slice(at + 1, Math.max(at + 1, end))) {
      if (key !== null && /^\d{1,10}$/.test(one.value)) streams.push(Number(one.value));
    }
  });
  const names = tokens.filter(([{ kind }, key]) => kind === 'string' && /^(?:UF|F|DOS|Mac|Unix)$/.test(key ?? ''));
  return { names: names.map(([{ value }]) => value), streams, isRead };
}

const NOTHING: Attached = { names: [], streams: [], isRead: true };
