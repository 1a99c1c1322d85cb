/** Writes multipart/form-data (RFC 7578) as a stream, with its length when the length of the file is known. */
import { randomBytes } from 'node:crypto';
import type { RequestBody } from './exchange.ts';
import type { UploadSource } from './upload-source.ts';

/** The place of the file part. It should not matter to services, but it matters to some. */
export type FilePart = 'first' | 'last';

/** Text fields by name; those that are undefined are not sent. */
export type FormFields = Readonly<Record<string, string | undefined>>;

/**
 * Returns the body of a form: a file and the fields that are set. Can be opened as often as the file can.
 *
 * @example
 * ```ts
 * import { uploadSource } from './lib/service/client/upload-source.ts';
 *
 * const source = await uploadSource({ bytes: Buffer.from('hello'), filename: 'hello.txt' });
 * const { contentType, open } = multipartBody(source, { private: 'true' }, 'last');
 * for await (const piece of open()) console.log(contentType, Buffer.from(piece).toString());
 * ```
 */
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

/** Escapes a name as the WHATWG form encoding does. Otherwise a quote or a line break in a name would end its header. */
const quoted = (name: string) =>
  name.replace(/["\r\n]/g, (character) => `%${Buffer.from(character).toString('hex').toUpperCase()}`);

/**
 * Returns a JSON body.
 *
 * @example
 * ```ts
 * jsonBody({ url: 'https://example.org/' }).size; // => 30
 * ```
 */
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
