/**
 * Files that hold data and no words: tables, logs, settings, source code, the reports of mail servers. Their readers link only URLs that
 * are spelled out. A spreadsheet links a cell with a formula (which the disarm removes) or with a scheme. A mail program that shows a
 * report or a log below the message links schemes and `www.`. No program links a bare host name, and such files have many of them.
 */
import { extensionsOf } from '../../../formats/detection/file-names.ts';
import { groupOf } from '../../../formats/file-types.ts';
import { isSourceName } from '../../../formats/names/source-names.ts';

export interface NamedFile {
  readonly role: string;
  /** The type by its bytes; null when they do not tell it. */
  readonly detectedType: string | null;
  readonly declaredType: string;
  readonly untrustedNames: readonly string[];
}

const DATA = /^(?:text\/(?:plain|csv|tab-separated-values|xml)|application\/(?:json|vnd\.google-earth\.kml\+xml))$/;
const DECLARED =
  /^(?:text\/(?:csv|tab-separated-values|x-log|xml)|application\/(?:json|xml|vnd\.google-earth\.kml(?:\+xml)?))$/;
const EXTENSION = /^(?:csv|tsv|log|xml|gpx|kml)$/;
const isData = (extension: string) => EXTENSION.test(extension) || isSourceName(extension);
const isCode = (type: string) => groupOf(type) === 'script';
/** Grammars of RFC 3464, RFC 5965 and RFC 8098. */
const REPORT = /^message\/(?:delivery-status|feedback-report|disposition-notification)$/;

/**
 * Returns true when bytes, type and every name say that a file is data. `isShown`: its header asks programs to show it within the message.
 * A program that links bare host names in the text then links them in the file, too.
 */
export function isDataFile({ role, detectedType, declaredType, untrustedNames }: NamedFile, isShown: boolean): boolean {
  if (role === 'body' || isShown || !(DATA.test(detectedType ?? '') || isCode(detectedType ?? ''))) return false;
  if (REPORT.test(declaredType)) return detectedType === 'text/plain';
  const extensions = untrustedNames.flatMap(extensionsOf);
  return extensions.length > 0 ? extensions.every(isData) : DECLARED.test(declaredType);
}
