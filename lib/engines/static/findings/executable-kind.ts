/** Recognises programs by their bytes and by their names. */
import { extensionOf } from '../../../formats/detection/detect.ts';
import { detectCfb } from '../../../formats/detection/detect-container.ts';
import { HARMLESS_LOOKS, RUN_FROM_ARCHIVES } from '../../../formats/names/acting-names.ts';

const PROGRAM_STARTS = ['\x7fELF', '\xca\xfe\xba\xbe', '\xcf\xfa\xed\xfe', '\xce\xfa\xed\xfe', 'L\0\0\0\x01\x14\x02\0'];

/** Returns true when bytes start like something that runs, under any name. */
export function isProgram(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 8)).toString('latin1');
  if (PROGRAM_STARTS.some((magic) => start.startsWith(magic))) return true;
  return (start.startsWith('MZ') && bytes.length > 64) || detectCfb(bytes) === 'application/x-msi';
}

/** Extensions of files that run on a double click. Nobody sends them in an archive for reading. */
export const RUNS_AT_ONCE = new Set(
  'exe com scr pif cpl msi hta js jse vbs vbe wsf wsh ps1 bat cmd lnk url scf chm jar settingcontent-ms'.split(' '),
);

/**
 * Extensions of files that people read as often as they run them: source code, and files of a build. An archive of many is ordinary. One at
 * the top of a small archive is not.
 */
const SOURCES = new Set('js vbs ps1 psm1 bat cmd pyw class dll'.split(' '));
/** Extensions of files that Windows does not run on a double click. */
const NEVER_AT_ONCE = new Set('py sh'.split(' '));

/** The most members of an archive that a person still looks through. In a larger one, a person only finds programs at the top. */
const FEW_MEMBERS = 20;
/** With at most this many members, a script is the purpose of the archive, and not part of a program's source. */
const FEW_SOURCES = 10;
/** With at most this many members, a folder hides nothing. */
const VERY_FEW = 3;
/** Files that macOS adds to archives. */
const LEFT_BY_MACOS = /^__MACOSX\/|(?:^|\/)\._|(?:^|\/)\.DS_Store$/;

/** The place of a member in its archive. */
export interface Placed {
  readonly name: string;
  /** True when the member is only in folders that hold all members, so that a person sees it first after unpacking. */
  readonly isAtTop: boolean;
  /** The number of members of the whole archive, without folders. */
  readonly members: number;
}

/** Returns the places of the members of an archive, by their untrusted paths. */
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

/** Returns true when a member runs and is at a place where its reader will start it. Only its name is checked. */
export function isBait({ name, isAtTop, members }: Placed): boolean {
  const extension = extensionOf(name);
  if (!RUN_FROM_ARCHIVES.has(extension) || NEVER_AT_ONCE.has(extension)) return false;
  if (SOURCES.has(extension)) return members <= VERY_FEW || (isAtTop && members <= FEW_SOURCES);
  return isPlain({ isAtTop, members });
}

/** Returns true when a reader sees a member without searching for it. */
export function isPlain({ isAtTop, members }: Omit<Placed, 'name'>): boolean {
  return isAtTop || members <= FEW_MEMBERS;
}

/** Extensions of files to read or look at. */
export const HARMLESS_EXTENSIONS: ReadonlySet<string> = new Set(HARMLESS_LOOKS);
const DOUBLE_EXTENSION = new RegExp(`\\.(?:${HARMLESS_LOOKS.join('|')})[\\s._]{0,200}\\.([a-z0-9]{1,10})$`, 'i');

/** Returns true when a name shows the extension of a document before that of a program. */
export function hasDoubleExtension(untrustedName: string): boolean {
  const last = DOUBLE_EXTENSION.exec(untrustedName.slice(-300))?.[1];
  return last !== undefined && RUN_FROM_ARCHIVES.has(last.toLowerCase());
}
