/** Searches files that are only a link: .url and .website, .webloc, .desktop, library and search connectors, and .lnk. */
import { asBuffer } from '../../../formats/byte-scan.ts';
import { decodeText } from '../../../formats/charsets/decode-text.ts';
import { createLinkSet, searchOf } from '../link-set.ts';
import { findInBinary, linksWritten } from './binary.ts';
import { isOneOf, type UrlExtractor } from './source.ts';

const TYPES =
  /^(?:application\/(?:internet-shortcut|x-mswinurl|x-url|x-ms-shortcut|x-desktop)|text\/(?:uri-list|x-uri|x-url))$/;
const EXTENSIONS =
  /^(?:url|website|webloc|desktop|lnk|library-ms|search-ms|searchconnector-ms|theme|settingcontent-ms|rdp|iqy|appref-ms|application|scf|inf|contact)$/;
/** The header size and class identifier of a shell link (MS-SHLLINK §2.1). */
const SHELL_LINK = Buffer.from('4c0000000114020000000000c000000000000046', 'hex');
/** `URL=…` or `IconFile=…` with a scheme of two letters or more. One letter is a drive. */
const SETTING = /^[ \t]*[A-Za-z0-9_.-]{1,64}[ \t]*=[ \t]*"?([a-z][a-z0-9+.-]+:[^\r\n"]+)/gim;

export const shortcut: UrlExtractor = {
  name: 'shortcut',
  accepts: (source) => isOneOf(source, TYPES, EXTENSIONS) || isShellLink(source.bytes),
  async find({ bytes, charset }, { limits }) {
    if (bytes.length > limits.textBytes) return { urls: [], notSearched: [`a shortcut of ${bytes.length} bytes`] };
    const place = { where: 'document', rank: 0 } as const;
    const written = linksWritten(limits);
    findInBinary(asBuffer(bytes), place, written);
    if (isShellLink(bytes)) return searchOf([written], WHOLE);
    const text = decodeText(bytes, charset);
    const settings = createLinkSet(limits);
    for (const match of text.matchAll(SETTING)) settings.add(match[1] ?? '', place);
    settings.addText(text, place, true);
    return searchOf([settings, written], WHOLE);
  },
};

const WHOLE = 'all of a shortcut';

function isShellLink(bytes: Uint8Array): boolean {
  return bytes.length >= SHELL_LINK.length && SHELL_LINK.equals(bytes.subarray(0, SHELL_LINK.length));
}
