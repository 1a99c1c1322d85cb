/** What is deployed stays far from the limits of AWS on sizes, and a stack that passes one fails at synth. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { limitUses } from '../../lib/infra/aws-limits.ts';
import { scratchDirectory } from '../runner/scratch.ts';
import { synthesize } from './synth.ts';

/** Whoever comes nearer than this thinks of another way before a deployment fails. */
const NEAR = 0.7;
const TEMPLATE = { resources: 500, bytes: 1_000_000, outputs: 200 };

const policyFile = join(scratchDirectory(), 'policy.json');
writeFileSync(policyFile, '{"notices":{"from":"airlock@example.org","domains":["example.org"]}}');
const EVERYTHING = {
  ...{ policyFile, tagSources: true, denyUncleanReads: true, indexRuns: true, recheck: true },
  ...{ desk: true, deskDrop: true, digest: true, alarmEmail: 'a@example.org' },
  ...{ sesRecipients: 'example.com', mailManagerRecipients: 'example.com', sources: 'uploads/in/*.pdf=in-place' },
};

describe.each([
  ['engines in the stack', { analysisUrl: '', visitUrls: 'true' }],
  ['a service of others', { cdrUrl: 'https://cdr.example.com' }],
])('with every part and %s', (_, analysis) => {
  const { stack, template } = synthesize({ context: { ...EVERYTHING, ...analysis } });

  test('nothing is near a limit', () => {
    const uses = limitUses(stack);
    const kinds = ['environment', 'definition', 'inline policies', 'bucket policy', 'queue policy', 'topic policy'];
    expect(uses.map(({ what }) => what)).toEqual(
      expect.arrayContaining([...kinds, 'key policy', 'endpoint policy', 'event pattern']),
    );
    const near = uses.filter(({ used, most }) => used > NEAR * most);
    expect(near.map(({ path, what, used, most }) => `the ${what} of ${path} has ${used} of ${most} bytes`)).toEqual([]);
  });

  test('the template is not near its limits', () => {
    const { Resources, Outputs } = template as typeof template & { readonly Outputs: object };
    expect(Object.keys(Resources).length).toBeLessThan(NEAR * TEMPLATE.resources);
    expect(JSON.stringify(template).length).toBeLessThan(NEAR * TEMPLATE.bytes);
    expect(Object.keys(Outputs).length).toBeLessThan(NEAR * TEMPLATE.outputs);
  });
});

describe('sources', () => {
  const sources = (count: number, prefix: string) =>
    Array.from({ length: count }, (_, index) => `uploads-${index}/${prefix}=mirrored:results/${index}/${prefix}`).join(
      ',',
    );

  test('as many as there may be have room with short prefixes', () => {
    expect(() => synthesize({ context: { sources: sources(16, 'in/') } })).not.toThrow();
  });

  test('whose prefixes need more than an environment has fail at synth, with the function, its size and what helps', () => {
    const long = () => synthesize({ context: { sources: sources(16, `${'team/'.repeat(20)}`) } });
    expect(long).toThrow(
      /The environment of MailAirlock\/.*Parse.* has \d+ bytes, and AWS allows 4096.*fewer or shorter/,
    );
  });
});
