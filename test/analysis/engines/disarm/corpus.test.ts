import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { disarmFile } from '../../../../lib/analysis/engines/disarm/disarm.ts';
import { DEFAULT_ENGINE_LIMITS } from '../../../../lib/analysis/engines/engine.ts';
import { everyLayer } from './contents.ts';

interface Sample {
  readonly file: string;
  readonly type: string;
  readonly expect: 'clean' | 'disarm' | 'block' | 'password';
  readonly keep: readonly string[];
}

const folder = join(process.env.AIRLOCK_CASES ?? '../shared/data', 'disarm');
const manifest = join(folder, 'manifest.json');
const isHere = existsSync(manifest);
if (!isHere) console.warn(`no disarm samples at ${folder}: set AIRLOCK_CASES to the folder that holds them`);
const samples: readonly Sample[] = isHere ? JSON.parse(readFileSync(manifest, 'utf8')).samples : [];

/** The formats of this engine. Everything else must be refused, or come out of the modules for text and HTML. */
const REBUILT = /^(docx|xlsx|pptx|pdf|jpg|gif|webp|tif|bmp|png)$/;
const MARKUP_OR_TEXT = /^(html|svg|csv|js|vbs|ps1|bat|wsf|hta|eml|mht|ics|vcf|iqy|slk|url|rtf)$/;

/** Refused although a disarm is wanted. The picture's segments are so damaged that the decoder gives up. */
const REFUSED = new Set(['polyglot-jpg-js.jpg']);

async function disarm(file: string) {
  const bytes = new Uint8Array(readFileSync(join(folder, 'files', file)));
  return { bytes, report: await disarmFile({ bytes, untrustedName: file, password: null }, DEFAULT_ENGINE_LIMITS) };
}

describe.runIf(isHere)('samples', () => {
  test.each(samples.filter(({ type, expect: wanted }) => REBUILT.test(type) && wanted !== 'block'))(
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

  test.each(samples.filter(({ type }) => type === 'cfb-encrypted'))('$file needs a password', async ({ file }) => {
    const { report } = await disarm(file);
    expect(report).toMatchObject({ outcome: 'failed', failure: { code: 'encrypted' } });
  });

  test.each(
    samples.filter(({ type }) => !REBUILT.test(type) && !MARKUP_OR_TEXT.test(type) && type !== 'cfb-encrypted'),
  )('$file has no module and is refused', async ({ file }) => {
    const { report } = await disarm(file);
    expect(report).toMatchObject({ outcome: 'failed', failure: { code: 'unsupported' } });
  });

  test.each(samples.filter(({ type }) => MARKUP_OR_TEXT.test(type)))(
    '$file never comes out with a threat in it',
    async ({ file }) => {
      const { report } = await disarm(file);
      if (report.outcome !== 'failed') expect(Buffer.from(report.bytes).toString('latin1')).not.toContain('CDRTHREAT');
    },
  );
});
