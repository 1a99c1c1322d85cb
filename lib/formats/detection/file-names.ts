/** What a claimed name says about a file. Programs open a file by its extension, so the most dangerous name claimed counts. */

import type { FileGroup } from '../file-groups.ts';
import { groupOf } from '../file-types.ts';
import { SHOWN_AS_TEXT, typeOfActingName } from '../names/acting-names.ts';
import { decodings, extensionReadings } from '../names/name-readings.ts';

const words = (list: string) => new Set(list.trim().split(/\s+/));

/** Run by the system or by an interpreter it brings along. */
const SCRIPTS = words(`
  bat cmd js jse mjs cjs vb vbs vbe wsf wsh wsc sct hta ps1 psm1 psd1 ps1xml psc1 sh bash zsh command csh py pyw pyc php phtml
  pl rb lua applescript scpt ahk au3 inf reg jnlp msh1 mshxml bas asp aspx jsp cgi kix paf job ws nsi
`);
/** Programs, installers and libraries. */
const PROGRAMS = words(`
  exe scr com pif dll ocx cpl sys drv msi msp mst msix appx appxbundle msixbundle jar class war apk dex xap app gadget elf so
  dylib run deb rpm pkg xll wll ppa xla ax efi scf application appref-ms
`);
/** Opened by something that then runs, loads or reveals what the sender chose: shortcuts, queries, containers, help. */
const OTHERS = words(`
  lnk url website webloc desktop library-ms search-ms searchconnector-ms settingcontent-ms theme themepack deskthemepack
  contact rdp iqy oqy rqy odc udl dqy slk dif chm hlp one onepkg onetoc2 mht mhtml xht xhtml shtml svg svgz xml xsl xslt xps
  vhd vhdx vmdk img dmg wim swm diagcab msc mad maf mag mam maq mar mas mat mau mav maw mda mdb mde mdt mdw mdz accdb accde
  accda accdr ade adp pub vsd vsdm wbk ics vcf vcs csv tsv swf printerexport grp osd isp ins prg
`);

/** Extensions of plain text. Every other name makes a text something else to the program that opens it. */
const PLAIN = new Set(['', ...SHOWN_AS_TEXT]);

/** A page may be called this and nothing else: a page called `a.xls` is opened, and calculated, by a spreadsheet program. */
const PAGES = new Set(['html', 'htm', ...PLAIN]);

/** Characters that show a name other than it is: bidirectional controls, and what cannot be seen. */
const INVISIBLE = /\p{Cf}/gu;
/**
 * Where programs and systems cut a name: paths, streams (`a.txt:b.exe`), what ends a string or a line, white space but for
 * the single blank that ordinary names are full of. Percent-encoded ones count, because somebody decodes them.
 */
const CUTS = /[\\/:\p{Cc}\p{Zl}\p{Zp}]|[^\S ]| {2,}/u;
/** `a.{3050f4d8-…}`: Windows opens it with the class, and does not show it. */
const CLASS_ID = /^\{/;

/**
 * The extensions of the pieces that a name is cut into, lower case, without the dot; empty for a piece without one. What a file
 * may be called must hold of all of them; `extensionReadings` has the ones that only a lenient program sees.
 */
export function extensionsOf(untrustedName: string): string[] {
  const extensions = new Set(decodings(untrustedName).flatMap(extensionsOfPieces));
  return extensions.size > 0 ? [...extensions] : [''];
}

function extensionsOfPieces(name: string): string[] {
  const pieces = name.split(CUTS).map((piece) => piece.normalize('NFKC').replace(INVISIBLE, ''));
  // A time in the middle (`10.02.33\u202fAM.txt`) is no extension of anything.
  return pieces.flatMap((piece, at) =>
    extensionOf(piece).map((extension) => (at < pieces.length - 1 && /^\d{1,4}$/.test(extension) ? '' : extension)),
  );
}

/** Windows drops blanks and dots at the end. None for a piece that is nothing else. */
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

/** The group a dangerous name puts a file into whatever its bytes are, or null when no name claimed is dangerous. */
export function dangerOfNames(untrustedNames: readonly string[]): FileGroup | null {
  const extensions = untrustedNames.flatMap((name) => [...extensionReadings(name)]);
  if (extensions.some((extension) => PROGRAMS.has(extension))) return 'executable';
  if (extensions.some((extension) => SCRIPTS.has(extension) || CLASS_ID.test(extension))) return 'script';
  const groups = extensions.map((extension) => typeOfActingName(extension)).map((type) => type && groupOf(type));
  if (groups.includes('script')) return 'script';
  return groups.includes('other') || extensions.some((extension) => OTHERS.has(extension)) ? 'other' : null;
}

/** True when every name claimed is one of a plain text. A file without a name is. */
export function areAllPlainText(untrustedNames: readonly string[]): boolean {
  return untrustedNames.flatMap(extensionsOf).every((extension) => PLAIN.has(extension));
}

/** True when every name claimed is one of a page or says nothing. A file without a name is. */
export function areAllPages(untrustedNames: readonly string[]): boolean {
  return untrustedNames.flatMap(extensionsOf).every((extension) => PAGES.has(extension));
}

/** True when every name claimed has an extension of this form. A file without a name is. */
export function areAllCalled(untrustedNames: readonly string[], extensions: RegExp): boolean {
  return untrustedNames.flatMap(extensionsOf).every((extension) => extensions.test(extension));
}

/** True when some name claimed ends in one of the plain text extensions, so that it is no guess. */
export function isCalledText(untrustedNames: readonly string[]): boolean {
  return areAllPlainText(untrustedNames) && untrustedNames.flatMap(extensionsOf).some((extension) => extension !== '');
}

/** True when some name claimed has one of the extensions. */
export function hasExtension(untrustedNames: readonly string[], ...extensions: readonly string[]): boolean {
  return untrustedNames.some((name) => extensions.some((extension) => extensionReadings(name).has(extension)));
}
