/** multipart/form-data (RFC 7578) written as a stream, with its length when the file's is known. */
import { randomBytes } from 'node:crypto';
import type { RequestBody } from './exchange.ts';
import type { UploadSource } from './upload-source.ts';

/** Where the file part stands. Services must not care; some do. */
export type FilePart = 'first' | 'last';

/** Text fields by name; those that are undefined are not sent. */
export type FormFields = Readonly<Record<string, string | undefined>>;

/** The body of a form: a file and the fields that are set. Can be opened as often as the file can. */
export function multipartBody(source: UploadSource, fields: FormFields, filePart: FilePart): RequestBody {
  // Random, so that no file can contain it and end its own part early.
  const boundary = `airlock-${randomBytes(24).toString('hex')}`;
  const texts = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`],
  );
  const fileHead = [
    `--${boundary}`,
    `content-disposition: form-data; name="file"; filename="${quoted(source.filename)}"`,
    'content-type: application/octet-stream',
    '\r\n',
  ].join('\r\n');
  const isFirst = filePart === 'first';
  const before = Buffer.from((isFirst ? '' : texts.join('')) + fileHead);
  const after = Buffer.from(`\r\n${isFirst ? texts.join('') : ''}--${boundary}--\r\n`);
  async function* pieces() {
    yield before;
    yield* source.open();
    yield after;
  }
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    size: source.size === null ? null : before.byteLength + source.size + after.byteLength,
    open: pieces,
  };
}

/** The escapes of the WHATWG form encoding: a name with a quote or a line break would end its header. */
const quoted = (name: string) =>
  name.replace(/["\r\n]/g, (character) => `%${Buffer.from(character).toString('hex').toUpperCase()}`);

/** A JSON body. */
export function jsonBody(value: unknown): RequestBody {
  const bytes = Buffer.from(JSON.stringify(value));
  return {
    contentType: 'application/json',
    size: bytes.byteLength,
    async *open() {
      yield bytes;
    },
  };
}
