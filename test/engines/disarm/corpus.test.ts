import { describe, expect, test } from 'vitest';
import { disarmFile } from '../../../lib/engines/disarm/disarm.ts';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';
import { fileCase, fileCases } from '../../fixtures/cases.ts';
import { everyLayer } from './contents.ts';

const samples = fileCases();

/** The formats that this engine disarms. */
const REBUILT =
  /^(docx|docm|xlsx|xlsm|pptx|doc|xls|ppt|rtf|odt|ods|pdf|jpg|gif|webp|tif|bmp|png|ico|html|svg|csv|ics|vcf|eml|mht|msg|tnef|zip|7z|rar|tar|gzip|bzip2|xz)$/;
/** Code, whose words stay. */
const CODE = /^(js|vbs|ps1|bat)$/;
/** Types for which no safe form exists. */
const WITHOUT_SAFE_FORM = /^(wsf|hta|iqy|slk|url|lnk|exe|elf|jar|iso|one)$/;

/** Samples that are refused although a disarm is wanted. The segments of this picture are so damaged that the decoder gives up. */
const REFUSED = new Set(['polyglot-jpg-js.jpg']);

async function disarm(file: string, password: string | null = null) {
  const bytes = new Uint8Array(fileCase(file));
  return { bytes, report: await disarmFile({ bytes, untrustedName: file, password }, DEFAULT_ENGINE_LIMITS) };
}

describe('samples', () => {
  test.each(samples.filter(({ type, expect: wanted }) => REBUILT.test(type) && /^(clean|disarm)$/.test(wanted)))(
    '$file comes out without a threat and with its content',
    async ({ file, keep }) => {
      const { bytes, report } = await disarm(file);
      if (REFUSED.has(file)) {
        expect(report).toMatchObject({ outcome: 'failed', failure: { code: 'unreadable' } });
        return;
      }
      if (report.outcome === 'failed') expect.fail(report.failure.message);
      const layers = await everyLayer(report.bytes, report.type.extension);
      expect(layers).not.toContain('CDRTHREAT');
      for (const marker of keep) expect(layers).toContain(marker);
      if (report.outcome === 'already_safe') expect(Buffer.compare(report.bytes, bytes)).toBe(0);
    },
  );

  test.each(samples.filter(({ type, expect: wanted }) => REBUILT.test(type) && wanted === 'block'))(
    '$file is refused',
    async ({ file }) => {
      const { report } = await disarm(file);
      expect(report).toMatchObject({ outcome: 'failed', failure: { code: 'oversize' } });
    },
  );

  test.each(samples.filter(({ type }) => type === 'cfb-encrypted'))(
    '$file opens with its password, and without one only when Office needs none',
    async ({ file, password = '' }) => {
      const needsNone = password === 'VelvetSweatshop';
      expect((await disarm(file)).report.outcome).toBe(needsNone ? 'disarmed' : 'failed');
      const { report } = await disarm(file, password);
      if (report.outcome === 'failed') expect.fail(report.failure.message);
      expect(report.details[0]).toMatchObject({ kind: 'encryption' });
      expect(await everyLayer(report.bytes, report.type.extension)).not.toContain('CDRTHREAT');
    },
  );

  test.each(samples.filter(({ type, expect: wanted }) => REBUILT.test(type) && wanted === 'password'))(
    '$file needs a password, and with it comes out without a threat',
    async ({ file, keep, password }) => {
      expect((await disarm(file)).report).toMatchObject({ outcome: 'failed', failure: { code: 'encrypted' } });
      expect((await disarm(file, 'wrong')).report).toMatchObject({ outcome: 'failed', failure: { code: 'encrypted' } });
      if (password === undefined) return;
      const { report } = await disarm(file, password);
      if (report.outcome === 'failed') expect.fail(report.failure.message);
      const layers = await everyLayer(report.bytes, report.type.extension);
      expect(layers).not.toContain('CDRTHREAT');
      for (const marker of keep) expect(layers).toContain(marker);
    },
  );

  test.each(samples.filter(({ type }) => WITHOUT_SAFE_FORM.test(type)))('$file has no safe form', async ({ file }) => {
    const { report } = await disarm(file);
    expect(report).toMatchObject({ outcome: 'failed', failure: { code: 'unsupported' } });
  });

  test.each(samples.filter(({ type }) => CODE.test(type)))('$file comes out as a text', async ({ file }) => {
    const { bytes, report } = await disarm(file);
    expect(report).toMatchObject({ outcome: 'disarmed', type: { type: 'text/plain' } });
    expect(report.outcome === 'failed' ? null : report.bytes).toEqual(bytes);
  });

  test('every other sample is refused or comes out without a threat', async () => {
    for (const { file, type } of samples) {
      if (REBUILT.test(type) || WITHOUT_SAFE_FORM.test(type) || CODE.test(type)) continue;
      const { report } = await disarm(file);
      if (report.outcome === 'failed') continue;
      expect(await everyLayer(report.bytes, report.type.extension), file).not.toContain('CDRTHREAT');
    }
  });

  test('the same input gives the same bytes, and a second disarm changes nothing', async () => {
    const formats = /^(doc|xls|ppt|rtf|odt|ods|svg|csv|ics|vcf|eml|mht|msg|tnef|zip|7z|rar|tar|gzip|bzip2|xz)$/;
    for (const { file, type, expect: wanted } of samples) {
      if (!formats.test(type) || !/^(clean|disarm)$/.test(wanted)) continue;
      const [{ report: first }, { report: second }] = [await disarm(file), await disarm(file)];
      if (first.outcome === 'failed' || second.outcome === 'failed') return expect.fail(`${file} is refused`);
      expect(Buffer.compare(first.bytes, second.bytes), file).toBe(0);
      const input = { bytes: first.bytes, untrustedName: `again.${first.type.extension}`, password: null };
      const again = await disarmFile(input, DEFAULT_ENGINE_LIMITS);
      expect(again, file).toMatchObject({ outcome: 'already_safe' });
    }
  });
});
