import { expect, test } from 'vitest';
import { openAnalysis } from '../../lib/local/analysis.ts';

const outside = { url: 'http://127.0.0.1:9', secret: 'key' };

test.each([
  ['the engines of this process', null, null, true],
  ['a service', outside, null, false],
  ['a CDR service beside the engines of this process', null, outside, false],
  ['two services', outside, outside, false],
])(
  'the disarm counts as part of the installation only when it runs in this process: %s',
  async (_, service, cdr, isOwn) => {
    const analysis = await openAnalysis(service, cdr, new AbortController().signal);
    expect(analysis.isOwnDisarm).toBe(isOwn);
    await analysis.close();
  },
);
