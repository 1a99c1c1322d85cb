/**
 * The extension of the only file in a gzip, bzip2 or xz. It has no name, so programs name it after the archive. Every name of the archive
 * must therefore agree. Pure.
 */
import { extensionsOfType, isFileType } from '../../formats/file-types.ts';
import { extensionReadings } from '../../formats/names/name-readings.ts';
import { isEditedText } from '../../formats/names/source-names.ts';
import type { FileId } from '../ledger/artifact-id.ts';
import type { Leaf } from './leaves.ts';

const PACKED_NAME = /^(.*)\.(?:gz|bz2|xz)$/i;

/**
 * Returns the extension of the file in this container, from a closed list. Returns null when the container does not hold exactly one file,
 * and when some program would open the file as something else. The same bytes may be attached as `table.csv.gz` and as `code.js.gz`.
 */
export function heldExtension(container: FileId, leaves: readonly Leaf[]): string | null {
  const outside = leaves.filter(({ file }) => file?.id === container).map(({ part }) => part);
  const paths = new Set(outside.map(({ path }) => path));
  const [held, ...others] = leaves.filter(({ part }) => paths.has(part.container ?? ''));
  if (held === undefined || others.length > 0 || held.file === null) return null;
  const outer = outside.flatMap(({ untrustedNames }) => (untrustedNames.length === 0 ? [''] : untrustedNames));
  const inner = outer.map((name) => PACKED_NAME.exec(name)?.[1] ?? '');
  const read = [...inner, ...held.part.untrustedNames].map((name) => [...extensionReadings(name)]);
  const [extension] = read[0] ?? [];
  const isOne = read.every((each) => each.length === 1 && each[0] === extension);
  return extension !== undefined && isOne && isCalledSo(extension, held) ? extension : null;
}

function isCalledSo(extension: string, { part, file }: Leaf): boolean {
  const { detectedType, typeGroup } = part;
  if (extension === file?.extension || (typeGroup === 'text' && isEditedText(extension))) return true;
  return detectedType !== null && isFileType(detectedType) && extensionsOfType(detectedType).includes(extension);
}
