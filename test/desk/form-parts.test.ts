/** The form of an upload is looked at before it is taken apart. */
import { describe, expect, test } from 'vitest';
import { FORM_LIMITS, isCheapForm, UPLOAD_TYPE } from '../../lib/desk/form-parts.ts';

const TYPE = 'multipart/form-data; boundary=xx';
const part = (more = '') => `--xx\r\nContent-Disposition: form-data; name="a"${more}\r\n\r\nvalue\r\n`;
const isCheap = (form: string, type = TYPE) => isCheapForm(type, Buffer.from(form, 'latin1'));

test('the form of a browser and of a program is cheap, whatever its file holds', async () => {
  for (const boundary of [
    '----WebKitFormBoundaryAbC123',
    '----geckoformboundary1f',
    '---------------------------973',
    'a.b_c',
  ])
    expect(UPLOAD_TYPE.test(`multipart/form-data; boundary=${boundary}`)).toBe(true);
  const body = new FormData();
  body.set('csrf', 'x');
  body.set('file', new Blob([`--x\r\n${'--\r\n\r\n'.repeat(50_000)}`]), 'a.eml');
  const answer = new Response(body);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  expect(isCheapForm(answer.headers.get('content-type') ?? '', bytes)).toBe(true);
});

describe('what is over a limit is not taken apart', () => {
  test('parts', () => {
    expect(isCheap(`${part().repeat(FORM_LIMITS.parts)}--xx--\r\n`)).toBe(true);
    expect(isCheap(`${part().repeat(FORM_LIMITS.parts + 1)}--xx--\r\n`)).toBe(false);
  });

  test('partHeaderBytes', () => {
    const header = (bytes: number) => `--xx\r\n${'X: y\r\n'.padEnd(bytes - 6, 'z')}\r\n\r\n--xx--\r\n`;
    expect(isCheap(header(FORM_LIMITS.partHeaderBytes))).toBe(true);
    expect(isCheap(header(FORM_LIMITS.partHeaderBytes + 1))).toBe(false);
  });

  test.each([
    'multipart/form-data',
    'multipart/form-data; boundary="xx"',
    'multipart/form-data; boundary=yy; boundary=xx',
    'multipart/form-data; charset=utf-8; boundary=xx',
    `multipart/form-data; boundary=${'x'.repeat(71)}`,
  ])('a boundary that programs could read in different ways: %s', (type) => {
    expect(isCheap(`${part()}--xx--\r\n`, type)).toBe(false);
  });
});
