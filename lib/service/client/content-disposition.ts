/** File names of downloads (RFC 6266, RFC 8187): the name from the service, and the safe name that may become a path. */

/** The most parameters. No honest header has more, and thousands would only take time. */
const MAX_HEADER_LENGTH = 8 * 1024;
const PARAMETER = /;\s*([\w!#$&+.^`|~-]+\*?)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;"\s]*))/g;

/**
 * Returns the unchanged name from a Content-Disposition header; null when it has none. `filename*` is preferred at any place. The name is
 * not fit for a path: see `safeFileName`.
 *
 * @example
 * ```ts
 * dispositionFilename("attachment; filename*=UTF-8''na%C3%AFve.zip"); // => 'naïve.zip'
 * ```
 */
export function dispositionFilename(header: string | null): string | null {
  const found = new Map<string, string>();
  for (const [, key = '', quotedText, token = ''] of (header ?? '').slice(0, MAX_HEADER_LENGTH).matchAll(PARAMETER)) {
    const name = key.toLowerCase();
    // The first one counts. A second one could only exist to mislead another program.
    if (!found.has(name)) found.set(name, quotedText === undefined ? token : quotedText.replace(/\\(.)/g, '$1'));
  }
  const extended = extendedValue(found.get('filename*'));
  const plain = found.get('filename');
  return extended ?? (plain === undefined ? null : fromLatin1(plain));
}

/** Decodes `UTF-8''na%C3%AFve.zip`. Returns null when it is not well formed, so that the plain name is used instead. */
function extendedValue(value: string | undefined): string | null {
  const [, charset = '', encoded = ''] = /^(utf-8|iso-8859-1)'[^']*'(.*)$/i.exec(value ?? '') ?? [];
  if (encoded === '') return null;
  try {
    if (charset.toLowerCase() === 'utf-8') return decodeURIComponent(encoded);
    return encoded.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  } catch {
    return null;
  }
}

/** Decodes a header. Each header byte arrives as one character, but many services send UTF-8 in headers. */
function fromLatin1(text: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'latin1'));
  } catch {
    return text;
  }
}

const MAX_NAME_LENGTH = 120;
const MAX_EXTENSION_LENGTH = 16;
/** Names that mean a device on Windows, with any extension. */
const DEVICE_NAME = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i;

/**
 * Returns a name that may become one segment of a path on any system: It has no directories, no acting characters (controls, direction
 * marks that turn `fdp.exe` around), no hidden part, no device name, and a limited length. `download` when nothing is left.
 *
 * @example
 * ```ts
 * safeFileName('../../etc/passwd'); // => 'passwd'
 * ```
 */
export function safeFileName(untrustedName: string | null): string {
  const last = (untrustedName ?? '').slice(-4_096).split(/[\\/]/).at(-1) ?? '';
  const clean = last
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0\ufffd]/gu, '')
    .replace(/[<>:"|?*;%]/g, '_')
    .replace(/^[\s.]+|[\s.]+$/g, '');
  const named = DEVICE_NAME.test(clean) ? `_${clean}` : clean;
  return shortened(named) || 'download';
}

/** Cuts the name before its extension, so that a long name keeps the extension. */
function shortened(name: string): string {
  const characters = [...name];
  if (characters.length <= MAX_NAME_LENGTH && Buffer.byteLength(name) <= 2 * MAX_NAME_LENGTH) return name;
  const dot = characters.lastIndexOf('.');
  const extension = dot > 0 && characters.length - dot <= MAX_EXTENSION_LENGTH ? characters.slice(dot) : [];
  const stem = characters.slice(0, extension.length > 0 ? dot : undefined);
  while (stem.length + extension.length > MAX_NAME_LENGTH || Buffer.byteLength(stem.join('')) > MAX_NAME_LENGTH)
    stem.pop();
  return stem.join('') + extension.join('');
}
