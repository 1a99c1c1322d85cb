/** Telling what runs: by its bytes, and by its name. */
import { extensionOf } from '../../../formats/detection/detect.ts';
import { detectCfb } from '../../../formats/detection/detect-container.ts';
import { HARMLESS_LOOKS, RUN_FROM_ARCHIVES } from '../../../formats/names/acting-names.ts';

const PROGRAM_STARTS = ['\x7fELF', '\xca\xfe\xba\xbe', '\xcf\xfa\xed\xfe', '\xce\xfa\xed\xfe', 'L\0\0\0\x01\x14\x02\0'];

/** Whether bytes start like something that runs, whatever their name. */
export function isProgram(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 8)).toString('latin1');
  if (PROGRAM_STARTS.some((magic) => start.startsWith(magic))) return true;
  return (start.startsWith('MZ') && bytes.length > 64) || detectCfb(bytes) === 'application/x-msi';
}

/** Names that nobody sends in an archive for reading: one double click away from running code. */
export const RUNS_AT_ONCE = new Set(
  'exe com scr pif cpl msi hta js jse vbs vbe wsf wsh ps1 bat cmd lnk url scf chm jar settingcontent-ms'.split(' '),
);

/**
 * Names of what is read as often as they are run: source code, and what a build leaves behind. An archive of them is ordinary;
 * one at the top of a small archive is not.
 */
const SOURCES = new Set('js vbs ps1 psm1 bat cmd pyw class dll'.split(' '));
/** Nothing that Windows runs on a double click. */
const NEVER_AT_ONCE = new Set('py sh'.split(' '));

/** Members of an archive that somebody still looks through: in larger ones, a program is found only at the top. */
const FEW_MEMBERS = 20;
/** Members beside which a script is what the archive is sent for, and no part of a program's source. */
const FEW_SOURCES = 10;
/** With no more members, a folder hides nothing. */
const VERY_FEW = 3;
/** What macOS puts beside the members. */
const LEFT_BY_MACOS = /^__MACOSX\/|(?:^|\/)\._|(?:^|\/)\.DS_Store$/;

/** Where a member stands in its archive. */
export interface Placed {
  readonly name: string;
  /** No folder but those that all members stand in: the first thing to see after unpacking. */
  readonly isAtTop: boolean;
  /** Members of the whole archive, folders left out. */
  readonly members: number;
}

/** The members of an archive, by their untrusted paths, with what their place says about them. */
export function placesOf(paths: readonly string[]): Placed[] {
  const names = paths
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !path.endsWith('/') && !LEFT_BY_MACOS.test(path));
  const folders = names.map((name) => name.slice(0, name.lastIndexOf('/') + 1));
  const top = folders.reduce(
    (shortest, folder) => (folder.length < shortest.length ? folder : shortest),
    folders[0] ?? '',
  );
  const isShared = folders.every((folder) => folder.startsWith(top));
  return names.map((name, index) => ({
    name,
    isAtTop: isShared ? folders[index] === top : folders[index] === '',
    members: names.length,
  }));
}

/** Whether a member that runs is put where its reader starts it, by name alone. */
export function isBait({ name, isAtTop, members }: Placed): boolean {
  const extension = extensionOf(name);
  if (!RUN_FROM_ARCHIVES.has(extension) || NEVER_AT_ONCE.has(extension)) return false;
  if (SOURCES.has(extension)) return members <= VERY_FEW || (isAtTop && members <= FEW_SOURCES);
  return isPlain({ isAtTop, members });
}

/** Whether a reader comes across a member without looking for it. */
export function isPlain({ isAtTop, members }: Omit<Placed, 'name'>): boolean {
  return isAtTop || members <= FEW_MEMBERS;
}

/** Extensions that promise something to read or look at. */
export const HARMLESS_EXTENSIONS: ReadonlySet<string> = new Set(HARMLESS_LOOKS);
const DOUBLE_EXTENSION = new RegExp(`\\.(?:${HARMLESS_LOOKS.join('|')})[\\s._]{0,200}\\.([a-z0-9]{1,10})$`, 'i');

/** Whether a name shows the extension of a document before that of a program. */
export function hasDoubleExtension(untrustedName: string): boolean {
  const last = DOUBLE_EXTENSION.exec(untrustedName.slice(-300))?.[1];
  return last !== undefined && RUN_FROM_ARCHIVES.has(last.toLowerCase());
}
