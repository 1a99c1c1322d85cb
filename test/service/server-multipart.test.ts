import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ErrorEnvelope } from '../../lib/service/contract/errors.ts';
import { bodyReader } from '../../lib/service/server/http/body.ts';
import { type FileSink, readForm } from '../../lib/service/server/http/multipart.ts';
import { DEFAULT_SERVICE_LIMITS } from '../../lib/service/server/limits.ts';
import { roundsOf } from '../hostile/share.ts';
import { shown, testService } from './scripted-service.ts';

const CONTENT_TYPE = 'multipart/form-data; boundary=xyz';
const FILE =
  'Content-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nhello\r\n';
const PRIVATE = 'Content-Disposition: form-data; name="private"\r\n\r\ntrue\r\n';

const form = (...parts: string[]) => `${parts.map((part) => `--xyz\r\n${part}`).join('')}--xyz--\r\n`;
/** Every file that the reader passed on, by its SHA-256. */
async function read(bytes: Uint8Array, contentType: string, pieceBytes: number) {
  const files = new Map<string, Buffer>();
  const sink: FileSink = async (untrustedName, pieces) => {
    const parts: Uint8Array[] = [];
    for await (const piece of pieces) parts.push(new Uint8Array(piece));
    const whole = Buffer.concat(parts);
    const sha256 = createHash('sha256').update(whole).digest('hex');
    files.set(sha256, whole);
    return { untrustedName, size: whole.byteLength, hashes: { md5: '', sha1: '', sha256 } };
  };
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.byteLength) return controller.close();
      controller.enqueue(bytes.slice(at, at + pieceBytes));
      at += pieceBytes;
    },
  });
  const request = new Request('http://test/', { method: 'POST', body, duplex: 'half' } as RequestInit);
  const reader = bodyReader(request, { maxBytes: 10_000_000, discardedBytes: 0 });
  const form = await readForm(contentType, reader, DEFAULT_SERVICE_LIMITS, sink);
  return Object.fromEntries(
    Object.entries(form).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : file(value.untrustedName, files.get(value.hashes.sha256)?.toString() ?? ''),
    ]),
  );
}

/** Reads the form in pieces of these sizes. */
async function parse(body: string, contentType = CONTENT_TYPE) {
  const bytes = new TextEncoder().encode(body);
  const [whole, ...others] = await Promise.all([1_000_000, 1, 2, 7, 64].map((size) => read(bytes, contentType, size)));
  for (const other of others) expect(other).toEqual(whole);
  return whole;
}
const file = (untrustedName: string, text: string) => ({ untrustedName, text });

describe('a form is read', () => {
  test.each([
    ['with the file last', form(PRIVATE, FILE)],
    ['with the file first', form(FILE, PRIVATE)],
    ['after a preamble and before an epilogue', `ignore me\r\n${form(PRIVATE, FILE)}ignore me too`],
    ['with white space after the boundary', form(PRIVATE, FILE).replace('--xyz\r\n', '--xyz \t\r\n')],
  ])('%s', async (_, body) => {
    expect(await parse(body)).toEqual({ private: 'true', file: file('a.txt', 'hello') });
  });

  test('with a quoted boundary and other parameters', async () => {
    const body = form(FILE);
    expect(await parse(body, 'Multipart/Form-Data; charset=utf-8; boundary="xyz"')).toEqual({
      file: file('a.txt', 'hello'),
    });
  });

  test('with an empty file, and with a file that looks like a form', async () => {
    const empty = 'Content-Disposition: form-data; name="file"; filename="e"\r\n\r\n\r\n';
    expect(await parse(form(empty))).toEqual({ file: file('e', '') });
    const nested = '--abc\r\nContent-Disposition: form-data; name="private"\r\n\r\nfalse\r\n--abc--';
    const body = form(`Content-Disposition: form-data; name="file"; filename="n"\r\n\r\n${nested}\r\n`);
    expect(await parse(body)).toEqual({ file: file('n', nested) });
  });

  test.each([
    ['filename="a%22b.txt"', 'a"b.txt'],
    ['filename="a\\"b.txt"', 'a"b.txt'],
    ['filename="na\u00efve.txt"', 'na\u00efve.txt'],
    ["filename*=utf-8''na%C3%AFve.txt", 'na\u00efve.txt'],
    ['filename=plain.txt', 'plain.txt'],
    ['filename=""', ''],
  ])('with the name in %s', async (parameter, name) => {
    const body = form(`Content-Disposition: form-data; name="file"; ${parameter}\r\n\r\nx\r\n`);
    expect(await parse(body)).toEqual({ file: file(name, 'x') });
  });
});

describe('a form is refused', () => {
  test.each<[string, string, string?]>([
    ['without a boundary', form(FILE), 'multipart/form-data'],
    ['of another type', form(FILE), 'application/x-www-form-urlencoded'],
    ['with a field given twice', form(PRIVATE, FILE, PRIVATE)],
    ['that never closes', `--xyz\r\n${FILE}`],
    ['whose boundary is another', form(FILE), 'multipart/form-data; boundary=abc'],
    ['with a field without a name', form('Content-Disposition: form-data\r\n\r\nx\r\n')],
    ['with a field of two names', form('Content-Disposition: form-data; name="a"; name="b"\r\n\r\nx\r\n')],
    ['with two dispositions', form(`Content-Disposition: form-data; name="a"\r\n${PRIVATE}`)],
    ['with text after a boundary', form(FILE).replace('--xyz\r\n', '--xyz junk\r\n')],
    ['with text that is not UTF-8', form(PRIVATE.replace('true', '\ud800'))],
    ['with too many fields', form(...Array.from({ length: 65 }, (_, n) => PRIVATE.replace('private', `f${n}`)))],
    ['with a header bomb', form(`X: ${'y'.repeat(5_000)}\r\n${PRIVATE}`)],
    ['with a text field of megabytes', form(PRIVATE.replace('true', 'y'.repeat(70_000)))],
  ])('%s', async (name, body, contentType) => {
    const bytes = new TextEncoder().encode(body);
    if (name.includes('UTF-8')) bytes[bytes.indexOf(0xef)] = 0xff;
    for (const pieceBytes of [1_000_000, 3]) {
      const reading = read(bytes, contentType ?? CONTENT_TYPE, pieceBytes);
      await expect(reading).rejects.toMatchObject({ code: 'INVALID_BODY' });
    }
  });
});

test('metafields are accepted as the documented list and as the object that public clients send', async () => {
  const service = testService();
  for (const metafields of ['[{"key":"timeout","value":"120"}]', '{"timeout":120,"internet_connection":true}']) {
    const body = form(`Content-Disposition: form-data; name="metafields"\r\n\r\n${metafields}\r\n`, FILE);
    const headers = { 'content-type': CONTENT_TYPE };
    const response = await service.call('/submissions/sandbox', { method: 'POST', headers, body });
    expect(response.status).toBe(200);
  }
});

test('private is false unless it is said', async () => {
  const service = testService();
  const headers = { 'content-type': CONTENT_TYPE };
  const isPrivate = async (body: string) => {
    const response = await service.call('/submissions/static', { method: 'POST', headers, body });
    return (await shown(service, ((await response.json()) as { uuid: string }).uuid)).private;
  };
  expect([await isPrivate(form(FILE)), await isPrivate(form(FILE, PRIVATE))]).toEqual([false, true]);
});

describe('with any body', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '--xyz',
      '--xyz--',
      '\r\n',
      '\r\n\r\n',
      'Content-Disposition: form-data',
      '; name="file"',
      '; filename="',
    ),
    fc.constantFrom(
      '; name="private"',
      '"',
      '\\',
      '%22',
      "; filename*=utf-8''%",
      ';',
      '=',
      '\u0000',
      'true',
      '{',
      '__proto__',
    ),
    fc.string({ maxLength: 8, unit: 'binary' }),
  );
  const hostileBody = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));

  test('the answer is a success or the envelope, never a 5xx', async () => {
    const service = testService();
    await fc.assert(
      fc.asyncProperty(
        hostileBody,
        fc.constantFrom('/submissions/sandbox', '/submissions/static', '/submissions/cdr', '/submissions/url'),
        fc.constantFrom(CONTENT_TYPE, 'multipart/form-data', 'application/json', 'multipart/form-data; boundary="'),
        async (body, path, contentType) => {
          const response = await service.call(path, { method: 'POST', body, headers: { 'content-type': contentType } });
          if (response.status === 200) return;
          expect([413, 422]).toContain(response.status);
          expect(ErrorEnvelope.parse(await response.json()).code).toMatch(/^(INVALID_BODY|PAYLOAD_TOO_LARGE)$/);
        },
      ),
      { numRuns: roundsOf(300), seed: 7 },
    );
    expect(service.faults).toEqual([]);
  });

  test('the file of a valid form comes out byte for byte, however the form is cut into pieces', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 200 }),
        fc.integer({ min: 1, max: 80 }),
        async (bytes, pieceBytes) => {
          const head = new TextEncoder().encode(
            '--xyz\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n',
          );
          const body = Buffer.concat([head, bytes, Buffer.from('\r\n--xyz--')]);
          const text = Buffer.from(bytes).toString();
          expect(await read(body, CONTENT_TYPE, pieceBytes)).toEqual({ file: file('f', text) });
        },
      ),
      { numRuns: roundsOf(200), seed: 7 },
    );
  });
});
