/** Our own PDF serialiser. It writes one revision, one cross-reference table, and nothing outside of an object (ISO 32000-2, 7.5). */

/** Decimal places of a real number; viewers compute in single precision. */
const REAL_DIGITS = 10;

const PLAIN_NAME = /^[A-Za-z0-9_.+\-:@*]*$/;

/** Writes a name with everything but plain letters, digits and a few signs escaped. */
export function writeName(name: string): string {
  if (PLAIN_NAME.test(name)) return `/${name}`;
  let out = '/';
  for (const byte of Buffer.from(name, 'utf8')) {
    const character = String.fromCharCode(byte);
    out += /[A-Za-z0-9_.+\-:@*]/.test(character) ? character : `#${byte.toString(16).padStart(2, '0')}`;
  }
  return out;
}

/** Returns a number without exponent, which PDF does not know. */
export function writeNumber(value: number): string {
  if (!Number.isFinite(value)) return '0';
  if (Number.isInteger(value)) return Math.abs(value) < 1e15 ? value.toFixed(0) : '0';
  const digits = value.toFixed(REAL_DIGITS).replace(/\.?0+$/, '');
  return digits === '-0' ? '0' : digits;
}

/** Writes a string: literal when it is plain ASCII, otherwise hexadecimal, so that no byte can be misread. */
export function writeString(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  if (/^[\x20-\x7e]*$/.test(text)) return `(${text.replace(/[\\()]/g, '\\$&')})`;
  return `<${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}>`;
}

/** The body of one object: its text, and for a stream the bytes after its dictionary. */
export interface ObjectBody {
  readonly text: string;
  readonly data: Uint8Array | null;
}

/** Writes the file. Object 1 is the catalog, object n is `bodies[n - 1]`, and `info` is the number of the document information. */
export function writePdf(bodies: readonly ObjectBody[], version: string, info: number | null = null): Uint8Array {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const push = (chunk: string | Uint8Array) => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, 'latin1') : chunk;
    chunks.push(bytes);
    length += bytes.length;
  };
  // The comment of high bytes tells transfer programs that the file is binary.
  push(`%PDF-${version}\n%\xe2\xe3\xcf\xd3\n`);
  const offsets = bodies.map(({ text, data }, index) => {
    const offset = length;
    push(`${index + 1} 0 obj\n${text}\n`);
    if (data !== null) {
      push('stream\n');
      push(data);
      push('\nendstream\n');
    }
    push('endobj\n');
    return offset;
  });
  const table = length;
  push(`xref\n0 ${bodies.length + 1}\n0000000000 65535 f \n`);
  for (const offset of offsets) push(`${String(offset).padStart(10, '0')} 00000 n \n`);
  push(
    `trailer\n<< /Size ${bodies.length + 1} /Root 1 0 R${info === null ? '' : ` /Info ${info} 0 R`} >>\nstartxref\n${table}\n%%EOF\n`,
  );
  return Buffer.concat(chunks, length);
}
