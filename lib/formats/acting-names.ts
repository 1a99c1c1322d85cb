/**
 * Names that make a program run a text, or act on it, whatever it looks like: the extension alone decides. What is not here and no name
 * of a text that is only shown is for a program that nobody here knows.
 */
import type { FileType } from './file-types.ts';

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
