import { expect, test } from 'vitest';
import { disarmFile } from '../../../lib/engines/disarm/disarm.ts';
import { checkOutput } from '../../../lib/engines/disarm/gate.ts';
import { openNested } from '../../../lib/engines/disarm/nested.ts';
import { DEFAULT_ENGINE_LIMITS, EngineError } from '../../../lib/engines/engine.ts';
import { describeType } from '../../../lib/formats/file-types.ts';
import { buildPng } from '../../fixtures/build-image.ts';
import { buildDocm, buildMacroFreeDocx } from '../../fixtures/build-office.ts';
import { buildPdf } from '../../fixtures/build-pdf.ts';

const run = (bytes: Uint8Array, untrustedName: string, limits = DEFAULT_ENGINE_LIMITS) =>
  disarmFile({ bytes, untrustedName, password: null }, limits);

test.each([
  ['a macro document', 'disarmed', 'docx', buildDocm],
  ['a clean document', 'already_safe', 'docx', buildMacroFreeDocx],
  ['a PDF with a script', 'disarmed', 'pdf', async () => buildPdf({ javascript: true })],
  ['a picture', 'disarmed', 'png', async () => buildPng()],
  ['a text', 'already_safe', 'txt', async () => Buffer.from('hello\n')],
])('%s comes out as %s, extension %s', async (_what, outcome, extension, build) => {
  const report = await run(await build(), 'attachment');
  expect(report).toMatchObject({ outcome, type: { extension } });
});

test.each([
  ['a program', Buffer.from('\x7fELF\x02\x01\x01\0'.padEnd(64, '\0'), 'latin1'), 'unsupported'],
  ['a script that begins as a page', Buffer.from('<html><script>a.Run("x");</script>'), 'unsupported'],
  ['a damaged document', Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(64)]), 'unreadable'],
])('%s is refused with a reason', async (_what, bytes, code) => {
  const report = await run(bytes, code === 'unsupported' ? 'a.js' : 'a.pdf');
  expect(report).toMatchObject({ outcome: 'failed', failure: { code } });
});

test.each([
  [
    'a disk image',
    'a.iso',
    'CD or DVD image',
    Buffer.concat([Buffer.alloc(32_769), Buffer.from('CD001\x01\0'), Buffer.alloc(4_096)]),
  ],
  ['a shortcut', 'a.url', 'Internet shortcut', Buffer.from('[InternetShortcut]\nURL=https://a.example/')],
  ['a query', 'a.iqy', 'Excel web query', Buffer.from('WEB\n1\nhttps://a.example/')],
  ['a SYLK sheet', 'a.slk', 'SYLK spreadsheet', Buffer.from('ID;PWXL\nC;X1;Y1;K1\nE\n')],
  ['an HTML application', 'a.hta', 'HTML application', Buffer.from('<html><hta:application></html>')],
])('%s is refused by the name of its type, with a reason', async (_what, name, description, bytes) => {
  const report = await run(bytes, name);
  expect(report).toMatchObject({
    outcome: 'failed',
    failure: {
      code: 'unsupported',
      message: expect.stringMatching(new RegExp(`\\(${description}\\) cannot be disarmed: \\w`)),
    },
  });
});

test('a file over the input limit is refused without being read', async () => {
  const report = await run(buildPng(), 'a.png', { ...DEFAULT_ENGINE_LIMITS, inputBytes: 10 });
  expect(report).toMatchObject({ outcome: 'failed', failure: { code: 'oversize' } });
});

test('an output over its limit is refused', async () => {
  const report = await run(buildPng(), 'a.png', { ...DEFAULT_ENGINE_LIMITS, outputBytes: 10 });
  expect(report).toMatchObject({ outcome: 'failed', failure: { code: 'oversize' } });
});

test('the gate stops an output that is not the type it claims or that a second pass would change', async () => {
  const input = { bytes: Buffer.from('a'), untrustedName: 'a.txt', password: null };
  const text = describeType('text/plain');
  let passes = 0;
  const never = {
    disarm: async () => {
      passes += 1;
      return { outcome: 'disarmed' as const, bytes: Buffer.from(`${passes}`), type: text, details: [] };
    },
  };
  const nested = openNested(() => never.disarm(), DEFAULT_ENGINE_LIMITS);
  const strategy = { name: 'rebuild', keepsText: true };
  const context = { input, type: text, module: never, strategy, limits: DEFAULT_ENGINE_LIMITS, nested };
  const output = { outcome: 'disarmed' as const, bytes: Buffer.from('plain text'), type: text, details: [] };
  const failure = (error: unknown) => error instanceof EngineError && error.code === 'unsafe_output';
  await expect(checkOutput(output, context)).rejects.toSatisfy(failure);
  await expect(checkOutput({ ...output, bytes: buildPng() }, context)).rejects.toSatisfy(failure);
  await expect(checkOutput({ ...output, outcome: 'already_safe' }, context)).rejects.toSatisfy(failure);
});
