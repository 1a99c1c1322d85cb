/** The section `stack`: the settings of a deployment, which `cdk synth` reads. `lib/infra/settings.ts` makes props of them. */
import { DESK_LANGUAGES } from '../../desk/desk-words.ts';
import type { Value } from './values.ts';
import * as values from './values.ts';

/** One key below `stack`. */
export interface StackRow {
  readonly name: string;
  readonly says: string;
  readonly default: string;
  readonly value: Value;
  readonly example: unknown;
}

const stack = (name: string, says: string, byDefault: string, value: Value, example: unknown): StackRow => ({
  name,
  says,
  default: byDefault,
  value,
  example,
});
const many = values.listOf(values.text);
const days = values.whole(1, 9_999_999);
const most = values.whole(1, 9_999_999);
/** The days that CloudWatch knows. */
const LOG_DAYS = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
] as const;

export const STACK_ROWS: readonly StackRow[] = [
  stack(
    'analysisUrl',
    'where an outside analysis service is',
    'none: the engines of the stack',
    values.webUrl,
    'https://analysis.example',
  ),
  stack(
    'analysis',
    'who does each kind, `engines` or `service`, such as `static=engines,sandbox=service`',
    'the service for every kind when there is an `analysisUrl`, else the engines',
    many,
    ['static=engines', 'sandbox=service'],
  ),
  stack(
    'cdrUrl',
    'where a CDR service of its own is',
    'the analysis service disarms',
    values.webUrl,
    'https://cdr.example',
  ),
  stack(
    'policyFile',
    'the [policy](policy.md); it is checked at synth',
    'the policy as shipped',
    values.file,
    'policy.json',
  ),
  stack('deadlineMinutes', 'how long analysis may take', '`30`', most, 30),
  stack('maxConcurrentParses', 'how many mails are parsed at the same time', '`20`', most, 20),
  stack('maxConcurrentEngines', 'how many files each engine of the stack analyses at the same time', '`20`', most, 20),
  stack('visitUrls', '`true` opens the pages that mails link to, through a NAT gateway', '`false`', values.flag, false),
  stack(
    'alarmEmail',
    'who gets every alarm; AWS first asks for consent by mail',
    'nobody',
    values.mailAddress,
    'ops@example.org',
  ),
  stack(
    'alarmTopicArn',
    'a topic of yours for every alarm',
    'none',
    values.text,
    'arn:aws:sns:eu-central-1:123456789012:alarms',
  ),
  stack('intakeBucketName', 'a bucket of yours: intake', 'a new bucket', values.text, 'our-intake'),
  stack('workBucketName', 'a bucket of yours: work', 'a new bucket', values.text, 'our-work'),
  stack('cleanBucketName', 'a bucket of yours: clean', 'a new bucket', values.text, 'our-clean'),
  stack('quarantineBucketName', 'a bucket of yours: quarantine', 'a new bucket', values.text, 'our-quarantine'),
  stack('intakeRetentionDays', 'how long the intake bucket keeps an object', '`30`', days, 30),
  stack('workRetentionDays', 'how long the work bucket keeps an object', '`30`', days, 30),
  stack('cleanRetentionDays', 'how long the clean bucket keeps an object', '`365`', days, 365),
  stack('quarantineRetentionDays', 'how long the quarantine bucket keeps an object', '`90`', days, 90),
  stack(
    'logRetentionDays',
    'how long logs are kept: one of the numbers that CloudWatch knows',
    '`90`',
    values.oneNumberOf(LOG_DAYS),
    90,
  ),
  stack(
    'keyArn',
    'a KMS key of yours for everything but clean mail',
    'a new key',
    values.text,
    'arn:aws:kms:eu-central-1:123456789012:key/a',
  ),
  stack(
    'cleanKeyArn',
    'a KMS key of yours for clean mail',
    'a new key',
    values.text,
    'arn:aws:kms:eu-central-1:123456789012:key/b',
  ),
  stack(
    'apiKeySecretName',
    'a secret of yours with the key of the service',
    'a new secret',
    values.text,
    'our-api-key',
  ),
  stack(
    'cdrTokenSecretName',
    'a secret of yours with the token of the CDR service',
    'a new secret',
    values.text,
    'our-cdr-token',
  ),
  stack(
    'sealKeySecretName',
    'a secret of yours with the [key that seals messages](delivered-mail.md#sealing-with-arc), when the policy asks for seals',
    'a new secret',
    values.text,
    'our-seal-key',
  ),
  stack(
    'eventBusName',
    'the bus for `MessageDelivered` and `MessageQuarantined`',
    'the default bus',
    values.text,
    'our-bus',
  ),
  stack(
    'sesRecipients',
    'addresses and domains whose mail [SES receives](doors-aws.md#mail-by-ses), with commas between them',
    'none',
    many,
    ['example.org'],
  ),
  stack(
    'sesRuleSetName',
    'the receipt rule set that is active in the region',
    'a new one, which you make the active one',
    values.text,
    'our-rules',
  ),
  stack(
    'forwardSecretName',
    'a secret of yours with the mail server to which [delivered mail goes on](doors-aws.md#mail-goes-on)',
    'mail stays in the clean bucket',
    values.text,
    'our-relay',
  ),
  stack(
    'forwardSesIdentities',
    'domains and addresses that are verified in SES, in whose name [delivered mail goes on by SES](doors-aws.md#mail-goes-on), with commas between them',
    'mail goes on by `forwardSecretName`, or stays',
    many,
    ['example.org'],
  ),
  stack(
    'mailManagerRecipients',
    'addresses and domains whose mail [SES Mail Manager receives](doors-aws.md#mail-by-ses-mail-manager)',
    'none',
    many,
    ['example.org'],
  ),
  stack(
    'sources',
    'buckets of yours whose objects [go through it](doors-aws.md#your-own-buckets), 16 at most, such as `uploads/in/*.pdf,scans`, and [where results go](doors-aws.md#where-results-go)',
    'none',
    many,
    ['uploads/in/*.pdf', 'scans'],
  ),
  stack(
    'intakeWriters',
    'roles of gateways in other accounts that may put mail into the intake bucket: ARNs, with commas between them',
    'nobody',
    many,
    ['arn:aws:iam::123456789012:role/gateway'],
  ),
  stack(
    'tagSources',
    '`true` [tags each object](doors-aws.md#tags-on-the-object) with what became of it',
    '`false`',
    values.flag,
    true,
  ),
  stack(
    'denyUncleanReads',
    '`true` refuses everybody to read an object of the intake bucket that is not tagged as clean',
    '`false`',
    values.flag,
    false,
  ),
  stack(
    'indexRuns',
    '`true` [lists runs](held-mail.md#runs-of-a-deployment) in a table, so that people find them',
    '`false`',
    values.flag,
    true,
  ),
  stack(
    'passwordMail',
    '`true` tries [the password that a second mail tells](policy.md#when-a-second-mail-tells-the-password) on held mail; with `indexRuns`',
    '`false`',
    values.flag,
    true,
  ),
  stack(
    'mailPages',
    'writes [a page about each mail](aws.md#a-page-about-each-mail-on-aws) beside its chain, in this language',
    'no pages',
    values.oneOf(DESK_LANGUAGES),
    'en',
  ),
  stack(
    'desk',
    '`true` puts [pages behind a sign-in](desk.md#the-desk-on-aws); with `indexRuns`',
    '`false`',
    values.flag,
    true,
  ),
  stack(
    'deskIssuer',
    'people sign in at an issuer of yours: its address, the client and, if it is not `groups`, the claim with the role, with blanks between them',
    'with `desk`, a new Cognito user pool',
    values.text,
    'https://login.example.org airlock-desk roles',
  ),
  stack(
    'deskDrop',
    '`true` lets people drop [a mail or a file](desk.md#to-drop-a-mail-or-a-file-on-aws) at the desk; with `desk`',
    '`false`',
    values.flag,
    true,
  ),
  stack(
    'deskUrl',
    'the address of the desk, when it is a domain of yours',
    'that of its HTTP API',
    values.text,
    'https://desk.example.org',
  ),
  stack(
    'digest',
    '`true` sends [each recipient a mail a day](held-mail.md#digests-on-aws) about what was held for him, by SES; with `indexRuns` and a policy that has `notices.from` and `notices.domains`',
    '`false`',
    values.flag,
    true,
  ),
  stack('digestHour', 'the hour (UTC) at which digests of the day before are sent', '`5`', values.whole(0, 23), 5),
  stack(
    'digestLinkDays',
    'how many days links of digests work, at most as long as the work bucket keeps records',
    '`14`',
    values.whole(1, 365),
    14,
  ),
  stack(
    'recipientsUrl',
    'the address of the pages behind the links of digests, when it is a domain of yours',
    'that of their HTTP API',
    values.text,
    'https://airlock.example.org',
  ),
  stack(
    'recheck',
    '`true` [asks every day again](delivered-mail.md#recheck-on-aws) about the files of delivered mail; with `indexRuns`',
    '`false`',
    values.flag,
    true,
  ),
  stack('recheckDays', 'how many days back delivered mail is asked about', '`7`', values.whole(1, 365), 7),
  stack(
    'recheckBudget',
    'how many different files are asked about in a day',
    '`1000`',
    values.whole(1, 1_000_000),
    1_000,
  ),
  stack(
    'recallMails',
    'how many mails of a day tell recipients of [harmful files that were delivered](delivered-mail.md#recheck-on-aws), by SES; with `recheck` and a policy that has `notices.from` and `notices.domains`',
    'nobody is told',
    values.whole(1, 1_000),
    200,
  ),
  stack('ocsfFindings', '`true` emits each event as an OCSF Detection Finding, too', '`false`', values.flag, true),
  stack(
    'whenStackIsDeleted',
    '`keep` or `destroy` buckets, keys and table',
    '`keep`',
    values.oneOf(['keep', 'destroy']),
    'keep',
  ),
];
