import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import * as events from 'aws-cdk-lib/aws-events';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as kms from 'aws-cdk-lib/aws-kms';
import * as logs from 'aws-cdk-lib/aws-logs';
import * as s3 from 'aws-cdk-lib/aws-s3';
import * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import * as sns from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { KINDS, type Kind } from '../pipeline/model.ts';
import { ANALYSTS, type Analyst } from './analysis-choice.ts';
import type { MailAirlockProps } from './mail-airlock-props.ts';
import type { Source } from './source.ts';

/** One value of the CDK context: `-c name=value`, or an entry in cdk.json. */
export interface Setting {
  readonly name: string;
  readonly says: string;
  readonly default: string;
  /** The props that the text stands for. Throws a TypeError that says what was expected. */
  readonly props: (text: string, scope: Construct) => Partial<MailAirlockProps>;
}

/** Every setting of a deployment. Networks are props only, because a network has more than a name. */
export const SETTINGS: readonly Setting[] = [
  setting('analysisUrl', 'where an outside analysis service is', 'none: the engines of the stack', (analysisUrl) => ({
    analysisUrl,
  })),
  setting(
    'analysis',
    'who does each kind, `engines` or `service`, such as `static=engines,sandbox=service`',
    'the service for every kind when there is an `analysisUrl`, else the engines',
    (text) => ({ analysis: analysts(text) }),
  ),
  setting('cdrUrl', 'where a CDR service of its own is', 'the analysis service disarms', (cdrUrl) => ({ cdrUrl })),
  setting('policyFile', 'the [policy](policy.md); it is checked at synth', 'the policy as shipped', (policyFile) => ({
    policyFile,
  })),
  setting('deadlineMinutes', 'how long analysis may take', '30', (text) => ({
    deadline: Duration.minutes(count(text)),
  })),
  setting('maxConcurrentParses', 'how many mails are parsed at the same time', '20', (text) => ({
    maxConcurrentParses: count(text),
  })),
  setting(
    'maxConcurrentEngines',
    'how many files each engine of the stack analyses at the same time',
    '20',
    (text) => ({
      maxConcurrentEngines: count(text),
    }),
  ),
  setting('visitUrls', '`true` opens the pages that mails link to, through a NAT gateway', 'false', (text) => ({
    visitUrls: yesOrNo(text),
  })),
  setting('alarmEmail', 'who gets every alarm; AWS first asks for consent by mail', 'nobody', (text, scope) => ({
    alarmTopic: emailTopic(scope, text),
  })),
  setting('alarmTopicArn', 'a topic of yours for every alarm', 'none', (text, scope) => ({
    alarmTopic: sns.Topic.fromTopicArn(scope, 'GivenAlarms', text),
  })),
  ...(['intake', 'work', 'clean', 'quarantine'] as const).map((role) =>
    setting(`${role}BucketName`, `a bucket of yours: ${role}`, 'a new bucket', (text, scope) => ({
      [`${role}Bucket`]: s3.Bucket.fromBucketName(scope, `Given-${role}`, text),
    })),
  ),
  ...Object.entries({ intake: 30, work: 30, clean: 365, quarantine: 90 }).map(([role, days]) =>
    setting(`${role}RetentionDays`, `how long the ${role} bucket keeps an object`, String(days), (text) => ({
      [`${role}Retention`]: Duration.days(count(text)),
    })),
  ),
  setting('logRetentionDays', 'how long logs are kept: one of the numbers that CloudWatch knows', '90', (text) => ({
    logRetention: knownDays(text),
  })),
  setting('keyArn', 'a KMS key of yours for everything but clean mail', 'a new key', (text, scope) => ({
    key: kms.Key.fromKeyArn(scope, 'GivenKey', text),
  })),
  setting('cleanKeyArn', 'a KMS key of yours for clean mail', 'a new key', (text, scope) => ({
    cleanKey: kms.Key.fromKeyArn(scope, 'GivenCleanKey', text),
  })),
  setting('apiKeySecretName', 'a secret of yours with the key of the service', 'a new secret', (text, scope) => ({
    apiKeySecret: secretsmanager.Secret.fromSecretNameV2(scope, 'GivenApiKey', text),
  })),
  setting(
    'cdrTokenSecretName',
    'a secret of yours with the token of the CDR service',
    'a new secret',
    (text, scope) => ({
      cdrTokenSecret: secretsmanager.Secret.fromSecretNameV2(scope, 'GivenCdrToken', text),
    }),
  ),
  setting(
    'sealKeySecretName',
    'a secret of yours with the [key that seals messages](operations.md#sealing-with-arc), when the policy asks for seals',
    'a new secret',
    (text, scope) => ({
      sealKeySecret: secretsmanager.Secret.fromSecretNameV2(scope, 'GivenSealKey', text),
    }),
  ),
  setting(
    'eventBusName',
    'the bus for `MessageDelivered` and `MessageQuarantined`',
    'the default bus',
    (text, scope) => ({
      eventBus: events.EventBus.fromEventBusName(scope, 'GivenBus', text),
    }),
  ),
  setting(
    'sesRecipients',
    'addresses and domains whose mail [SES receives](doors-aws.md#mail-by-ses), with commas between them',
    'none',
    (text) => ({ sesRecipients: listed(text) }),
  ),
  setting(
    'sesRuleSetName',
    'the receipt rule set that is active in the region',
    'a new one, which you make the active one',
    (sesRuleSetName) => ({ sesRuleSetName }),
  ),
  setting(
    'forwardSecretName',
    'a secret of yours with the mail server to which [delivered mail goes on](doors-aws.md#mail-goes-on)',
    'mail stays in the clean bucket',
    (text, scope) => ({ forwardSecret: secretsmanager.Secret.fromSecretNameV2(scope, 'GivenRelay', text) }),
  ),
  setting(
    'mailManagerRecipients',
    'addresses and domains whose mail [SES Mail Manager receives](doors-aws.md#mail-by-ses-mail-manager)',
    'none',
    (text) => ({ mailManagerRecipients: listed(text) }),
  ),
  setting(
    'sources',
    'buckets of yours whose objects [go through it](doors-aws.md#your-own-buckets), such as `uploads/in/*.pdf,scans`',
    'none',
    (text, scope) => ({ sources: sourcesOf(text, scope) }),
  ),
  setting(
    'intakeWriters',
    'roles of gateways in other accounts that may put mail into the intake bucket: ARNs, with commas between them',
    'nobody',
    (text) => ({ intakeWriters: listed(text).map(roleNamed) }),
  ),
  setting(
    'tagSources',
    '`true` [tags each object](doors-aws.md#tags-on-the-object) with what became of it',
    'false',
    (text) => ({ tagSources: yesOrNo(text) }),
  ),
  setting(
    'denyUncleanReads',
    '`true` refuses everybody to read an object of the intake bucket that is not tagged as clean',
    'false',
    (text) => ({ denyUncleanReads: yesOrNo(text) }),
  ),
  setting('ocsfFindings', '`true` emits each event as an OCSF Detection Finding, too', 'false', (text) => ({
    ocsfFindings: yesOrNo(text),
  })),
  setting('whenStackIsDeleted', '`keep` or `destroy` buckets, keys and table', 'keep', (text) => ({
    removalPolicy: removal(text),
  })),
];

/**
 * The props that the context of the app asks for. Throws a TypeError with one line for each value that cannot be used.
 *
 * @example
 * ```ts
 * import { App, Stack } from 'aws-cdk-lib';
 *
 * const app = new App({ context: { deadlineMinutes: 10 } });
 * propsFromContext(new Stack(app, 'Mail')).deadline?.toMinutes(); // => 10
 * ```
 */
export function propsFromContext(scope: Construct): MailAirlockProps {
  const issues: string[] = [];
  const found = SETTINGS.map(({ name, props }): Partial<MailAirlockProps> => {
    const value: unknown = scope.node.tryGetContext(name);
    if (value === undefined || value === null || value === '') return {};
    try {
      return props(String(value), scope);
    } catch (error) {
      issues.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      return {};
    }
  });
  if (found.filter(({ alarmTopic }) => alarmTopic !== undefined).length > 1)
    issues.push('alarmEmail, alarmTopicArn: only one of them can be set');
  if (issues.length > 0)
    throw new TypeError(`The context cannot be used:\n${issues.map((line) => `  - ${line}`).join('\n')}`);
  return Object.assign({}, ...found) as MailAirlockProps;
}

function setting(name: string, says: string, byDefault: string, props: Setting['props']): Setting {
  return { name, says, default: byDefault, props };
}

function count(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new TypeError(`a whole number from 1 on is expected, not ${JSON.stringify(text)}`);
}

function analysts(text: string): Partial<Record<Kind, Analyst>> {
  const rows = text.split(',').map((row) => {
    const [kind = '', analyst = ''] = row.trim().split('=');
    const isKnown = KINDS.some((known) => known === kind) && ANALYSTS.some((known) => known === analyst);
    if (!isKnown)
      throw new TypeError(
        `KIND=engines or KIND=service is expected for ${KINDS.join(', ')}, not ${JSON.stringify(row)}`,
      );
    return [kind, analyst] as const;
  });
  return Object.fromEntries(rows) as Partial<Record<Kind, Analyst>>;
}

const listed = (text: string) => text.split(',').map((one) => one.trim());

/** `NAME/PREFIX*SUFFIX` for each bucket; without a slash, the whole bucket. */
function sourcesOf(text: string, scope: Construct): Source[] {
  return text.split(',').map((row, index) => {
    const [, name = '', pattern = '*'] = /^([^/]+)(?:\/(.*))?$/.exec(row.trim()) ?? [];
    const [prefix = '', suffix = '', ...more] = pattern.split('*');
    if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name) || more.length > 0)
      throw new TypeError(`BUCKET or BUCKET/PREFIX*SUFFIX is expected, not ${JSON.stringify(row)}`);
    return { bucket: s3.Bucket.fromBucketName(scope, `Source${index + 1}`, name), prefix, suffix };
  });
}

function roleNamed(arn: string): iam.IPrincipal {
  if (/^arn:aws[a-z-]*:iam::\d{12}:(?:root|(?:role|user)\/[\w+=,.@/-]+)$/.test(arn)) return new iam.ArnPrincipal(arn);
  throw new TypeError(`the ARN of a role, a user or an account is expected, not ${JSON.stringify(arn)}`);
}

function knownDays(text: string): logs.RetentionDays {
  const days = count(text);
  const known = Object.values(logs.RetentionDays).filter((value) => typeof value === 'number' && value < 9_999);
  if (known.includes(days)) return days as logs.RetentionDays;
  throw new TypeError(`one of ${known.join(', ')} is expected, not ${days}`);
}

function yesOrNo(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new TypeError(`true or false is expected, not ${JSON.stringify(text)}`);
}

function removal(text: string): RemovalPolicy {
  if (text === 'keep') return RemovalPolicy.RETAIN;
  if (text === 'destroy') return RemovalPolicy.DESTROY;
  throw new TypeError(`keep or destroy is expected, not ${JSON.stringify(text)}`);
}

function emailTopic(scope: Construct, address: string): sns.ITopic {
  if (!/^[^\s@]+@[^\s@]+$/.test(address))
    throw new TypeError(`a mail address is expected, not ${JSON.stringify(address)}`);
  const topic = new sns.Topic(scope, 'Alarms', { enforceSSL: true });
  topic.addSubscription(new EmailSubscription(address));
  return topic;
}
