/** OpenDocument files for tests, small and inert. */
import { createCipheriv, createHash, pbkdf2Sync } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { buildZip } from '../../fixtures/build-office.ts';

const OASIS = 'urn:oasis:names:tc:opendocument:xmlns:';
const NAMESPACES = [
  ...['office', 'style', 'text', 'table', 'meta', 'presentation', 'script', 'form', 'config'].map(
    (name) => `xmlns:${name}="${OASIS}${name}:1.0"`,
  ),
  `xmlns:draw="${OASIS}drawing:1.0"`,
  `xmlns:fo="${OASIS}xsl-fo-compatible:1.0"`,
  `xmlns:svg="${OASIS}svg-compatible:1.0"`,
  `xmlns:anim="${OASIS}animation:1.0"`,
  'xmlns:xlink="http://www.w3.org/1999/xlink"',
  'xmlns:dc="http://purl.org/dc/elements/1.1/"',
  'xmlns:ooo="http://openoffice.org/2004/office"',
  'xmlns:math="http://www.w3.org/1998/Math/MathML"',
].join(' ');

export const TEXT = 'application/vnd.oasis.opendocument.text';
export const SPREADSHEET = 'application/vnd.oasis.opendocument.spreadsheet';
export const PRESENTATION = 'application/vnd.oasis.opendocument.presentation';

const BODIES: Readonly<Record<string, string>> = {
  [TEXT]: 'text',
  [SPREADSHEET]: 'spreadsheet',
  [PRESENTATION]: 'presentation',
};

export interface OdfOptions {
  readonly type?: string;
  /** Markup inside the body. */
  readonly body?: string;
  /** Markup before the body. */
  readonly before?: string;
  readonly styles?: string;
  readonly meta?: string;
  readonly settings?: string;
  readonly parts?: readonly (readonly [name: string, content: string | Uint8Array])[];
  readonly manifest?: string;
}

const root = (name: string, content: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<office:${name} ${NAMESPACES} office:version="1.3">${content}</office:${name}>`;

function bodyOf({ type = TEXT, body = '' }: OdfOptions): string {
  const name = BODIES[type] ?? 'text';
  return `<office:body><office:${name}>${body}</office:${name}></office:body>`;
}

/** The entries of a package. */
export function odfEntries(options: OdfOptions): [string, string | Uint8Array][] {
  const { type = TEXT, before = '', styles = '', meta = '', settings = '', parts = [] } = options;
  return [
    ['mimetype', type],
    ['content.xml', root('document-content', before + bodyOf(options))],
    ['styles.xml', root('document-styles', styles)],
    ['meta.xml', root('document-meta', `<office:meta>${meta}</office:meta>`)],
    ['settings.xml', root('document-settings', `<office:settings>${settings}</office:settings>`)],
    ...parts.map(([name, content]): [string, string | Uint8Array] => [name, content]),
    ['META-INF/manifest.xml', options.manifest ?? manifestOf(type, '')],
  ];
}

export async function buildOdf(options: OdfOptions): Promise<Uint8Array> {
  return buildZip(odfEntries(options));
}

export function buildFlatOdf(options: OdfOptions): string {
  const { type = TEXT, before = '' } = options;
  return root('document', before + bodyOf(options)).replace(
    ' office:version',
    ` office:mimetype="${type}" office:version`,
  );
}

function manifestOf(type: string, rows: string): string {
  const entry = `<manifest:file-entry manifest:full-path="/" manifest:version="1.3" manifest:media-type="${type}"/>`;
  return `<manifest:manifest xmlns:manifest="${OASIS}manifest:1.0" manifest:version="1.3">${entry}${rows}</manifest:manifest>`;
}

export interface EncryptionOptions {
  readonly algorithm?: string;
  readonly iterations?: number;
}

/** A text encrypted as LibreOffice does it: AES-256-CBC, PBKDF2, SHA-256; fixed salts, so that tests repeat. */
export async function buildEncryptedOdf(
  options: OdfOptions,
  password: string,
  how: EncryptionOptions = {},
): Promise<Uint8Array> {
  const { algorithm = 'http://www.w3.org/2001/04/xmlenc#aes256-cbc', iterations = 1_000 } = how;
  const salt = Buffer.alloc(16, 7);
  const iv = Buffer.alloc(16, 9);
  const key = pbkdf2Sync(createHash('sha256').update(password).digest(), salt, iterations, 32, 'sha1');
  let rows = '';
  const entries = odfEntries(options).map(([name, content]): [string, string | Uint8Array] => {
    if (name === 'mimetype' || name.startsWith('META-INF/')) return [name, content];
    const packed = deflateRawSync(typeof content === 'string' ? Buffer.from(content) : content);
    const cipher = createCipheriv('aes-256-cbc', key, iv);
    const checksum = createHash('sha256').update(packed.subarray(0, 1_024)).digest('base64');
    rows +=
      `<manifest:file-entry manifest:full-path="${name}" manifest:media-type="text/xml" manifest:size="${content.length}">` +
      `<manifest:encryption-data manifest:checksum-type="${OASIS}manifest:1.0#sha256-1k" manifest:checksum="${checksum}">` +
      `<manifest:algorithm manifest:algorithm-name="${algorithm}" manifest:initialisation-vector="${iv.toString('base64')}"/>` +
      '<manifest:start-key-generation manifest:start-key-generation-name="http://www.w3.org/2000/09/xmldsig#sha256" manifest:key-size="32"/>' +
      `<manifest:key-derivation manifest:key-derivation-name="PBKDF2" manifest:key-size="32" manifest:iteration-count="${iterations}" ` +
      `manifest:salt="${salt.toString('base64')}"/></manifest:encryption-data></manifest:file-entry>`;
    return [name, Buffer.concat([cipher.update(packed), cipher.final()])];
  });
  entries[entries.length - 1] = ['META-INF/manifest.xml', manifestOf(TEXT, rows)];
  return buildZip(entries);
}
