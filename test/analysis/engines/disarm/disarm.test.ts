import { expect, test } from 'vitest';
import { disarmFile } from '../../../../lib/analysis/engines/disarm/disarm.ts';
import { checkOutput } from '../../../../lib/analysis/engines/disarm/gate.ts';
import { DEFAULT_ENGINE_LIMITS, EngineError } from '../../../../lib/analysis/engines/engine.ts';
import { describeType } from '../../../../lib/analysis/engines/file-types.ts';
import { buildPng } from '../../../fixtures/build-image.ts';
import { buildDocm, buildMacroFreeDocx, buildZip } from '../../../fixtures/build-office.ts';
import { buildPdf } from '../../../fixtures/build-pdf.ts';

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
  ['a script', Buffer.from('var a = new ActiveXObject("WScript.Shell"); a.Run("x");'), 'unsupported'],
  ['a damaged document', Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(64)]), 'unreadable'],
])('%s is refused with a reason', async (_what, bytes, code) => {
  const report = await run(bytes, code === 'unsupported' ? 'a.js' : 'a.pdf');
  expect(report).toMatchObject({ outcome: 'failed', failure: { code } });
});

test('a plain archive is refused by the name of its type', async () => {
  const report = await run(await buildZip([['a.txt', 'hello']]), 'a.zip');
  expect(report).toMatchObject({
    outcome: 'failed',
    failure: { code: 'unsupported', message: expect.stringContaining('zip archive') },
  });
});

test('a file over the input limit is refused unread', async () => {
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
    accepts: () => true,
    disarm: async () => {
      passes += 1;
      return { outcome: 'disarmed' as const, bytes: Buffer.from(`${passes}`), type: text, details: [] };
    },
  };
  const context = { input, module: never, limits: DEFAULT_ENGINE_LIMITS };
  const output = { outcome: 'disarmed' as const, bytes: Buffer.from('plain text'), type: text, details: [] };
  const failure = (error: unknown) => error instanceof EngineError && error.code === 'engine_failed';
  await expect(checkOutput(output, context)).rejects.toSatisfy(failure);
  await expect(checkOutput({ ...output, bytes: buildPng() }, context)).rejects.toSatisfy(failure);
  await expect(checkOutput({ ...output, outcome: 'already_safe' }, context)).rejects.toSatisfy(failure);
});
