/**
 * The tricks that hide an attachment from a reader, one small change each. They compose: a mail takes one of every kind.
 * Text is latin1 with CRLF lines.
 */

/** A mail that is being made hostile. Each trick changes one property of it. */
export interface Draft {
  /** Of the message itself; the Content-Type of a multipart is written from `boundaryParam`. */
  rootHeader: string;
  boundary: string;
  /** What follows `Content-Type: multipart/mixed`. */
  boundaryParam: string;
  delimiter: string;
  closing: string;
  partHeader: string;
  /** Between the header of the payload's part and its body. */
  separator: string;
  /** Content-Transfer-Encoding lines. */
  encodingLines: string;
  body: string;
  /** Set when the payload is written into a text instead of a part of its own. */
  text: string;
}

export interface Trick {
  readonly name: string;
  apply(draft: Draft, payload: Buffer, next: () => number): void;
}

const trick = (name: string, apply: Trick['apply'] = () => undefined): Trick => ({ name, apply });
const lines76 = (text: string) => text.replace(/.{76}/g, '$&\r\n');
const base64 = (payload: Buffer) => lines76(payload.toString('base64'));
const BASE64_LINE = 'Content-Transfer-Encoding: base64\r\n';

/** How the parts are separated. */
export const BOUNDARY_TRICKS: readonly Trick[] = [
  trick('plain boundary'),
  trick('blanks behind the delimiters', (draft) => {
    draft.delimiter += ' \t';
    draft.closing += '  ';
  }),
  trick('boundary in the other case', (draft) => {
    draft.boundaryParam = `; boundary="${draft.boundary.toUpperCase()}"`;
  }),
  trick('no boundary named', (draft) => {
    draft.boundaryParam = '';
  }),
  trick('single quotes', (draft) => {
    draft.boundaryParam = `; boundary='${draft.boundary}'`;
  }),
  trick('no semicolon', (draft) => {
    draft.boundaryParam = ` boundary="${draft.boundary}"`;
  }),
  trick('a comma for a semicolon', (draft) => {
    draft.boundaryParam = `, boundary="${draft.boundary}"`;
  }),
  trick('a colon for a semicolon', (draft) => {
    draft.boundaryParam = `: boundary="${draft.boundary}"`;
  }),
  trick('a comment before the parameter', (draft) => {
    draft.boundaryParam = `; (x) boundary="${draft.boundary}"`;
  }),
  trick('an encoded word', (draft) => {
    draft.boundaryParam = `; boundary="=?utf-8?Q?${draft.boundary}?="`;
  }),
  trick('two boundaries, the first is right', (draft) => {
    draft.boundaryParam = `; boundary="${draft.boundary}"; boundary="other"`;
  }),
  trick('two boundaries, the last is right', (draft) => {
    draft.boundaryParam = `; boundary="other"; boundary="${draft.boundary}"`;
  }),
  trick('continuations', (draft) => {
    draft.boundaryParam = `; boundary*0="${draft.boundary.slice(0, 2)}"; boundary*1="${draft.boundary.slice(2)}"`;
  }),
  trick('a fold inside', (draft) => {
    draft.boundaryParam = `; boundary="${draft.boundary.slice(0, 2)}\r\n ${draft.boundary.slice(2)}"`;
  }),
  trick('an unclosed quote', (draft) => {
    draft.boundaryParam = `; boundary="${draft.boundary}`;
  }),
  trick('a backslash', (draft) => {
    draft.boundaryParam = `; boundary="${draft.boundary.slice(0, 1)}\\${draft.boundary.slice(1)}"`;
  }),
  trick('no closing delimiter', (draft) => {
    draft.closing = '';
  }),
  trick('a tail behind the closing delimiter', (draft) => {
    draft.closing += '>';
  }),
  trick('delimiters behind bare CRs', (draft) => {
    draft.delimiter = `\r${draft.delimiter}`;
  }),
  trick('a boundary of dashes', (draft) => {
    draft.delimiter = draft.delimiter.replace(draft.boundary, '--b--');
    draft.closing = draft.closing.replace(draft.boundary, '--b--');
    draft.boundaryParam = '; boundary="--b--"';
  }),
];

/** How the payload is encoded. */
export const ENCODING_TRICKS: readonly Trick[] = [
  trick('base64'),
  trick('base64 in one line', (draft, payload) => {
    draft.body = payload.toString('base64');
  }),
  trick('base64 with junk', (draft) => {
    draft.body = draft.body.replace(/.{10}/g, '$&.!');
  }),
  trick('base64 padded line by line', (draft, payload) => {
    const pieces = Array.from({ length: Math.ceil(payload.length / 40) }, (_, at) =>
      payload.subarray(at * 40, at * 40 + 40),
    );
    draft.body = pieces.map((piece) => piece.toString('base64')).join('\r\n');
  }),
  trick('base64 URL-safe', (draft) => {
    draft.body = draft.body.replaceAll('+', '-').replaceAll('/', '_');
  }),
  trick('base64 after its end', (draft) => {
    draft.body += '====\r\nQUJD';
  }),
  trick('base64 without a label', (draft) => {
    draft.encodingLines = '';
  }),
  trick('base64 labelled 7bit', (draft) => {
    draft.encodingLines = 'Content-Transfer-Encoding: 7bit\r\n';
  }),
  trick('base64 labelled quoted-printable', (draft) => {
    draft.encodingLines = 'Content-Transfer-Encoding: quoted-printable\r\n';
  }),
  trick('two labels, base64 first', (draft) => {
    draft.encodingLines = `${BASE64_LINE}Content-Transfer-Encoding: 7bit\r\n`;
  }),
  trick('two labels, base64 last', (draft) => {
    draft.encodingLines = `Content-Transfer-Encoding: 8bit\r\n${BASE64_LINE}`;
  }),
  ...['base64;', '"base64"', 'base64, 7bit', '(x) base64 (y)', 'x-base64', 'BASE64', 'base64\0', '7bit base64'].map(
    (label) =>
      trick(`label ${label.replace('\0', 'NUL')}`, (draft) => {
        draft.encodingLines = `Content-Transfer-Encoding: ${label}\r\n`;
      }),
  ),
  trick('quoted-printable', (draft, payload) => {
    draft.encodingLines = 'Content-Transfer-Encoding: quoted-printable\r\n';
    draft.body = quotedPrintable(payload).toUpperCase();
  }),
  trick('quoted-printable in lower case', (draft, payload) => {
    draft.encodingLines = 'Content-Transfer-Encoding: Quoted-Printable\r\n';
    draft.body = quotedPrintable(payload);
  }),
  trick('x-uuencode', (draft, payload) => {
    draft.encodingLines = 'Content-Transfer-Encoding: x-uuencode\r\n';
    draft.body = uuencoded(payload);
  }),
  trick('uuencode in a text', (draft, payload) => {
    draft.text = `see below\r\n${uuencoded(payload)}`;
  }),
  trick('begin-base64 in a text', (draft, payload) => {
    draft.text = `begin-base64 644 a.exe\r\n${base64(payload)}\r\n====\r\n`;
  }),
  trick('yEnc in a text', (draft, payload) => {
    draft.text = `see below\r\n${yenc(payload)}`;
  }),
];

/** What is wrong with the headers. */
export const HEADER_TRICKS: readonly Trick[] = [
  trick('plain headers'),
  trick('blank lines in front', (draft) => {
    draft.rootHeader = `\r\n\r\n${draft.rootHeader}`;
  }),
  trick('a byte order mark', (draft) => {
    draft.rootHeader = `\xef\xbb\xbf${draft.rootHeader}`;
  }),
  trick('an mbox line', (draft) => {
    draft.rootHeader = `From a@example.com Fri Nov 20 2026\r\n${draft.rootHeader}`;
  }),
  trick('a line that is none', (draft) => {
    draft.partHeader += 'no header at all\r\n';
  }),
  trick('a request line in front', (draft) => {
    draft.rootHeader = `POST / HTTP/1.1\r\n${draft.rootHeader}`;
  }),
  trick('no blank line', (draft) => {
    draft.separator = '';
  }),
  trick('a line of blanks for the blank line', (draft) => {
    draft.separator = ' \t\r\n';
  }),
  trick('an extra blank line before the header', (draft) => {
    draft.partHeader = `\r\n${draft.partHeader}`;
  }),
  trick('a bare CR for the blank line', (draft) => {
    draft.separator = '\r';
  }),
  trick('blanks before the colons', (draft) => {
    draft.partHeader = draft.partHeader.replaceAll(': ', ' : ');
  }),
  trick('NUL in a field name', (draft) => {
    draft.partHeader = draft.partHeader.replace('Content-Type', 'Content-Type\0');
  }),
  trick('a second Content-Type in the part', (draft) => {
    draft.partHeader += 'Content-Type: text/plain\r\n';
  }),
  trick('a second Content-Type in the message', (draft) => {
    draft.rootHeader += 'Content-Type: text/plain\r\n';
  }),
  trick('an empty Content-Type', (draft) => {
    draft.partHeader = draft.partHeader.replace(/Content-Type: [^\r]*/, 'Content-Type: ');
  }),
];

/** Writes one escape per byte: for all that are no letters or digits, or for all bytes, with soft line breaks. */
function quotedPrintable(payload: Buffer): string {
  const escapes = [...payload].map((byte) => `=${byte.toString(16).padStart(2, '0')}`);
  return escapes.join('').replace(/.{72}/g, '$&=\r\n');
}

function uuencoded(payload: Buffer): string {
  const lines = Array.from({ length: Math.ceil(payload.length / 45) }, (_, at) =>
    uuLine(payload.subarray(at * 45, at * 45 + 45)),
  );
  return ['begin 644 payload.exe', ...lines, '`', 'end', ''].join('\r\n');
}

function uuLine(bytes: Buffer): string {
  const digit = (value: number) => String.fromCharCode(value === 0 ? 0x60 : value + 0x20);
  let line = digit(bytes.length);
  for (let at = 0; at < bytes.length; at += 3) {
    const group = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    for (const shift of [18, 12, 6, 0]) line += digit((group >> shift) & 0x3f);
  }
  return line;
}

function yenc(payload: Buffer): string {
  const chars = [...payload].map((byte) => {
    const shifted = (byte + 42) & 0xff;
    const isCritical = [0, 0x0a, 0x0d, 0x3d, 0x2e, 0x2d].includes(shifted);
    return isCritical ? `=${String.fromCharCode((shifted + 64) & 0xff)}` : String.fromCharCode(shifted);
  });
  return `=ybegin line=9999 size=${payload.length} name=payload.exe\r\n${chars.join('')}\r\n=yend size=${payload.length}\r\n`;
}
