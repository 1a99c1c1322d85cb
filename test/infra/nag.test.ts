import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { IConstruct } from 'constructs';
import { expect, test } from 'vitest';
import { scratchDirectory } from '../runner/scratch.ts';
import { synthesize } from './synth.ts';

const policyFile = join(scratchDirectory(), 'policy.json');
writeFileSync(policyFile, '{"notices":{"from":"airlock@example.org","domains":["example.org"]}}');
const { app } = synthesize({
  context: {
    cdrUrl: 'https://cdr.example.com',
    tagSources: true,
    denyUncleanReads: true,
    indexRuns: true,
    desk: true,
    digest: true,
    policyFile,
    sesRecipients: 'example.com',
    mailManagerRecipients: 'example.com',
  },
});

/** Finds everything, as if nothing had been acknowledged. */
function unforgivingChecks(): AwsSolutionsChecks {
  const checks = new AwsSolutionsChecks(app);
  Reflect.set(checks, 'isAcknowledged', () => false);
  return checks;
}

interface Acknowledged {
  readonly path: string;
  readonly rule: string;
  readonly reason: string;
}

function acknowledgements(root: IConstruct): Acknowledged[] {
  return root.node.findAll().flatMap(({ node }) =>
    node.metadata
      .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
      .flatMap(({ data }) => Object.entries(data as Record<string, string>))
      .map(([id, reason]) => ({ path: node.path, rule: id.replace(/^annotation::/i, ''), reason })),
  );
}

test('has nothing that the AwsSolutions rules of cdk-nag object to', () => {
  expect(new AwsSolutionsChecks(app, { verbose: true }).validateScope(app).violations).toEqual([]);
});

test('acknowledges only what is found, and always with a reason', () => {
  const found = unforgivingChecks().validateScope(app).violations;
  const isFound = ({ path, rule }: Acknowledged) =>
    found.some(
      ({ ruleName, violatingResources }) =>
        ruleName === rule && violatingResources.some(({ constructPath }) => constructPath?.startsWith(`${path}/`)),
    );
  // The CDK acknowledges some of its own rules itself.
  const made = acknowledgements(app).filter(({ rule }) => rule.startsWith('AwsSolutions'));
  expect(made.length).toBeGreaterThan(0);
  expect(made.filter((each) => !isFound(each))).toEqual([]);
  expect(made.filter(({ reason }) => reason.split(' ').length < 6)).toEqual([]);
});

test('passes the template validation of the CDK when its findings are errors', () => {
  const context = { '@aws-cdk/core:validateAgainstDefaultRules': true };
  const { assembly } = synthesize({ context, withValidation: true });
  const report: unknown = JSON.parse(readFileSync(join(assembly.directory, 'validation-report.json'), 'utf8'));
  expect(report).toMatchObject({ pluginReports: [] });
});
