/** Archives that were submitted with their password. */
import { expect, test } from 'vitest';
import { DEFAULT_ENGINE_LIMITS } from '../../lib/engines/engine.ts';
import { analyseFile } from '../../lib/engines/static/analyse-file.ts';
import { zipOf } from './zip-fixture.ts';

const analyse = (password: string | null) =>
  analyseFile(
    {
      bytes: zipOf({ 'invoice.pdf.exe': { content: 'x', encrypted: true } }),
      untrustedName: 'a.zip',
      password,
    },
    DEFAULT_ENGINE_LIMITS,
  );

test('an encrypted member fails the report without a password, and is no failure with one', async () => {
  expect(await analyse(null)).toMatchObject({ outcome: 'failed', failure: { code: 'encrypted' } });
  const report = await analyse('secret');
  expect(report.outcome).toBe('completed');
  // What stays unread is never called benign.
  expect(report).not.toMatchObject({ level: 'benign' });
});
