/** Finds names that mislead the reader about the kind of a file. */
import { HARMLESS_LOOKS, RUN_FROM_MAIL } from '../../formats/names/acting-names.ts';
import { extensionReadings } from '../../formats/names/name-readings.ts';
import type { MessagePart } from '../model.ts';
import type { WarningList } from './warnings.ts';

/** Extensions that people take for a document. */
const HARMLESS = new Set([...HARMLESS_LOOKS, 'heic', 'avi', 'mov']);
/** Extensions that belong to one family of types only. */
const FAMILIES: Readonly<Record<string, string>> = {
  ...familyOf('image', ['jpg', 'jpeg', 'png', 'gif', 'bmp', 'tif', 'tiff', 'webp', 'heic', 'avif', 'ico']),
  ...familyOf('audio', ['mp3', 'wav', 'ogg', 'm4a', 'flac']),
  ...familyOf('video', ['mp4', 'avi', 'mov', 'mkv', 'webm', 'wmv']),
  ...familyOf('pdf', ['pdf']),
  ...familyOf('office', ['doc', 'docx', 'docm', 'xls', 'xlsx', 'xlsm', 'ppt', 'pptx', 'pptm', 'odt', 'ods', 'odp']),
  ...familyOf('archive', ['zip', 'rar', '7z', 'gz', 'tar', 'cab']),
  ...familyOf('html', ['htm', 'html', 'xhtml', 'hta']),
};
/** Overrides, embeddings and isolates, which turn text around. The plain marks are ordinary in right-to-left names. */
const BIDI = /[\u202a-\u202e\u2066-\u2069]/u;
const CONTROL = /[\p{Cc}\u200b\u2028\u2029\ufeff]/u;
const NAME_LENGTH = 400;

function familyOf(family: string, extensions: readonly string[]): Record<string, string> {
  return Object.fromEntries(extensions.map((extension) => [extension, family]));
}

/** Warns of misleading names of a part. */
export function warnOfName(part: MessagePart, warnings: WarningList): void {
  for (const name of part.untrustedNames) {
    if (isDeceptive(name)) warnings.add('deceptive_name', part.path, 'a name that is shown other than it is');
    if (hasDoubleExtension(name))
      warnings.add('double_extension', part.path, 'a program whose name looks like that of a document');
    if (disagreesWithType(name, part.declaredType))
      warnings.add('type_name_mismatch', part.path, 'a name that says another kind of file than the declared type');
  }
}

/** Returns true for a name that is turned around, holds controls or a run of blanks, ends in a dot or blank, or is a path. */
export function isDeceptive(name: string): boolean {
  return BIDI.test(name) || CONTROL.test(name) || / {5}/.test(name) || /[. ]$/.test(name) || /[/\\]/.test(name);
}

/** Returns true for `invoice.pdf.exe`, also with blanks between the extensions. */
export function hasDoubleExtension(name: string): boolean {
  const extensions = extensionsOf(name);
  return RUN_FROM_MAIL.has(extensions.at(-1) ?? '') && HARMLESS.has(extensions.at(-2) ?? '');
}

/** Returns true when the declared type and the extension belong to two different known families. */
export function disagreesWithType(name: string, declaredType: string): boolean {
  const extension = extensionsOf(name).at(-1) ?? '';
  const declared = familyOfType(declaredType);
  if (declared === null) return false;
  if (RUN_FROM_MAIL.has(extension)) return true;
  const family = FAMILIES[extension];
  return declared !== 'text' && family !== undefined && family !== declared;
}

function familyOfType(type: string): string | null {
  const [main = '', sub = ''] = type.split('/');
  if (main === 'image' || main === 'audio' || main === 'video') return main;
  if (sub === 'pdf') return 'pdf';
  if (sub === 'html') return 'html';
  if (sub === 'plain') return 'text';
  if (/^(?:msword|vnd\.(?:ms-(?:excel|powerpoint|word)|openxmlformats|oasis))/.test(sub)) return 'office';
  return /^(?:x-)?(?:zip|rar|7z|gzip|tar)(?:-compressed)?$/.test(sub) ? 'archive' : null;
}

/** Returns the extensions of a name in order and in lower case, without the characters that programs drop at its end. */
function extensionsOf(name: string): string[] {
  const tail = name.slice(-NAME_LENGTH).replace(/[\p{Cc}\p{Cf}]/gu, '');
  const file = tail.slice(Math.max(tail.lastIndexOf('/'), tail.lastIndexOf('\\')) + 1);
  let end = file.length;
  while (end > 0 && ' ."\''.includes(file.charAt(end - 1))) end--;
  return file
    .slice(0, end)
    .toLowerCase()
    .split('.')
    .slice(1)
    .map((extension) => extension.trim());
}

/** Returns true for a name by which some program runs the file. */
export function isRunByName(name: string): boolean {
  return [...extensionReadings(name)].some((extension) => RUN_FROM_MAIL.has(extension));
}
