/** Names of files within files: the refused names, and the names of the other files after the disarm. */

import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import { extensionsOfType, isFileType } from '../../../formats/file-types.ts';
import { RUN_BY_NAME, setsFolder } from '../../../formats/names/acting-names.ts';
import { extensionReadings } from '../../../formats/names/name-readings.ts';

const MAX_SEGMENT_LENGTH = 120;
const MAX_SEGMENTS = 32;
/** Windows opens a device by these names, with any extension. */
const RESERVED = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$)(?:\.|$)/i;

/** Returns true when a name makes the computer run or follow the file. */
export function runsByName(untrustedName: string): boolean {
  return [...extensionReadings(untrustedName)].some((extension) => RUN_BY_NAME.has(extension));
}

/** Returns the reason why a member may not be unpacked under its name, or null. A misleading name is not repaired. */
export function nameProblem(untrustedName: string): string | null {
  const name = untrustedName.replaceAll('\\', '/');
  if (name === '' || name.length > 2_000) return 'its name is empty or too long';
  if (/\p{Cc}/u.test(name)) return 'its name holds control characters';
  if (/[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(name)) return 'its name holds invisible characters that show it as another';
  if (/^(?:\/|[a-z]:)/i.test(name)) return 'its name is an absolute path';
  const segments = name.split('/').filter((segment) => segment !== '');
  if (segments.length > MAX_SEGMENTS) return 'its name has too many folders';
  if (segments.some((segment) => /^\.{2,}\s*$/.test(segment))) return 'its name leads out of the archive';
  if (segments.some((segment) => RESERVED.test(segment.trim()))) return 'its name is that of a device';
  if (segments.some(setsFolder)) return 'its name makes the computer follow it for the whole folder';
  return segments.some((segment) => /\s{2,}\.[^.\s]{1,10}$/.test(segment))
    ? 'its name hides its extension behind blanks'
    : null;
}

/** Returns the folders and the file name, without characters with a meaning to a file system. */
export function safePath(untrustedName: string): string[] {
  return untrustedName
    .normalize('NFC')
    .replaceAll('\\', '/')
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
    .map(safeSegment);
}

function safeSegment(segment: string): string {
  const plain = segment.replace(/[<>:"|?*;%\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, '_').replace(/^\s+|[\s.]+$/g, '');
  if (plain === '') return '_';
  if (plain.length <= MAX_SEGMENT_LENGTH) return plain;
  const extension = /\.[a-z0-9]{1,10}$/i.exec(plain)?.[0] ?? '';
  return `${[...plain.slice(0, MAX_SEGMENT_LENGTH - extension.length)]
    .join('')
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd()}${extension}`;
}

/** Returns the file name with an extension that fits the bytes: `invoice.docm` becomes `invoice.docx`, `a.jpeg` stays. */
export function withExtension(name: string, type: DetectedType): string {
  const dot = name.lastIndexOf('.');
  const found = dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
  const allowed = isFileType(type.type) ? extensionsOfType(type.type) : [type.extension];
  if (allowed.includes(found)) return name;
  // `report.v2` keeps its dot, because no program knows `v2` as an extension.
  const isExtension = /^[a-z0-9]{1,5}$/.test(found) && type.type !== 'text/plain';
  return `${isExtension ? name.slice(0, dot) : name}.${type.extension}`;
}

/** Returns a file name for an attachment, from any name. */
export function attachmentName(untrustedName: string | null, type: DetectedType, fallback: string): string {
  const last = safePath((untrustedName ?? '').slice(-2_000)).at(-1) ?? '';
  const name = /^_*$/.test(last) || RESERVED.test(last) ? fallback : last;
  return withExtension(name, type);
}
