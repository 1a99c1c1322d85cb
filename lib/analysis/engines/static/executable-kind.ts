/** Telling what runs: by its bytes, and by its name. */
import { detectCfb } from '../detect-container.ts';

const PROGRAM_STARTS = ['\x7fELF', '\xca\xfe\xba\xbe', '\xcf\xfa\xed\xfe', '\xce\xfa\xed\xfe', 'L\0\0\0\x01\x14\x02\0'];

/** Whether bytes start like something that runs, whatever their name. */
export function isProgram(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 8)).toString('latin1');
  if (PROGRAM_STARTS.some((magic) => start.startsWith(magic))) return true;
  return (start.startsWith('MZ') && bytes.length > 64) || detectCfb(bytes) === 'application/x-msi';
}

/** Names that Windows, macOS or Linux run, or follow, on a double click. */
export const RUNS = new Set(
  (
    'exe com scr pif cpl dll sys ocx msi msp mst msix appx xll wll jar class apk dmg pkg app deb rpm elf ' +
    'js jse vbs vbe ps1 psm1 bat cmd hta wsf wsh wsc sct sh command py pyw lnk url scf inf reg iqy slk chm hlp ' +
    'iso img vhd vhdx one library-ms search-ms searchconnector-ms settingcontent-ms appref-ms application rdp desktop jnlp gadget'
  ).split(' '),
);

/** Those of them that nobody sends in an archive for reading: one double click away from running code. */
export const RUNS_AT_ONCE = new Set(
  'exe com scr pif cpl msi hta js jse vbs vbe wsf wsh ps1 bat cmd lnk url scf chm jar settingcontent-ms'.split(' '),
);

/** Extensions that promise something to read or look at. */
const HARMLESS_LOOKS =
  'pdf doc docx docm xls xlsx xlsm ppt pptx rtf odt ods odp txt csv htm html jpg jpeg png gif bmp tif tiff webp svg mp3 mp4 wav zip eml msg ics';
export const HARMLESS_EXTENSIONS: ReadonlySet<string> = new Set(HARMLESS_LOOKS.split(' '));
const DOUBLE_EXTENSION = new RegExp(
  `\\.(?:${HARMLESS_LOOKS.replaceAll(' ', '|')})[\\s._]{0,200}\\.([a-z0-9]{1,10})$`,
  'i',
);

/** Whether a name shows the extension of a document before that of a program. */
export function hasDoubleExtension(untrustedName: string): boolean {
  const last = DOUBLE_EXTENSION.exec(untrustedName.slice(-300))?.[1];
  return last !== undefined && RUNS.has(last.toLowerCase());
}
