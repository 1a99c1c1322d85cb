/** Names that make a program run a file, or act on it, whatever it holds: the extension alone decides. */
import type { FileType } from '../file-types.ts';

/**
 * What makes a program run a text or act on it. An extension that is not here, and that no text has which is only shown, is for a
 * program that nobody here knows.
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
    'php pl rb lua applescript ahk au3 inf desktop jnlp jnlps xsl xslt msc application pif mof vsto xbap tool terminal workflow',
  ],
  ['text/x-ms-regedit', 'reg'],
  ['text/x-ms-iqy', 'iqy oqy rqy dqy odc udl dsn'],
  ['application/x-sylk', 'slk'],
  ['application/x-mswinurl', 'url website webloc inetloc fileloc afploc ftploc vncloc'],
  [
    'application/x-ms-link-file',
    'lnk scf library-ms search-ms searchconnector-ms settingcontent-ms appref-ms contact group theme osdx rdp rdg',
  ],
  // Connections and forms: a program dials, signs in or runs a command as they say.
  [
    'application/x-acting-settings',
    `ica ovpn pcf nmconnection vnc remmina tsclient fdf xfdf xdp mobileconfig mobileprovision ins isp nsconfig msrcincident
     diagcfg wcx glox grp torrent strm m3u m3u8 pls asx wax wvx wmx wpl xspf smil ram qtl acsm printerexport`,
  ],
];

const TYPES: ReadonlyMap<string, FileType> = new Map(
  NAMES.flatMap(([type, list]) => list.split(/\s+/).map((extension) => [extension, type] as const)),
);

/** What a text of this name is to the program that opens it; null for a name that makes none act. Lower case, without the dot. */
export function typeOfActingName(extension: string): FileType | null {
  return TYPES.get(extension) ?? null;
}

const words = (list: string): readonly string[] => list.trim().split(/\s+/);

/** What Windows, macOS or Linux run or follow on a double click. Disarmed archives and mails hold no file of such a name. */
export const RUN_BY_NAME: ReadonlySet<string> = new Set(
  words(`
    exe com scr pif cpl dll sys ocx msi msp mst msix appx xll wll jar class apk app gadget application appref-ms
    js jse vbs vbe ps1 psm1 bat cmd hta wsf wsh wsc sct sh command py pyw inf reg jnlp
    lnk url scf desktop library-ms search-ms searchconnector-ms settingcontent-ms rdp iqy slk chm hlp one
  `),
);
/** Opened like folders: what is in them runs without the warning that files from the internet carry. */
const DISK_IMAGES = words('iso img vhd vhdx');
/** What the static engine takes for a program in an archive. A disarm tells disk images and packages by their bytes, and refuses them. */
export const RUN_FROM_ARCHIVES: ReadonlySet<string> = new Set([
  ...RUN_BY_NAME,
  ...DISK_IMAGES,
  ...words('deb dmg elf pkg rpm'),
]);
/** What a mail is warned of. Archives of source code are full of the last four. */
export const RUN_FROM_MAIL: ReadonlySet<string> = new Set([...RUN_BY_NAME, ...DISK_IMAGES, ...words('pl rb vb ws')]);

/** Opened by programs that show text and do nothing else: mail, scripts and tables quoted in it are words. */
export const SHOWN_AS_TEXT = words('txt text log md asc');

/** What people take for something to read or look at when they see it in a name. */
export const HARMLESS_LOOKS = words(`
  pdf doc docx docm xls xlsx xlsm ppt pptx rtf odt ods odp txt csv htm html jpg jpeg png gif bmp tif tiff webp svg mp3 mp4 wav zip
  eml msg ics
`);
