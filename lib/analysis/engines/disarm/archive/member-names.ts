/** Names of files within files: which are refused, and what the others are called once their bytes are known to be safe. */
import { extensionReadings } from '../../../../formats/name-readings.ts';
import type { DetectedType } from '../../engine.ts';

/** Extensions a file of a type may keep; any other is replaced by the type's own, since programs open a file by its name. */
const EXTENSIONS: Readonly<Record<string, readonly string[]>> = {
  'text/plain': ['txt', 'text', 'log', 'md', 'asc', 'ini', 'cfg', 'conf', 'yml', 'yaml'],
  'text/html': ['html', 'htm'],
  'text/csv': ['csv', 'tsv'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/tiff': ['tif', 'tiff'],
};

const MAX_SEGMENT_LENGTH = 120;
const MAX_SEGMENTS = 32;
/** Windows opens a device by these names, whatever the extension. */
const RESERVED = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$)(?:\.|$)/i;

/** Extensions that the computer runs or follows: the file stays a danger under such a name, whatever its bytes are. */
const RUN_BY_NAME: ReadonlySet<string> = new Set(
  [
    'exe|com|scr|pif|cpl|dll|sys|ocx|msi|msp|mst|msix|appx|xll|wll|jar|class|apk|app|gadget|application|appref-ms',
    'js|jse|vbs|vbe|ps1|psm1|bat|cmd|hta|wsf|wsh|wsc|sct|sh|command|py|pyw|inf|reg|jnlp',
    'lnk|url|scf|desktop|library-ms|search-ms|searchconnector-ms|settingcontent-ms|rdp|iqy|slk|chm|hlp|one',
  ].flatMap((list) => list.split('|')),
);

/** True when a name makes the computer run or follow the file. */
export function runsByName(untrustedName: string): boolean {
  return [...extensionReadings(untrustedName)].some((extension) => RUN_BY_NAME.has(extension));
}

/** Why a member may not be unpacked under its name, or null. A name that was built to mislead is not repaired. */
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
  return segments.some((segment) => /\s{2,}\.[^.\s]{1,10}$/.test(segment))
    ? 'its name hides its extension behind blanks'
    : null;
}

/** The folders and the file name, without characters that mean something to a file system. */
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

/** The file name with an extension that fits the bytes: `invoice.docm` becomes `invoice.docx`, `a.jpeg` stays. */
export function withExtension(name: string, type: DetectedType): string {
  const dot = name.lastIndexOf('.');
  const found = dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
  const allowed = EXTENSIONS[type.type] ?? [type.extension];
  if (allowed.includes(found)) return name;
  // `report.v2` keeps its dot: what follows is no extension that a program knows.
  const isExtension = /^[a-z0-9]{1,5}$/.test(found) && type.type !== 'text/plain';
  return `${isExtension ? name.slice(0, dot) : name}.${type.extension}`;
}

/** A file name for an attachment, from whatever it was called. */
export function attachmentName(untrustedName: string | null, type: DetectedType, fallback: string): string {
  const last = safePath((untrustedName ?? '').slice(-2_000)).at(-1) ?? '';
  const name = /^_*$/.test(last) || RESERVED.test(last) ? fallback : last;
  return withExtension(name, type);
}
