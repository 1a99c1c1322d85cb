/** Permissions that a run without faults does not use, each with the reason why a role has it all the same. */
import type { Grant } from './evaluate.ts';

interface Row {
  /** Names of roles. */
  readonly roles: RegExp;
  /** What is done, and on what, with a space between. */
  readonly grants: RegExp;
  readonly why: string;
}

export const UNUSED_GRANTS: readonly Row[] = [
  { roles: /^EnginesSandboxRole$/, grants: /./, why: 'no mail of the run has a file for the sandbox' },
  { roles: /^EnginesFailedRole$/, grants: /./, why: 'no engine was killed three times by one file' },
  { roles: /^RedriveRole$/, grants: /./, why: 'nobody began a run again' },
  {
    roles: /^WorkflowRole$/,
    grants: /^lambda:InvokeFunction .*Airlock(Submit|Poll|Fetch|Decide|Rebuild)Function/,
    why: 'the Express machine ran the stages of every mail, and left none of them to the Standard one',
  },
  { roles: /Role$/, grants: /^s3:ListBucket /, why: 'without it, S3 answers 403 where an object is missing' },
  { roles: /^(Parse|Rebuild|Quarantine)Role$/, grants: /^s3:GetObject .*intake/, why: 'in a bucket without versions' },
  {
    roles: /^(Submit|Poll|Fetch)Role$/,
    grants: /^dynamodb:(Get|Delete|Put)Item /,
    why: 'a claim is looked at again, given up, or made late when a request failed',
  },
  {
    roles: /^SubmitRole$/,
    grants: /^s3:PutObject .*(?:budget|seen)/,
    why: 'no mail of the run has a file for the sandbox, whose budget it would count',
  },
  { roles: /^SubmitRole$/, grants: /^sqs:SendMessage .*Sandbox/, why: 'no mail of the run has a file for the sandbox' },
  { roles: /^PollRole$/, grants: /^sqs:SendMessage /, why: 'poll sends what submit could not send' },
  {
    roles: /^QuarantineRole$/,
    grants: /^s3:GetObject .*clean/,
    why: 'a delivery that was cut off is looked for in the clean bucket',
  },
  {
    roles: /^QuarantineRole$/,
    // AWS does not say that the HEAD of an encrypted object needs no key. Without an answer, no mail that was cut off could end.
    grants: /^kms:Decrypt /,
    why: 'a delivery that was cut off is looked for in the clean bucket',
  },
  { roles: /^RebuildRole$/, grants: /^s3:PutObject .*\/disarmed/, why: 'rebuild wrote no file of the run anew' },
  { roles: /^QuarantineRole$/, grants: /^s3:PutObject .*\/notices\//, why: 'the policy as shipped writes no notices' },
  { roles: /^(Parse|Quarantine)Role$/, grants: /^s3:PutObject .*\/beginning/, why: 'no mail was read again' },
  { roles: /^QuarantineRole$/, grants: /^sqs:.*Casualties/, why: 'nothing ended in the dead letters' },
];

const fits = ({ roles, grants }: Row, { where, action, resource }: Grant) =>
  roles.test(where) && grants.test(`${action} ${resource}`);

/** The permissions for which there is no reason. */
export function unexplained(unused: readonly Grant[]): Grant[] {
  return unused.filter((grant) => !UNUSED_GRANTS.some((row) => fits(row, grant)));
}

/** Reasons that no unused permission needs. */
export function needless(unused: readonly Grant[]): string[] {
  return UNUSED_GRANTS.filter((row) => !unused.some((grant) => fits(row, grant))).map(
    ({ roles, grants, why }) => `${roles.source} ${grants.source}: ${why}`,
  );
}
