import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { DEFAULT_ENGINE_LIMITS } from '../../lib/engines/engine.ts';
import { analyseFile } from '../../lib/engines/static/analyse-file.ts';

const base =
  '1 0 obj <</Type /Catalog /Pages 2 0 R ?>> endobj\n2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj\n3 0 obj <</Type /Page /Parent 2 0 R>> endobj\n';

/** A document with more in its catalog and more objects. */
function pdf(catalog: string, objects: string | Uint8Array = ''): Buffer {
  const tail = '\ntrailer <</Root 1 0 R>>\n%%EOF\n';
  return Buffer.concat([
    Buffer.from(`%PDF-1.7\n${base.replace('?', catalog)}`, 'latin1'),
    Buffer.from(objects as string, 'latin1'),
    Buffer.from(tail),
  ]);
}

/** An object stream of one object, packed. */
function objectStream(object: string, change: (body: Buffer) => Buffer = (body) => body, between = ' '): Buffer {
  const body = change(deflateSync(`7 0 ${object}`));
  const head = `5 0 obj <</Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /Length ${body.length}>>${between}stream\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), body, Buffer.from('\nendstream endobj\n')]);
}

async function analyse(bytes: Uint8Array): Promise<string> {
  const report = await analyseFile({ bytes, untrustedName: 'a.pdf', password: null }, DEFAULT_ENGINE_LIMITS);
  if (report.outcome === 'failed') return `failed:${report.failure.code}`;
  return [report.level, ...report.findings.map(({ id }) => id).sort()].join(' ');
}

describe('a PDF', () => {
  test.each([
    ['without anything special is benign', pdf(''), 'benign'],
    ['that opens at a page is benign', pdf('/OpenAction [3 0 R /Fit]'), 'benign'],
    ['that opens at a page by an action is benign', pdf('/OpenAction <</S /GoTo /D [3 0 R /Fit]>>'), 'benign'],
    ['that speaks of scripts in a string is benign', pdf('/Lang (see /JavaScript or /Launch)'), 'benign'],
    [
      'with a web link is benign',
      pdf('', '4 0 obj <</S /URI /URI (https://example.org/JavaScript)>> endobj'),
      'benign',
    ],
    ['with a script', pdf('', '4 0 obj <</S /JavaScript /JS (x)>> endobj'), 'suspicious pdf-javascript'],
    [
      'with a script under an escaped name',
      pdf('', '4 0 obj <</S /J#61va#53cript>> endobj'),
      'malicious pdf-attack pdf-javascript pdf-obfuscated-name',
    ],
    ['with a script at opening', pdf('/OpenAction <</S /JavaScript>>'), 'suspicious pdf-javascript pdf-open-action'],
    [
      'with usage rights, as forms that Acrobat Reader may save have, is benign',
      pdf('', '4 0 obj <</Type /TransformParams /Document [/FullSave] /EF [/Create /Delete] /V /2.2>> endobj'),
      'benign',
    ],
    [
      'with an attached file that is named indirectly',
      pdf('', '4 0 obj <</Type /Filespec /EF 5 0 R>> endobj 5 0 obj <</F 6 0 R>> endobj'),
      'suspicious pdf-embedded-file',
    ],
    [
      'with an attached file',
      pdf('', '4 0 obj <</Type /Filespec /EF <</F 5 0 R>>>> endobj'),
      'suspicious pdf-embedded-file',
    ],
    ['with a form that is sent', pdf('', '4 0 obj <</S /SubmitForm>> endobj'), 'suspicious pdf-remote'],
    [
      'with a link that runs a script',
      pdf('', '4 0 obj <</URI (java\\163cript:x)>> endobj'),
      'suspicious pdf-unsafe-link',
    ],
    [
      'that is a form: a script that runs at opening, and a button that opens a file',
      pdf(
        '/OpenAction 4 0 R',
        '4 0 obj <</S /JavaScript /JS (app.alert(1))>> endobj 5 0 obj <</Subtype /Widget /A 6 0 R>> endobj 6 0 obj <</S /Launch /F (rules.pdf)>> endobj',
      ),
      'suspicious pdf-javascript pdf-launch pdf-open-action',
    ],
    [
      'that starts a program behind its first action',
      pdf(
        '/OpenAction 4 0 R',
        '4 0 obj <</S /JavaScript /JS (app.alert(1)) /Next [5 0 R]>> endobj 5 0 obj <</S /Launch /F (rules.pdf)>> endobj',
      ),
      'malicious pdf-attack pdf-javascript pdf-launch pdf-open-action pdf-opens-program',
    ],
    [
      'that starts a program with its page, under an escaped name',
      pdf('', '4 0 obj <</A#41 <</O 5 0 R>>>> endobj 5 0 obj <</S /Launch /F (rules.pdf)>> endobj'),
      'malicious pdf-attack pdf-launch pdf-open-action pdf-opens-program',
    ],
    ['without pages is unknown', Buffer.from('%PDF-1.7\n1 0 obj <<>> endobj'), 'unknown'],
  ])('%s', async (_, bytes, expected) => {
    expect(await analyse(bytes)).toBe(expected);
  });

  test('with a script in an object stream', async () => {
    expect(await analyse(pdf('', objectStream('<</S /JavaScript>>')))).toBe('suspicious pdf-javascript');
  });

  test.each([
    ['a line feed', '\nstream\n'],
    ['a return', ' stream\r'],
    ['white space of ISO 8859-1', '\xa0\x0cstream\r\n'],
  ])('finds a script in a stream whose keyword has %s', async (_, keyword) => {
    const body = Buffer.from('<</S /JavaScript>>');
    const head = `5 0 obj <</Type /ObjStm /N 1 /First 4 /Length ${body.length + 4}>>`;
    const object = Buffer.concat([
      Buffer.from(`${head}${keyword}7 0 `, 'latin1'),
      body,
      Buffer.from('\nendstream endobj\n'),
    ]);
    expect(await analyse(pdf('', object))).toBe('suspicious pdf-javascript');
  });

  test('does not hide a script behind an open parenthesis between objects', async () => {
    expect(await analyse(pdf('', '(\n4 0 obj <</S /JavaScript>> endobj'))).toBe('suspicious pdf-javascript');
  });

  test.each([
    ['cut off', objectStream('<</A 1>>', (body) => body.subarray(0, -6))],
    ['behind a comment that hides its start', objectStream('<</A 1>>', (body) => body, '%x\n')],
    [
      'in a filter that is not read',
      Buffer.from('5 0 obj <</Type /ObjStm /Filter /LZWDecode /Length 1>> stream\nx\nendstream endobj'),
    ],
  ])('whose object stream is %s is never benign', async (_, objects) => {
    expect(await analyse(pdf('', objects))).toBe('unknown');
  });

  test('that inflates without end is a bomb', async () => {
    const bomb = objectStream(' '.repeat(2_000_000));
    const input = { bytes: pdf('', bomb), untrustedName: 'a.pdf', password: null };
    const report = await analyseFile(input, { ...DEFAULT_ENGINE_LIMITS, inflatedBytes: 1_000_000 });
    expect(report).toMatchObject({ failure: { code: 'oversize' } });
  });

  test('behind another format is a polyglot', async () => {
    expect(await analyse(Buffer.concat([Buffer.from('GIF89a junk '), pdf('')]))).toBe('suspicious polyglot');
  });
});
