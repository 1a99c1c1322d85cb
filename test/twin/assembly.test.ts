/** What a template says, resolved; and everything that the twin does not know, refused. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { loadAssembly } from './assembly/assembly.ts';
import { fits } from './servers/event-pattern.ts';
import { definitionOf } from './workflow/definition.ts';

const folder = mkdtempSync(join(tmpdir(), 'airlock-twin-assembly-'));
afterAll(() => rmSync(folder, { recursive: true }));
const PLACE = { account: '111122223333', region: 'eu-central-1', url: 'http://127.0.0.1:1' };

function load(template: object) {
  writeFileSync(join(folder, 'S.template.json'), JSON.stringify(template));
  const source = { path: 'asset.1', packaging: 'zip' };
  const files = { one: { source, destinations: { here: { objectKey: '1.zip' } } } };
  writeFileSync(join(folder, 'S.assets.json'), JSON.stringify({ files }));
  return loadAssembly(folder, 'S', PLACE);
}

const topicOf = (value: unknown) => ({ Type: 'AWS::Logs::MetricFilter', Properties: { LogGroupName: value } });
const QUEUE = { Type: 'AWS::SQS::Queue', Properties: { VisibilityTimeout: 5 } };

describe('a template', () => {
  test.each<[string, unknown, unknown]>([
    ['a Ref', { Ref: 'Jobs' }, 'http://127.0.0.1:1/111122223333/Jobs'],
    ['an attribute', { 'Fn::GetAtt': ['Jobs', 'Arn'] }, 'arn:aws:sqs:eu-central-1:111122223333:Jobs'],
    ['a Join', { 'Fn::Join': ['-', ['a', { Ref: 'AWS::Region' }, 'b']] }, 'a-eu-central-1-b'],
    ['a Sub', { 'Fn::Sub': `\${AWS::AccountId} \${Jobs.QueueName} \${!Literal}` }, `111122223333 Jobs \${Literal}`],
    [
      'a Sub with values',
      { 'Fn::Sub': [`\${a}-\${AWS::Region}`, { a: { Ref: 'AWS::Partition' } }] },
      'aws-eu-central-1',
    ],
    ['an If', { 'Fn::If': ['IsHere', 'yes', 'no'] }, 'yes'],
    ['an If without a value', { a: { 'Fn::If': ['IsElsewhere', 'yes', { Ref: 'AWS::NoValue' }] }, b: 1 }, { b: 1 }],
    ['a Select of a Split', { 'Fn::Select': [1, { 'Fn::Split': [':', 'a:b'] }] }, 'b'],
    ['a parameter', { Ref: 'Version' }, '7'],
    ['a key that is called Condition', { Condition: { a: 'b' } }, { Condition: { a: 'b' } }],
  ])('%s', (_, value, expected) => {
    const isHere = { 'Fn::Equals': [{ Ref: 'AWS::Region' }, 'eu-central-1'] };
    const assembly = load({
      Parameters: { Version: { Type: 'String', Default: '7' } },
      Conditions: { IsHere: { 'Fn::Or': [isHere, isHere] }, IsElsewhere: { 'Fn::Not': [{ Condition: 'IsHere' }] } },
      Resources: { Jobs: QUEUE, Filter: topicOf(value) },
    });
    expect(assembly.of('AWS::Logs::MetricFilter')[0]?.properties.LogGroupName).toEqual(expected);
  });

  test.each<[string, object]>([
    ['a type of resource', { Resources: { A: { Type: 'AWS::EKS::Cluster' } } }],
    ['a property', { Resources: { A: { Type: 'AWS::SQS::Queue', Properties: { FifoQueue: true } } } }],
    ['a function', { Resources: { A: topicOf({ 'Fn::Base64': 'x' }) } }],
    ['a reference', { Resources: { A: topicOf({ Ref: 'Nothing' }) } }],
    ['an attribute', { Resources: { Jobs: QUEUE, A: topicOf({ 'Fn::GetAtt': ['Jobs', 'Colour'] }) } }],
    ['a section', { Resources: {}, Transform: 'AWS::Serverless' }],
    ['a key of a resource', { Resources: { A: { ...QUEUE, CreationPolicy: {} } } }],
  ])('with %s that the twin does not know is refused', (_, template) => {
    expect(() => load(template)).toThrow('the twin does not know');
  });

  test('names the folder of each asset', () => {
    const assembly = load({ Resources: {} });
    expect(assembly.assetFolder('1.zip')).toBe(join(folder, 'asset.1'));
    expect(() => assembly.assetFolder('2.zip')).toThrow('the twin does not know this asset');
  });
});

describe('a state machine', () => {
  const task = { Type: 'Task', Resource: `\${A}`, End: true };
  const text = (state: object, more = {}) => JSON.stringify({ StartAt: 'A', States: { A: state }, ...more });

  test('has its substitutions filled in', () => {
    expect(definitionOf(text(task), { A: 'arn' }).States.A).toMatchObject({ Resource: 'arn' });
  });

  test.each<[string, string]>([
    ['a field of a state', text({ ...task, HeartbeatSeconds: 5 })],
    ['a field of a Retry', text({ ...task, Retry: [{ ErrorEquals: ['x'], Colour: 1 }] })],
    ['a field of a Catch', text({ ...task, Catch: [{ ErrorEquals: ['x'], Next: 'A', Assign: {} }] })],
    ['a comparison', text({ Type: 'Choice', Choices: [{ Variable: '$.a', IsPresent: true, Next: 'A' }] })],
    [
      'a comparison within another',
      text({ Type: 'Choice', Choices: [{ Not: { Variable: '$.a', IsPresent: true }, Next: 'A' }] }),
    ],
    ['a type of state', text({ Type: 'Map' })],
    ['a field of the machine', text(task, { QueryLanguage: 'JSONata' })],
    ['a substitution', text({ ...task, Resource: `\${B}` })],
  ])('with %s that the twin does not know is refused', (_, definition) => {
    expect(() => definitionOf(definition, { A: 'arn' })).toThrow('the twin does not know');
  });
});

describe('a pattern of events', () => {
  const event = { source: 'aws.s3', detail: { bucket: { name: 'mail' }, tags: ['a', 'b'] } };
  test.each<[object, boolean]>([
    [{ source: ['aws.s3'] }, true],
    [{ source: ['aws.ec2', 'aws.s3'], detail: { bucket: { name: ['mail'] } } }, true],
    [{ detail: { bucket: { name: ['other'] } } }, false],
    [{ detail: { absent: ['x'] } }, false],
    [{ detail: { tags: ['b'] } }, true],
  ])('%j fits: %s', (pattern, expected) => {
    expect(fits(event, pattern)).toBe(expected);
  });

  test('with a filter that the twin does not know is refused', () => {
    expect(() => fits(event, { source: [{ 'equals-ignore-case': 'aws' }] })).toThrow('the twin does not know');
  });
});
