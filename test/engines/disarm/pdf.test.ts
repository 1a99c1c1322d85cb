import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { disarm } from '../../../lib/engines/disarm/pdf/pdf.ts';
import { DEFAULT_ENGINE_LIMITS, EngineError } from '../../../lib/engines/engine.ts';
import { describeType } from '../../../lib/formats/file-types.ts';
import { buildPdf } from '../../fixtures/build-pdf.ts';
import { pdfText } from './contents.ts';

const TYPE = describeType('application/pdf');

async function run(bytes: Uint8Array, limits = DEFAULT_ENGINE_LIMITS) {
  const report = await disarm({ bytes, untrustedName: 'a.pdf', password: null }, TYPE, limits);
  return {
    ...report,
    raw: Buffer.from(report.bytes).toString('latin1'),
    text: await pdfText(report.bytes),
    kinds: report.details.map(({ kind }) => kind),
  };
}

function edited(bytes: Uint8Array, from: string, to: string): Uint8Array {
  const text = Buffer.from(bytes).toString('latin1');
  if (!text.includes(from)) throw new Error(`the fixture does not hold ${from}`);
  return new Uint8Array(
    Buffer.from(
      text.replace(from, () => to),
      'latin1',
    ),
  );
}

describe('live content', () => {
  test.each([
    ['a script that runs on opening', { javascript: true }, /JavaScript|app\.alert|OpenAction/, 'JavaScript'],
    ['a program that starts on closing', { launch: true }, /Launch|calc|\/AA/, 'automatic action'],
    ['an embedded file', { embeddedFile: Buffer.from('MZ payload') }, /Embedded|payload|Filespec/, 'embedded file'],
    ['an unsafe link', { links: ['javascript:alert\\(1\\)'] }, /javascript/, 'unsafe link'],
    ['bytes behind the document', { trailingBytes: 'PK trailing zip' }, /trailing/, 'data after the document'],
    [
      'an object that nothing refers to',
      { trailingBytes: '9 0 obj\n<< /S /JavaScript /JS (orphan) >>\nendobj\n' },
      /orphan/,
      'data after the document',
    ],
  ])('%s is removed and the page stays', async (_what, options, gone, kind) => {
    const report = await run(buildPdf(options));
    expect(report.outcome).toBe('disarmed');
    expect(report.raw).not.toMatch(gone);
    expect(report.text).toContain('Invoice 2024-0117');
    expect(report.kinds).toContain(kind);
  });

  test('a safe link stays', async () => {
    const report = await run(buildPdf({ links: ['https://example.com/keep'] }));
    expect(report.raw).toContain('/S /URI /URI (https://example.com/keep)');
    expect(report.details).toEqual([]);
  });

  test('an action that two keys reach is judged by its content', async () => {
    const shared = edited(buildPdf({ javascript: true }), '/Pages 2 0 R', '/Pages 2 0 R /Lang 6 0 R /PageLabels 6 0 R');
    expect((await run(shared)).raw).not.toContain('app.alert');
  });

  test('a key written with escapes is the same key', async () => {
    const escaped = edited(
      edited(buildPdf({ javascript: true }), '/OpenAction', '/Open#41ction'),
      '/S /JavaScript /JS',
      '/S /J#61vaScript /J#53',
    );
    expect((await run(escaped)).raw).not.toMatch(/app\.alert|OpenAction/);
  });

  test('keys cannot hide in an appearance stream', async () => {
    const annotated = buildPdf({
      links: ['https://example.com/'],
      trailingBytes: '',
    });
    const hidden = edited(annotated, '/A << /S /URI', '/AP << /N 4 0 R >> /A << /S /URI');
    const withKeys = edited(
      hidden,
      '<< /Length 48 ',
      '<< /PieceInfo << /X (secret) >> /Ref << /F (far.pdf) >> /Length 48 ',
    );
    expect((await run(withKeys)).raw).not.toMatch(/secret|far\.pdf/);
  });

  test('a stream whose bytes are in another file is removed', async () => {
    const external = edited(buildPdf(), '/Length 48 ', '/F (\\\\\\\\server\\\\share) /Length 48 ');
    const report = await run(external);
    expect(report.raw).not.toContain('server');
  });
});

describe('the output', () => {
  test('does not change in a second pass', async () => {
    const once = await run(buildPdf({ javascript: true, links: ['https://example.com/'] }));
    const twice = await run(once.bytes);
    expect(twice.outcome).toBe('already_safe');
    expect(Buffer.compare(twice.bytes, once.bytes)).toBe(0);
  });

  test('is one revision with one cross-reference table', async () => {
    const { raw } = await run(buildPdf({ javascript: true }));
    expect(raw.match(/startxref/g)).toHaveLength(1);
    expect(raw).toMatch(/^%PDF-1\.7\n[\s\S]*%%EOF\n$/);
  });
});

describe('damage and bombs', () => {
  test('pages that only the second reader finds are rescued and disarmed', async () => {
    const report = await run(edited(buildPdf({ javascript: true }), '0000000009 00000 n', '0000000999 00000 n'));
    expect(report.kinds).toContain('damaged structure');
    expect(report.raw).not.toMatch(/JavaScript|OpenAction/);
    expect(report.text).toContain('Invoice 2024-0117');
  });

  test.each([
    ['no page', edited(buildPdf(), '/Pages 2 0 R', '/Pages 77 0 R'), 'unreadable'],
    ['nothing but a header', Buffer.from('%PDF-1.7\n'), 'unreadable'],
    ['a stream that expands a thousandfold', bomb(), 'oversize'],
  ])('a file with %s is refused', async (_what, bytes, code) => {
    await expect(run(bytes)).rejects.toSatisfy((error) => error instanceof EngineError && error.code === code);
  });
});

/** A page whose content inflates to 8 MB of spaces. */
function bomb(): Uint8Array {
  const data = deflateSync(Buffer.alloc(8 * 1024 * 1024, 0x20), { level: 9 }).toString('latin1');
  const plain = Buffer.from(buildPdf()).toString('latin1');
  const content = plain.replace(/<< \/Length \d+ >>\nstream\n.*?\nendstream/s, () => {
    return `<< /Length ${data.length} /Filter /FlateDecode >>\nstream\n${data}\nendstream`;
  });
  return new Uint8Array(Buffer.from(content, 'latin1'));
}
