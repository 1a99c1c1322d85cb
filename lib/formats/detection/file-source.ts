/**
 * Recognises source code, settings and data of programs, which are texts. Names, declared type and beginning must all agree. A text whose
 * name starts a program belongs to the group `script`. Its disarm gives it another name.
 */

import { typeOfActingName } from '../names/acting-names.ts';
import { extensionReadings } from '../names/name-readings.ts';
import { EDITED_NAMES, isSourceName, SETTINGS_NAMES, STARTED_NAMES } from '../names/source-names.ts';
import { dangerOfDeclared, isDeclaredPlain, isDeclaredSource, saysNothing } from './file-declared.ts';
import { type FileHints, type FileType, fileTypeOf, typeBySignature } from './file-magic.ts';
import { areAllPlainText, dangerOfNames, extensionsOf, isUnknownName } from './file-names.ts';
import { asText, isTextOfTwoKinds, looksLikeEmail } from './file-text.ts';
import { isInertSource } from './source-text.ts';

const TEXT = fileTypeOf('text/plain');

/** Returns the type of a source text. Returns null for every other file. */
export function typeOfSource(bytes: Uint8Array, hints: FileHints): FileType | null {
  const extension = sourceNameOf(hints);
  if (extension === null || (extension === '' && !saysNothing(hints.declaredType))) return null;
  if (!mayBeSource(hints.declaredType, STARTED_NAMES.has(extension))) return null;
  // A text may have the first bytes of an archive, and also be one.
  if (typeBySignature(bytes) !== null) return null;
  const head = asText(bytes);
  if (head === null || !isInertSource(head) || isTextOfTwoKinds(bytes)) return null;
  if (EDITED_NAMES.has(extension) || isStrange(extension, hints.untrustedNames))
    return looksLikeEmail(head) ? null : TEXT;
  const type = SETTINGS_NAMES.has(extension) ? 'text/x-script' : typeOfActingName(extension);
  return type === null ? null : fileTypeOf(type);
}

/** Suffixes behind the name of a rotated log, a second download or an editor's copy: `app.log.1`, `a.sql (1)`, `a.txt~`. */
const TURN = /(?:\.\d{1,4}|-\d{8}| \(\d{1,3}\)|~)$/;

/** Returns true for names of one file at several rotations: a gzip called `app.log.2.gz` stores `app.log.1`. */
function areTurnsOfOne(untrustedNames: readonly string[]): boolean {
  return new Set(untrustedNames.map((name) => name.replace(TURN, '').toLowerCase())).size === 1;
}

/**
 * Returns the one extension that all programs read in all names, if it is one of texts for programs or an unknown one. Several may be
 * rotations of one file. Each of them must open in an editor or be unknown.
 */
function sourceNameOf({ untrustedNames, role }: FileHints): string | null {
  if (role === 'body' || untrustedNames.length === 0) return null;
  const found = [...new Set(untrustedNames.flatMap(extensionsOf).filter((extension) => extension !== ''))];
  const [extension = ''] = found;
  const isEdited = (each: string) => EDITED_NAMES.has(each) || areAllPlainText([`x.${each}`]);
  const isListed =
    found.length < 2
      ? isSourceName(extension) || isStrange(extension, untrustedNames)
      : areTurnsOfOne(untrustedNames) && found.every((each) => isEdited(each) || isStrange(each, untrustedNames));
  if (!isListed) return null;
  const readings = untrustedNames.flatMap((name) => [...extensionReadings(name)]);
  if (!readings.every((each) => each === '' || found.includes(each))) return null;
  return found.find((each) => isStrange(each, untrustedNames)) ?? extension;
}

/** Returns true for a file without an extension (`Makefile`), and for a file with an unknown extension (`flake.nix`). */
function isStrange(extension: string, untrustedNames: readonly string[]): boolean {
  return extension === '' || (isUnknownName(extension) && dangerOfNames(untrustedNames) === null);
}

function mayBeSource(declaredType: string, isStarted: boolean): boolean {
  const isText = saysNothing(declaredType) || isDeclaredPlain(declaredType) || isDeclaredSource(declaredType);
  return isText || (isStarted && dangerOfDeclared(declaredType) === 'script');
}
