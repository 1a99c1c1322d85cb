/** Judges a file by its claimed names. Programs open a file by its extension, so the most dangerous name counts. */
import type { FileGroup } from '../file-groups.ts';
import { extensionsOfType, FILE_TYPES, groupOf } from '../file-types.ts';
import { SHOWN_AS_TEXT, typeOfActingName } from '../names/acting-names.ts';
import { decodings, extensionReadings } from '../names/name-readings.ts';
import { isSourceName } from '../names/source-names.ts';

const words = (list: string) => new Set(list.trim().split(/\s+/));

/** Extensions of files that a system runs by itself or with an interpreter of its own. */
const SCRIPTS = words(`
  bat cmd js jse mjs cjs vb vbs vbe wsf wsh wsc sct hta ps1 psm1 psd1 ps1xml psc1 sh bash zsh command csh py pyw pyc php phtml
  pl rb lua applescript scpt ahk au3 inf reg jnlp msh1 mshxml bas asp aspx jsp cgi kix paf job ws nsi
`);
/** Extensions of programs, installers and libraries. */
const PROGRAMS = words(`
  exe scr com pif dll ocx cpl sys drv msi msp mst msix appx appxbundle msixbundle jar class war apk dex xap app gadget elf so
  dylib run deb rpm pkg xll wll ppa xla ax efi scf application appref-ms
`);
/** Extensions of shortcuts, queries, containers and help. Their programs run, load or reveal something that the sender chose. */
const OTHERS = words(`
  lnk url website webloc desktop library-ms search-ms searchconnector-ms settingcontent-ms theme themepack deskthemepack
  contact rdp iqy oqy rqy odc udl dqy slk dif chm hlp one onepkg onetoc2 mht mhtml xht xhtml shtml svg svgz xml xsl xslt
  vhd vhdx vmdk img dmg wim swm diagcab msc mad maf mag mam maq mar mas mat mau mav maw mda mdb mde mdt mdw mdz accdb accde
  accda accdr ade adp pub vsd wbk ics vcf vcs csv tsv swf printerexport grp osd isp ins prg
`);

/** Extensions of plain text. A program that opens a text with any other extension may read it as another format. */
const PLAIN = new Set(['', ...SHOWN_AS_TEXT]);

/** Extensions that a page may have. A spreadsheet program would open and calculate a page with the name `a.xls`. */
const PAGES = new Set(['html', 'htm', ...PLAIN]);

/** Bidirectional controls and invisible characters, which make a name look different. */
const INVISIBLE = /\p{Cf}/gu;
/**
 * Programs and systems cut a name at these characters: separators of paths and streams (`a.txt:b.exe`), ends of strings and lines, and
 * white space other than the single blank of ordinary names. Percent-encoded ones count, because some programs decode them.
 */
const CUTS = /[\\/:\p{Cc}\p{Zl}\p{Zp}]|[^\S ]| {2,}/u;
/** Windows opens `a.{3050f4d8-…}` with that class, and does not show the extension. */
const CLASS_ID = /^\{/;

/**
 * Returns the extensions of the pieces into which a name is cut, in lower case and without the dot. Empty for a piece without one. A
 * harmless name must have only harmless ones. `extensionReadings` also lists those that only lenient programs see.
 */
export function extensionsOf(untrustedName: string): string[] {
  const extensions = new Set(decodings(untrustedName).flatMap(extensionsOfPieces));
  return extensions.size > 0 ? [...extensions] : [''];
}

function extensionsOfPieces(name: string): string[] {
  const pieces = name.split(CUTS).map((piece) => piece.normalize('NFKC').replace(INVISIBLE, ''));
  // The number of a time in the middle (`10.02.33\u202fAM.txt`) is no extension.
  return pieces.flatMap((piece, at) =>
    extensionOf(piece).map((extension) => (at < pieces.length - 1 && /^\d{1,4}$/.test(extension) ? '' : extension)),
  );
}

/** Returns the extension of one piece. Windows drops blanks and dots at the end. A piece of only such characters gives none. */
function extensionOf(piece: string): string[] {
  let end = piece.length;
  while (end > 0 && /[\s."'“”]/u.test(piece.charAt(end - 1))) end--;
  if (end === 0) return [];
  const dot = piece.lastIndexOf('.', end - 1);
  return [
    dot === -1
      ? ''
      : piece
          .slice(dot + 1, end)
          .trim()
          .toLowerCase(),
  ];
}

/** Returns the group of a file with a dangerous name, for any bytes. Returns null when no claimed name is dangerous. */
export function dangerOfNames(untrustedNames: readonly string[]): FileGroup | null {
  const extensions = untrustedNames.flatMap((name) => [...extensionReadings(name)]);
  if (extensions.some((extension) => PROGRAMS.has(extension))) return 'executable';
  if (extensions.some((extension) => SCRIPTS.has(extension) || CLASS_ID.test(extension))) return 'script';
  const groups = extensions.map((extension) => typeOfActingName(extension)).map((type) => type && groupOf(type));
  if (groups.includes('script')) return 'script';
  return groups.includes('other') || extensions.some((extension) => OTHERS.has(extension)) ? 'other' : null;
}

/** Returns true when every claimed name is one of plain text. Returns true for a file without a name. */
export function areAllPlainText(untrustedNames: readonly string[]): boolean {
  return untrustedNames.flatMap(extensionsOf).every((extension) => PLAIN.has(extension));
}

/** Returns true when every claimed name is one of a page or of plain text. Returns true for a file without a name. */
export function areAllPages(untrustedNames: readonly string[]): boolean {
  return untrustedNames.flatMap(extensionsOf).every((extension) => PAGES.has(extension));
}

/** Returns true when every claimed name has an extension of this form. Returns true for a file without a name. */
export function areAllCalled(untrustedNames: readonly string[], extensions: RegExp): boolean {
  return untrustedNames.flatMap(extensionsOf).every((extension) => extensions.test(extension));
}

/** Returns true when every claimed name is one of plain text, and at least one has an extension. */
export function isCalledText(untrustedNames: readonly string[]): boolean {
  return areAllPlainText(untrustedNames) && untrustedNames.flatMap(extensionsOf).some((extension) => extension !== '');
}

/** Extensions that some program opens as its own format. */
const OF_A_FORMAT = new Set(FILE_TYPES.flatMap(extensionsOfType));

/**
 * Returns true for an extension of no known format, in lower case. Nobody can say which program opens it. A text with this name gets the
 * name of a text. The same holds for a second download (`a.sql (1)`) and an editor's copy (`a.txt~`).
 */
export function isUnknownName(extension: string): boolean {
  return (
    /^[a-z0-9][a-z0-9_+-]{0,30}(?: \(\d{1,3}\)|~)?$/.test(extension) &&
    !OF_A_FORMAT.has(extension) &&
    !isSourceName(extension)
  );
}

/** Returns true when some claimed name has one of the extensions. */
export function hasExtension(untrustedNames: readonly string[], ...extensions: readonly string[]): boolean {
  return untrustedNames.some((name) => extensions.some((extension) => extensionReadings(name).has(extension)));
}
