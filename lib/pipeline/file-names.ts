/** What a claimed name says about a file. Programs open a file by its extension, so the most dangerous name claimed counts. */
import type { TypeGroup } from './model.ts';

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
  accda accdr ade adp pub vsd vsdm wbk ics vcf vcs csv tsv rtf swf printerexport grp osd isp ins prg
`);

/** Extensions of plain text. Every other name makes a text something else to the program that opens it. */
const PLAIN = new Set(['', 'txt', 'text', 'log', 'md', 'asc']);

/** Characters that show a name other than it is: bidirectional controls, and what cannot be seen. */
const INVISIBLE = /[\p{Cc}\p{Cf}]/gu;
/** Names are looked at up to this length from their end, where the extension is. */
const NAME_LENGTH = 300;

/**
 * The extension a program goes by, lower case, without the dot; empty when there is none. Windows drops blanks and dots at the
 * end and everything from a colon on (alternate streams).
 */
export function extensionOf(untrustedName: string): string {
  const name = untrustedName.slice(-NAME_LENGTH).replace(INVISIBLE, '');
  const file = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  const stream = file.indexOf(':') > 1 ? file.slice(0, file.indexOf(':')) : file;
  const bare = withoutTail(stream);
  const dot = bare.lastIndexOf('.');
  return dot === -1
    ? ''
    : bare
        .slice(dot + 1)
        .trim()
        .toLowerCase();
}

function withoutTail(name: string): string {
  let end = name.length;
  while (end > 0 && /[\s."'“”]/u.test(name.charAt(end - 1))) end--;
  return name.slice(0, end);
}

/** The group a dangerous name puts a file into whatever its bytes are, or null when no name claimed is dangerous. */
export function dangerOf(untrustedNames: readonly string[]): TypeGroup | null {
  const extensions = untrustedNames.map(extensionOf);
  if (extensions.some((extension) => PROGRAMS.has(extension))) return 'executable';
  if (extensions.some((extension) => SCRIPTS.has(extension))) return 'script';
  return extensions.some((extension) => OTHERS.has(extension)) ? 'other' : null;
}

/** True when every name claimed is one of a plain text. A file without a name is. */
export function areAllPlainText(untrustedNames: readonly string[]): boolean {
  return untrustedNames.every((name) => PLAIN.has(extensionOf(name)));
}

/** True when some name claimed has one of the extensions. */
export function hasExtension(untrustedNames: readonly string[], ...extensions: readonly string[]): boolean {
  return untrustedNames.some((name) => extensions.includes(extensionOf(name)));
}
