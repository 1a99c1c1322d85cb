/** Programs, scripts, shortcuts and disk images: what they are is known at once, what they do is not, so none is ever benign. */

import { extensionOf } from '../detect.ts';
import { detectCfb } from '../detect-container.ts';
import type { Finding } from '../engine.ts';
import { decodeText, textEncoding } from '../text-encoding.ts';
import { type FindingId, finding } from './findings.ts';
import type { StaticFile, StaticModule } from './module.ts';

const PROGRAMS = new Set([
  'application/vnd.microsoft.portable-executable',
  'application/x-dosexec',
  'application/x-executable',
  'application/x-mach-binary',
  'application/x-msi',
  'application/java-vm',
  'application/wasm',
]);
const SCRIPTS = new Set([
  'text/javascript',
  'text/vbscript',
  'application/x-powershell',
  'text/x-msdos-batch',
  'application/hta',
  'application/x-wsf',
  'text/scriptlet',
  'text/x-shellscript',
  'text/x-python',
  'text/x-script',
]);
const SHORTCUTS = new Set([
  'application/x-mswinurl',
  'application/x-ms-shortcut',
  'application/x-ms-link-file',
  'text/x-ms-iqy',
  'text/x-ms-regedit',
]);
const DISK_IMAGES = new Set([
  'application/x-iso9660-image',
  'application/x-vhd',
  'application/x-vhdx',
  'application/x-apple-diskimage',
]);

/** Extensions that promise something to read or look at. */
const HARMLESS_LOOKS =
  'pdf doc docx docm xls xlsx xlsm ppt pptx rtf odt ods odp txt csv htm html jpg jpeg png gif bmp tif tiff webp svg mp3 mp4 wav zip eml msg ics';
const HARMLESS_EXTENSIONS = new Set(HARMLESS_LOOKS.split(' '));
const DOUBLE_EXTENSION = new RegExp(
  `\\.(?:${HARMLESS_LOOKS.replaceAll(' ', '|')})[\\s._]{0,200}\\.[a-z0-9]{1,10}$`,
  'i',
);

export const programModule = factModule('program', PROGRAMS, 'program');
export const scriptModule = factModule('script', SCRIPTS, 'script');
export const shortcutModule = factModule('shortcut', SHORTCUTS, 'shortcut');
export const diskImageModule = factModule('disk image', DISK_IMAGES, 'disk-image');

function factModule(name: string, types: ReadonlySet<string>, id: FindingId): StaticModule {
  return {
    name,
    accepts: (type) => types.has(type),
    run: (file) => ({ findings: [finding(id), ...disguises(file)], views: utf8View(file), understood: false }),
  };
}

function disguises({ type, untrustedName }: StaticFile): Finding[] {
  const isDisguised = PROGRAMS.has(type.type) && HARMLESS_EXTENSIONS.has(extensionOf(untrustedName));
  return [
    ...(isDisguised ? [finding('disguised-program')] : []),
    ...(DOUBLE_EXTENSION.test(untrustedName.slice(-300)) ? [finding('double-extension')] : []),
  ];
}

/** Rules look for bytes of UTF-8; scripts in UTF-16 run just as well. */
function utf8View({ bytes }: StaticFile) {
  const encoding = textEncoding(bytes);
  if (encoding !== 'utf-16le' && encoding !== 'utf-16be') return [];
  return [{ where: 'text', bytes: Buffer.from(decodeText(bytes, encoding)) }];
}

const PROGRAM_STARTS = ['\x7fELF', '\xca\xfe\xba\xbe', '\xcf\xfa\xed\xfe', '\xce\xfa\xed\xfe', 'L\0\0\0\x01\x14\x02\0'];

/** Whether bytes start like something that runs, whatever their name. */
export function isProgram(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 8)).toString('latin1');
  if (PROGRAM_STARTS.some((magic) => start.startsWith(magic))) return true;
  return (start.startsWith('MZ') && bytes.length > 64) || detectCfb(bytes) === 'application/x-msi';
}
