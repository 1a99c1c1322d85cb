/**
 * Recognises source code, settings and data of programs, which are texts. Names, declared type and beginning must all agree. A text by
 * whose name a program starts belongs to the group `script`; its disarm gives it another name.
 */

import { typeOfActingName } from '../names/acting-names.ts';
import { extensionReadings } from '../names/name-readings.ts';
import { EDITED_NAMES, isSourceName, SETTINGS_NAMES, STARTED_NAMES } from '../names/source-names.ts';
import { dangerOfDeclared, isDeclaredPlain, isDeclaredSource, saysNothing } from './file-declared.ts';
import { type FileHints, type FileType, fileTypeOf } from './file-magic.ts';
import { extensionsOf } from './file-names.ts';
import { asText, isTextOfTwoKinds } from './file-text.ts';
import { isInertSource } from './source-text.ts';

const TEXT = fileTypeOf('text/plain');

/** The type of a source text. Null for every other file. */
export function typeOfSource(bytes: Uint8Array, hints: FileHints): FileType | null {
  const extension = sourceNameOf(hints);
  if (extension === null || !mayBeSource(hints.declaredType, STARTED_NAMES.has(extension))) return null;
  const head = asText(bytes);
  if (head === null || !isInertSource(head) || isTextOfTwoKinds(bytes)) return null;
  if (EDITED_NAMES.has(extension)) return TEXT;
  const type = SETTINGS_NAMES.has(extension) ? 'text/x-script' : typeOfActingName(extension);
  return type === null ? null : fileTypeOf(type);
}

/** The one extension that all programs read in all names. */
function sourceNameOf({ untrustedNames, role }: FileHints): string | null {
  if (role === 'body' || untrustedNames.length === 0) return null;
  const found = new Set(untrustedNames.flatMap(extensionsOf).filter((extension) => extension !== ''));
  const [extension = '', ...others] = found;
  if (others.length > 0 || !isSourceName(extension)) return null;
  const readings = untrustedNames.flatMap((name) => [...extensionReadings(name)]);
  return readings.every((each) => each === '' || each === extension) ? extension : null;
}

function mayBeSource(declaredType: string, isStarted: boolean): boolean {
  const isText = saysNothing(declaredType) || isDeclaredPlain(declaredType) || isDeclaredSource(declaredType);
  return isText || (isStarted && dangerOfDeclared(declaredType) === 'script');
}
