/** Lists extensions by which a program runs a file or acts on it, for any content. */
import type { FileType } from '../file-types.ts';

/**
 * Extensions by which a program runs a text or acts on it, with the resulting type. Any other extension, except those of plain text,
 * belongs to an unknown program.
 */
const NAMES: readonly (readonly [FileType, string])[] = [
  ['text/javascript', 'js mjs cjs jse'],
  ['text/vbscript', 'vbs vbe vb bas'],
  ['application/x-powershell', 'ps1 psm1 psd1 ps1xml psc1 cdxml'],
  ['text/x-msdos-batch', 'bat cmd'],
  ['application/hta', 'hta'],
  ['application/x-wsf', 'wsf wsh'],
  ['text/scriptlet', 'wsc sct'],
  ['text/x-shellscript', 'sh bash zsh csh ksh command'],
  ['text/x-python', 'py pyw'],
  [
    'text/x-script',
    `script php pl rb lua applescript ahk au3 r jl hs tcl groovy kts csx fsx exs awk inf desktop jnlp jnlps xsl xslt msc application pif
     mof vsto xbap tool terminal workflow`,
  ],
  ['text/x-ms-regedit', 'reg'],
  ['text/x-ms-iqy', 'iqy oqy rqy dqy odc udl dsn'],
  ['application/x-sylk', 'slk'],
  ['application/x-mswinurl', 'url website webloc inetloc fileloc afploc ftploc vncloc'],
  [
    'application/x-ms-link-file',
    'lnk scf library-ms search-ms searchconnector-ms settingcontent-ms appref-ms contact group theme osdx rdp rdg',
  ],
  // Connections and forms. A program dials, signs in or runs a command by them.
  [
    'application/x-acting-settings',
    `ica ovpn pcf nmconnection vnc remmina tsclient fdf xfdf xdp mobileconfig mobileprovision ins isp nsconfig msrcincident
     diagcfg wcx glox grp torrent strm m3u m3u8 pls asx wax wvx wmx wpl xspf smil ram qtl acsm printerexport`,
  ],
];

const TYPES: ReadonlyMap<string, FileType> = new Map(
  NAMES.flatMap(([type, list]) => list.split(/\s+/).map((extension) => [extension, type] as const)),
);

/**
 * Returns the type of a text with this extension to the program that opens it. Returns null if no program acts on it. In lower case,
 * without the dot.
 */
export function typeOfActingName(extension: string): FileType | null {
  return TYPES.get(extension) ?? null;
}

const words = (list: string): readonly string[] => list.trim().split(/\s+/);

/** Extensions that Windows, macOS or Linux run or follow on a double click. Disarmed archives and mails hold no such file. */
export const RUN_BY_NAME: ReadonlySet<string> = new Set(
  words(`
    exe com scr pif cpl dll sys ocx msi msp mst msix appx xll wll jar class apk app gadget application appref-ms
    js jse vbs vbe ps1 psm1 bat cmd hta wsf wsh wsc sct sh command py pyw inf reg jnlp
    lnk url scf desktop library-ms search-ms searchconnector-ms settingcontent-ms rdp iqy slk chm hlp one
  `),
);
/** Extensions of disk images. They open like folders, and their files run without the warning for files from the internet. */
const DISK_IMAGES = ['iso', 'img', 'vhd', 'vhdx'];
/** Extensions that the static engine treats as programs in an archive. A disarm recognises disk images and packages by their bytes. */
export const RUN_FROM_ARCHIVES: ReadonlySet<string> = new Set([
  ...RUN_BY_NAME,
  ...DISK_IMAGES,
  ...['deb', 'dmg', 'elf', 'pkg', 'rpm'],
]);
/** Extensions that cause a warning in a mail. The last four are left out for archives, because archives of source code are full of them. */
export const RUN_FROM_MAIL: ReadonlySet<string> = new Set([
  ...RUN_BY_NAME,
  ...DISK_IMAGES,
  ...['pl', 'rb', 'vb', 'ws'],
]);

/** Extensions that programs only show as text. Mail, scripts and tables in such a file do nothing. */
export const SHOWN_AS_TEXT = ['txt', 'text', 'log', 'md', 'asc'] as readonly string[];

/** Extensions that people associate with something to read or view. */
export const HARMLESS_LOOKS = words(`
  pdf doc docx docm xls xlsx xlsm ppt pptx rtf odt ods odp txt csv htm html jpg jpeg png gif bmp tif tiff webp svg mp3 mp4 wav zip
  eml msg ics
`);

/**
 * Returns whether a file manager follows a file of this name for the folder around it: it fetches an icon from the network, or starts a
 * program. `name` is one name without folders. Blanks and dots at its end do not count, because Windows drops them.
 */
export const setsFolder = (name: string): boolean =>
  /^(?:desktop\.ini|folder\.htt|\.directory)$/i.test(name.trim().replace(/[\s.]+$/, ''));
