/** All policies of a deployment: those of roles, and those of buckets, queues and keys. */
import type { Assembly, Resource } from '../assembly/assembly.ts';
import { unknown } from '../assembly/refuse.ts';
import { type Statement, statementsOf } from './statement.ts';

export interface Policies {
  /** By ARN of the role. */
  readonly ofRole: ReadonlyMap<string, readonly Statement[]>;
  /** Who may take a role, by its ARN. */
  readonly trust: ReadonlyMap<string, readonly Statement[]>;
  /** By ARN of the bucket, queue or key. */
  readonly ofResource: ReadonlyMap<string, readonly Statement[]>;
}

/** Who puts mail into the intake bucket. It may do everything that no policy of a bucket denies. */
export const ADMINISTRATOR = 'administrator';
export const administratorArn = (account: string) => `arn:aws:iam::${account}:role/${ADMINISTRATOR}`;
const EVERYTHING = { Statement: [{ Effect: 'Allow', Action: '*', Resource: '*' }] };

/** Reads every policy of the assembly. Throws UnknownToTwinError. */
export function policiesOf(assembly: Assembly): Policies {
  const roles = assembly.of('AWS::IAM::Role');
  const ofRole = new Map<string, Statement[]>(roles.map((role) => [role.arn, inlineOf(role)]));
  for (const policy of assembly.of('AWS::IAM::Policy')) {
    for (const name of policy.properties.Roles as string[]) {
      const role = roles.find((one) => one.ref === name) ?? unknown('role', name);
      ofRole.get(role.arn)?.push(...statementsOf(shortName(role), policy.properties.PolicyDocument));
    }
  }
  ofRole.set(administratorArn(assembly.place.account), statementsOf(ADMINISTRATOR, EVERYTHING));
  const trust = roles.map((role) => [
    role.arn,
    statementsOf(shortName(role), role.properties.AssumeRolePolicyDocument),
  ]);
  return { ofRole, trust: new Map(trust as [string, Statement[]][]), ofResource: resourcePolicies(assembly) };
}

function inlineOf(role: Resource): Statement[] {
  const inline = (role.properties.Policies ?? []) as { readonly PolicyDocument: unknown }[];
  return inline.flatMap(({ PolicyDocument }) => statementsOf(shortName(role), PolicyDocument));
}

function resourcePolicies(assembly: Assembly): Map<string, Statement[]> {
  const found = new Map<string, Statement[]>();
  const add = (arn: string, where: string, document: unknown) =>
    found.set(arn, [...(found.get(arn) ?? []), ...statementsOf(where, document)]);
  for (const key of assembly.of('AWS::KMS::Key')) add(key.arn, shortName(key), key.properties.KeyPolicy);
  for (const policy of assembly.of('AWS::S3::BucketPolicy'))
    for (const bucket of assembly.of('AWS::S3::Bucket').filter(({ ref }) => ref === policy.properties.Bucket))
      add(bucket.arn, shortName(policy), policy.properties.PolicyDocument);
  for (const policy of assembly.of('AWS::SQS::QueuePolicy'))
    for (const queue of assembly
      .of('AWS::SQS::Queue')
      .filter(({ ref }) => (policy.properties.Queues as string[]).includes(ref)))
      add(queue.arn, shortName(policy), policy.properties.PolicyDocument);
  return found;
}

/** The logical id without the name of the stack and the digits behind it. */
export function shortName({ logicalId }: Pick<Resource, 'logicalId'>): string {
  return logicalId.replace(/^MailAirlock/, '').replace(/[0-9A-F]{8}$/, '');
}
