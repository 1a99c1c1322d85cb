import { expect, test } from 'vitest';
import { disarmFile } from '../../../lib/engines/disarm/disarm.ts';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';
import { buildDoc } from '../../fixtures/build-doc.ts';
import { buildPpt } from '../../fixtures/build-ppt.ts';
import { buildXls, bytes } from '../../fixtures/build-xls.ts';
import { streamsOf } from './legacy-contents.ts';

const SUMMARY = '\x05SummaryInformation';

/** A property stream with these texts. */
function summaryOf(texts: Readonly<Record<number, string>>): Buffer {
  const number = (value: number) => Buffer.from(Uint32Array.of(value).buffer);
  const entries = Object.entries(texts);
  const values = entries.map(([, text]) =>
    Buffer.concat([number(0x1e), number(32), Buffer.from(text.padEnd(32, '\0'), 'latin1')]),
  );
  const list = entries.map(([id], index) =>
    Buffer.concat([number(Number(id)), number(8 + entries.length * 8 + index * 40)]),
  );
  const section = Buffer.concat([number(8 + entries.length * 48), number(entries.length), ...list, ...values]);
  const head = Buffer.concat([
    bytes('feff 0000 00000000'),
    Buffer.alloc(16),
    number(1),
    bytes('e0859ff2f94f6810ab9108002b27b3d9'),
    number(48),
  ]);
  return Buffer.concat([head, section]);
}

async function summary(file: Uint8Array, { keepMetadata }: { keepMetadata: boolean }): Promise<string | undefined> {
  const report = await disarmFile(
    { bytes: file, untrustedName: '', password: null, keepMetadata },
    DEFAULT_ENGINE_LIMITS,
  );
  if (report.outcome === 'failed') return expect.fail(report.failure.message);
  return streamsOf(report.bytes).get(SUMMARY)?.toString('latin1');
}

const streams = { [SUMMARY]: summaryOf({ 2: 'Budget', 4: 'Ada Lovelace', 7: 'c:/template.dot', 17: 'thumbnail' }) };

test.each([
  ['document', buildDoc({ streams })],
  ['workbook', buildXls({ streams })],
  ['presentation', buildPpt({ streams })],
])('a %s keeps title and author only where that is asked for, and never paths and thumbnails', async (_what, file) => {
  expect(await summary(file, { keepMetadata: false })).toBeUndefined();
  const kept = await summary(file, { keepMetadata: true });
  expect(kept).toContain('Budget');
  expect(kept).toContain('Ada Lovelace');
  expect(kept).not.toMatch(/template|thumbnail/);
});

test('a summary that points outside itself is removed', async () => {
  expect(
    await summary(
      buildDoc({
        streams: { [SUMMARY]: Buffer.concat([summaryOf({}).subarray(0, 44), Buffer.from('ffffff7f', 'hex')]) },
      }),
      { keepMetadata: true },
    ),
  ).toBeUndefined();
});
