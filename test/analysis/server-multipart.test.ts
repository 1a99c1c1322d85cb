import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ErrorEnvelope } from '../../lib/analysis/contract/errors.ts';
import { DEFAULT_SERVICE_LIMITS } from '../../lib/analysis/server/limits.ts';
import { parseMultipart } from '../../lib/analysis/server/multipart.ts';
import { shown, testService } from './scripted-service.ts';

const CONTENT_TYPE = 'multipart/form-data; boundary=xyz';
const FILE =
  'Content-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nhello\r\n';
const PRIVATE = 'Content-Disposition: form-data; name="private"\r\n\r\ntrue\r\n';

const form = (...parts: string[]) => `${parts.map((part) => `--xyz\r\n${part}`).join('')}--xyz--\r\n`;
const parse = (body: string, contentType = CONTENT_TYPE) =>
  parseMultipart(contentType, new TextEncoder().encode(body), DEFAULT_SERVICE_LIMITS);
const file = (untrustedName: string, text: string) => ({ untrustedName, bytes: new TextEncoder().encode(text) });
const plain = (parsed: ReturnType<typeof parse>) =>
  Object.fromEntries(
    Object.entries(parsed).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : { ...value, bytes: new Uint8Array(value.bytes) },
    ]),
  );

describe('a form is read', () => {
  test.each([
    ['with the file last', form(PRIVATE, FILE)],
    ['with the file first', form(FILE, PRIVATE)],
    ['after a preamble and before an epilogue', `ignore me\r\n${form(PRIVATE, FILE)}ignore me too`],
    ['with white space after the boundary', form(PRIVATE, FILE).replace('--xyz\r\n', '--xyz \t\r\n')],
  ])('%s', (_, body) => {
    expect(plain(parse(body))).toEqual({ private: 'true', file: file('a.txt', 'hello') });
  });

  test('with a quoted boundary and other parameters', () => {
    const body = form(FILE);
    expect(plain(parse(body, 'Multipart/Form-Data; charset=utf-8; boundary="xyz"'))).toEqual({
      file: file('a.txt', 'hello'),
    });
  });

  test('with an empty file, and with a file that looks like a form', () => {
    const empty = 'Content-Disposition: form-data; name="file"; filename="e"\r\n\r\n\r\n';
    expect(plain(parse(form(empty)))).toEqual({ file: file('e', '') });
    const nested = '--abc\r\nContent-Disposition: form-data; name="private"\r\n\r\nfalse\r\n--abc--';
    const body = form(`Content-Disposition: form-data; name="file"; filename="n"\r\n\r\n${nested}\r\n`);
    expect(plain(parse(body))).toEqual({ file: file('n', nested) });
  });

  test.each([
    ['filename="a%22b.txt"', 'a"b.txt'],
    ['filename="a\\"b.txt"', 'a"b.txt'],
    ['filename="na\u00efve.txt"', 'na\u00efve.txt'],
    ["filename*=utf-8''na%C3%AFve.txt", 'na\u00efve.txt'],
    ['filename=plain.txt', 'plain.txt'],
    ['filename=""', ''],
  ])('with the name in %s', (parameter, name) => {
    const body = form(`Content-Disposition: form-data; name="file"; ${parameter}\r\n\r\nx\r\n`);
    expect(plain(parse(body))).toEqual({ file: file(name, 'x') });
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
  ])('%s', (name, body, contentType) => {
    const bytes = new TextEncoder().encode(body);
    if (name.includes('UTF-8')) bytes[bytes.indexOf(0xef)] = 0xff;
    expect(() => parseMultipart(contentType ?? CONTENT_TYPE, bytes, DEFAULT_SERVICE_LIMITS)).toThrow(
      expect.objectContaining({ code: 'INVALID_BODY' }),
    );
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

describe('whatever the body', () => {
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
      { numRuns: 300, seed: 7 },
    );
    expect(service.faults).toEqual([]);
  });

  test('the file of a well-formed form comes out byte for byte', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const head = new TextEncoder().encode(
          '--xyz\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n',
        );
        const body = Buffer.concat([head, bytes, Buffer.from('\r\n--xyz--')]);
        const parsed = parseMultipart(CONTENT_TYPE, body, DEFAULT_SERVICE_LIMITS).file;
        expect(typeof parsed === 'object' && Buffer.compare(parsed.bytes, bytes)).toBe(0);
      }),
      { numRuns: 200, seed: 7 },
    );
  });
});
