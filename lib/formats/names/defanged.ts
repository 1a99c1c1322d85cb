/**
 * Writes text of strangers into notices, reports and lists of removals, so that no program makes a link of it. That includes programs that
 * guess links in plain text. Every character that joins the pieces of an address is put into brackets. Only names that no program links
 * stay unchanged (`KEPT_ENDS`).
 */

/**
 * File name extensions that are no top-level domains, so that `invoice.docm` can be shown unchanged. A test compares them with the list
 * of domains. Any other extension counts as a domain.
 */
export const KEPT_ENDS: ReadonlySet<string> = new Set(
  [
    'txt text log ini cfg conf json xml csv tsv htm html xhtml mht mhtml css svg eml msg ics vcf rtf pdf xps',
    'doc docx docm dotx dotm xls xlsx xlsm xlsb xlt xltx xltm xla xlam xll ppt pptx pptm pps ppsx ppsm pot potx potm',
    'odt ods odp odg ots otp onenote wps jpg jpeg png gif bmp tif tiff webp ico emf wmf mp3 mp4 wav avi',
    'rar 7z gz bz2 xz tgz tar iso img vhd vhdx dmg jar exe dll scr pif cpl msi msp msix bat cmd ps1 psm1 vbs vbe js jse',
    'wsf wsh hta lnk url inf reg chm hlp scf sct jnlp class apk rdp iqy slk desktop ttf otf woff woff2 dat bin bak tmp rels',
  ].flatMap((line) => line.split(' ')),
);

/**
 * Characters that some program takes for the dot of a host (UTS #46 and NFKC). Those for the colon, the at sign and the slashes of
 * a URL follow.
 */
const DOTS = /[.\u2024\u3002\ufe52\uff0e\uff61]/u;
/** The end of a sentence, and not a dot inside a word. A blank, or a mark and a blank, follows it. */
const INNER_DOT = new RegExp(`(?<=\\S)${DOTS.source}(?=[^\\s\\[\\]])(?![;,)]{1,3}(?:\\s|$))`, 'gu');
const SCHEME_COLON = /(?<!\[)[:\ufe55\uff1a\ua789](?=[^\s\]])/gu;
const AT = /(?<!\[)[@\ufe6b\uff20](?!\])/gu;
/** A slash behind another, as in a share or a host without a scheme. Behind a broken colon it is harmless. */
const SECOND_SLASH = /(?<=[/\\\u2044\u2215\uff0f\uff3c])(?:(?<!\[:\]\/)\/|[\\\u2044\u2215\uff0f\uff3c])/gu;

/** Returns true for `1.5` and `12:30` between blanks. Two numbers make no host and no scheme. */
const isNumber = (mark: string, text: string, at: number) =>
  /[.:]/.test(mark) &&
  /(?:^|[\s(])\d{1,9}$/.test(text.slice(Math.max(0, at - 10), at)) &&
  /^\d{1,9}(?:[!~]\d|(?:[),;:]|\.(?=\s|$))?(?:\s|$))/.test(text.slice(at + 1, at + 14));

/** Returns true for the dot before an extension that no program links, as in `document.xml.rels`. */
function isKeptEnd(mark: string, text: string, at: number): boolean {
  const rest = text.slice(at + 1, at + 40);
  const ends = /^([a-z0-9]{1,8}(?:\.[a-z0-9]{1,8}){0,2})(?:["'),;\]]|\.(?=\s|$)){0,3}(?:\s|$)/i.exec(rest)?.[1];
  return (
    mark === '.' &&
    ends !== undefined &&
    ends
      .toLowerCase()
      .split('.')
      .every((end) => KEPT_ENDS.has(end))
  );
}

/** Returns the text with every scheme, host, share and address broken. A second call changes nothing. */
export function defanged(untrusted: string): string {
  return untrusted
    .replace(/(?<![\p{L}\p{N}])h(tt|xx)p(?=s?\s{0,3}(?:[:\ufe55\uff1a\ua789]|\[:))/giu, 'hxxp')
    .replace(SCHEME_COLON, (mark, at: number, text: string) => (isNumber(mark, text, at) ? mark : '[:]'))
    .replace(SECOND_SLASH, '[$&]')
    .replace(AT, '[@]')
    .replace(INNER_DOT, (mark, at: number, text: string) =>
      isNumber(mark, text, at) || isKeptEnd(mark, text, at) ? mark : '[.]',
    );
}

/** Returns an address as it was before `defanged`, for searches, because people paste text from a page. Never show the result. */
export function mended(text: string): string {
  return text.replace(/\[([.:@/\\])\]/g, '$1').replace(/^hxxp/i, 'http');
}
