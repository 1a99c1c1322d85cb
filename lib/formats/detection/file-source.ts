/**
 * Recognises source code, settings and data of programs, which are texts. Names, declared type and beginning must all agree. A text by
 * whose name a program starts belongs to the group `script`; its disarm gives it another name.
 */

import { typeOfActingName } from '../names/acting-names.ts';
import { extensionReadings } from '../names/name-readings.ts';
import { EDITED_NAMES, isSourceName, SETTINGS_NAMES, STARTED_NAMES } from '../names/source-names.ts';
import { dangerOfDeclared, isDeclaredPlain, isDeclaredSource, saysNothing } from './file-declared.ts';
import { type FileHints, type FileType, fileTypeOf, typeBySignature } from './file-magic.ts';
import { dangerOfNames, extensionsOf, isUnknownName } from './file-names.ts';
import { asText, isTextOfTwoKinds, looksLikeEmail } from './file-text.ts';
import { isInertSource } from './source-text.ts';

const TEXT = fileTypeOf('text/plain');

/** The type of a source text. Null for every other file. */
export function typeOfSource(bytes: Uint8Array, hints: FileHints): FileType | null {
  const extension = sourceNameOf(hints);
  if (extension === null || (extension === '' && !saysNothing(hints.declaredType))) return null;
  if (!mayBeSource(hints.declaredType, STARTED_NAMES.has(extension))) return null;
  // A text may have the first bytes of an archive, and be one.
  if (typeBySignature(bytes) !== null) return null;
  const head = asText(bytes);
  if (head === null || !isInertSource(head) || isTextOfTwoKinds(bytes)) return null;
  if (EDITED_NAMES.has(extension) || isStrange(extension, hints.untrustedNames))
    return looksLikeEmail(head) ? null : TEXT;
  const type = SETTINGS_NAMES.has(extension) ? 'text/x-script' : typeOfActingName(extension);
  return type === null ? null : fileTypeOf(type);
}

/** The one extension that all programs read in all names, if it is one of texts for programs or one that nobody knows. */
function sourceNameOf({ untrustedNames, role }: FileHints): string | null {
  if (role === 'body' || untrustedNames.length === 0) return null;
  const found = new Set(untrustedNames.flatMap(extensionsOf).filter((extension) => extension !== ''));
  const [extension = '', ...others] = found;
  const isListed = isSourceName(extension) || isStrange(extension, untrustedNames);
  if (others.length > 0 || !isListed) return null;
  const readings = untrustedNames.flatMap((name) => [...extensionReadings(name)]);
  return readings.every((each) => each === '' || each === extension) ? extension : null;
}

/** True for a file without an extension (`Makefile`), and for one whose extension nobody knows (`flake.nix`). */
function isStrange(extension: string, untrustedNames: readonly string[]): boolean {
  return extension === '' || (isUnknownName(extension) && dangerOfNames(untrustedNames) === null);
}

function mayBeSource(declaredType: string, isStarted: boolean): boolean {
  const isText = saysNothing(declaredType) || isDeclaredPlain(declaredType) || isDeclaredSource(declaredType);
  return isText || (isStarted && dangerOfDeclared(declaredType) === 'script');
}
