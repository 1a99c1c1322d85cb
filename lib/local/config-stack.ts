/** The section `stack`: the settings of a deployment, which `cdk synth` reads. What each does says `lib/infra/settings.ts`. */
import type { Value } from './config-values.ts';
import * as values from './config-values.ts';

/** One key below `stack`. */
export interface StackRow {
  readonly name: string;
  readonly value: Value;
  readonly example: unknown;
}

const stack = (name: string, value: Value, example: unknown): StackRow => ({ name, value, example });
const many = values.listOf(values.text);
const days = values.whole(1, 9_999_999);
const most = values.whole(1, 9_999_999);
/** The days that CloudWatch knows. */
const LOG_DAYS = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
] as const;

export const STACK_ROWS: readonly StackRow[] = [
  stack('analysisUrl', values.webUrl, 'https://analysis.example'),
  stack('analysis', many, ['static=engines', 'sandbox=service']),
  stack('cdrUrl', values.webUrl, 'https://cdr.example'),
  stack('policyFile', values.file, 'policy.json'),
  stack('deadlineMinutes', most, 30),
  stack('maxConcurrentParses', most, 20),
  stack('maxConcurrentEngines', most, 20),
  stack('visitUrls', values.flag, false),
  stack('alarmEmail', values.mailAddress, 'ops@example.org'),
  stack('alarmTopicArn', values.text, 'arn:aws:sns:eu-central-1:123456789012:alarms'),
  stack('intakeBucketName', values.text, 'our-intake'),
  stack('workBucketName', values.text, 'our-work'),
  stack('cleanBucketName', values.text, 'our-clean'),
  stack('quarantineBucketName', values.text, 'our-quarantine'),
  stack('intakeRetentionDays', days, 30),
  stack('workRetentionDays', days, 30),
  stack('cleanRetentionDays', days, 365),
  stack('quarantineRetentionDays', days, 90),
  stack('logRetentionDays', values.oneNumberOf(LOG_DAYS), 90),
  stack('keyArn', values.text, 'arn:aws:kms:eu-central-1:123456789012:key/a'),
  stack('cleanKeyArn', values.text, 'arn:aws:kms:eu-central-1:123456789012:key/b'),
  stack('apiKeySecretName', values.text, 'our-api-key'),
  stack('cdrTokenSecretName', values.text, 'our-cdr-token'),
  stack('sealKeySecretName', values.text, 'our-seal-key'),
  stack('eventBusName', values.text, 'our-bus'),
  stack('sesRecipients', many, ['example.org']),
  stack('sesRuleSetName', values.text, 'our-rules'),
  stack('forwardSecretName', values.text, 'our-relay'),
  stack('mailManagerRecipients', many, ['example.org']),
  stack('sources', many, ['uploads/in/*.pdf', 'scans']),
  stack('intakeWriters', many, ['arn:aws:iam::123456789012:role/gateway']),
  stack('tagSources', values.flag, true),
  stack('denyUncleanReads', values.flag, false),
  stack('ocsfFindings', values.flag, true),
  stack('whenStackIsDeleted', values.oneOf(['keep', 'destroy']), 'keep'),
];
