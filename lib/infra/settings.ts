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
import { KINDS, type Kind, PAGE_LANGUAGES, type PageLanguage } from '../pipeline/model.ts';
import type { DeskIssuer } from './desk/issuer.ts';
import { ANALYSTS, type Analyst } from './engines/analysis-choice.ts';
import type { MailAirlockProps } from './mail-airlock-props.ts';
import { sourcesIn } from './sources/setting.ts';

/**
 * One value of the CDK context: `-c name=value`, or an entry in cdk.json. Its text and its default are in
 * `lib/local/config/stack.ts`.
 */
export interface Setting {
  readonly name: string;
  /** Turns the text into props. Throws a TypeError that says what was expected. */
  readonly props: (text: string, scope: Construct) => Partial<MailAirlockProps>;
}

/** Every setting of a deployment. Networks can only be given as props, because a network has more than a name. */
export const SETTINGS: readonly Setting[] = [
  setting('analysisUrl', (analysisUrl) => ({
    analysisUrl,
  })),
  setting('analysis', (text) => ({ analysis: analysts(text) })),
  setting('cdrUrl', (cdrUrl) => ({ cdrUrl })),
  setting('policyFile', (policyFile) => ({
    policyFile,
  })),
  setting('deadlineMinutes', (text) => ({
    deadline: Duration.minutes(count(text)),
  })),
  setting('maxConcurrentParses', (text) => ({
    maxConcurrentParses: count(text),
  })),
  setting('maxConcurrentEngines', (text) => ({
    maxConcurrentEngines: count(text),
  })),
  setting('visitUrls', (text) => ({
    visitUrls: yesOrNo(text),
  })),
  setting('alarmEmail', (text, scope) => ({
    alarmTopic: emailTopic(scope, text),
  })),
  setting('alarmTopicArn', (text, scope) => ({
    alarmTopic: sns.Topic.fromTopicArn(scope, 'GivenAlarms', text),
  })),
  ...(['intake', 'work', 'clean', 'quarantine'] as const).map((role) =>
    setting(`${role}BucketName`, (text, scope) => ({
      [`${role}Bucket`]: s3.Bucket.fromBucketName(scope, `Given-${role}`, text),
    })),
  ),
  ...(['intake', 'work', 'clean', 'quarantine'] as const).map((role) =>
    setting(`${role}RetentionDays`, (text) => ({
      [`${role}Retention`]: Duration.days(count(text)),
    })),
  ),
  setting('logRetentionDays', (text) => ({
    logRetention: knownDays(text),
  })),
  setting('keyArn', (text, scope) => ({
    key: kms.Key.fromKeyArn(scope, 'GivenKey', text),
  })),
  setting('cleanKeyArn', (text, scope) => ({
    cleanKey: kms.Key.fromKeyArn(scope, 'GivenCleanKey', text),
  })),
  setting('apiKeySecretName', (text, scope) => ({
    apiKeySecret: secretsmanager.Secret.fromSecretNameV2(scope, 'GivenApiKey', text),
  })),
  setting('cdrTokenSecretName', (text, scope) => ({
    cdrTokenSecret: secretsmanager.Secret.fromSecretNameV2(scope, 'GivenCdrToken', text),
  })),
  setting('sealKeySecretName', (text, scope) => ({
    sealKeySecret: secretsmanager.Secret.fromSecretNameV2(scope, 'GivenSealKey', text),
  })),
  setting('eventBusName', (text, scope) => ({
    eventBus: events.EventBus.fromEventBusName(scope, 'GivenBus', text),
  })),
  setting('sesRecipients', (text) => ({ sesRecipients: listed(text) })),
  setting('sesRuleSetName', (sesRuleSetName) => ({ sesRuleSetName })),
  setting('forwardSecretName', (text, scope) => ({
    forwardSecret: secretsmanager.Secret.fromSecretNameV2(scope, 'GivenRelay', text),
  })),
  setting('forwardSesIdentities', (text) => ({ forwardSesIdentities: listed(text) })),
  setting('mailManagerRecipients', (text) => ({ mailManagerRecipients: listed(text) })),
  setting('sources', (text, scope) => ({ sources: sourcesIn(text, scope) })),
  setting('intakeWriters', (text) => ({ intakeWriters: listed(text).map(roleNamed) })),
  setting('tagSources', (text) => ({ tagSources: yesOrNo(text) })),
  setting('denyUncleanReads', (text) => ({ denyUncleanReads: yesOrNo(text) })),
  setting('indexRuns', (text) => ({ indexRuns: yesOrNo(text) })),
  setting('passwordMail', (text) => ({ passwordMail: yesOrNo(text) })),
  setting('mailPages', (text) => ({ mailPages: pageLanguage(text) })),
  setting('desk', (text) => ({ desk: yesOrNo(text) })),
  setting('deskIssuer', (text) => ({ desk: issuerIn(text) })),
  setting('deskDrop', (text) => ({ deskDrop: yesOrNo(text) })),
  setting('deskUrl', (deskUrl) => ({ deskUrl })),
  setting('digest', (text) => ({ digest: yesOrNo(text) })),
  setting('digestHour', (text) => ({ digestHour: hour(text) })),
  setting('digestLinkDays', (text) => ({ digestLinks: Duration.days(count(text)) })),
  setting('recipientsUrl', (recipientsUrl) => ({ recipientsUrl })),
  setting('recheck', (text) => ({ recheck: yesOrNo(text) })),
  setting('recheckDays', (text) => ({ recheckDays: count(text) })),
  setting('recheckBudget', (text) => ({ recheckBudget: count(text) })),
  setting('recallMails', (text) => ({ recallMails: count(text) })),
  setting('ocsfFindings', (text) => ({
    ocsfFindings: yesOrNo(text),
  })),
  setting('whenStackIsDeleted', (text) => ({
    removalPolicy: removal(text),
  })),
];

/** The faults in the context, a line for each value. A person reads the message, and needs no stack trace. */
export class ContextError extends TypeError {
  override readonly name = 'ContextError';

  constructor(issues: readonly string[]) {
    super(`The context cannot be used:\n${issues.map((line) => `  - ${line}`).join('\n')}`);
  }
}

/** Context that belongs to the CDK: feature flags and cached look-ups. */
const OF_CDK = /[:@/]/;

/**
 * Refuses names of context that are no setting, because a misspelled setting would be ignored. Use it in an app that has only the airlock.
 * Throws ContextError.
 *
 * @example
 * ```ts
 * refuseUnknown(['analysisUrl', '@aws-cdk/core:checkSecretUsage']); // both are known
 * ```
 */
export function refuseUnknown(names: readonly string[], others: readonly string[] = []): void {
  const known = new Set([...SETTINGS.map(({ name }) => name), ...others]);
  const unknown = names.filter((name) => !known.has(name) && !OF_CDK.test(name));
  if (unknown.length === 0) return;
  const isLike = (name: string) => (other: string) => other.toLowerCase().startsWith(name.slice(0, 5).toLowerCase());
  throw new ContextError(
    unknown.map((name) => {
      const like = [...known].filter(isLike(name));
      return `${name}: there is no such setting${like.length > 0 ? `; is it ${like.join(' or ')}?` : ' (docs/aws.md has them all)'}`;
    }),
  );
}

/**
 * Returns the props that the context of the app asks for. Throws a ContextError with one line for each value that cannot be used.
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
  if (issues.length > 0) throw new ContextError(issues);
  return Object.assign({}, ...found) as MailAirlockProps;
}

function setting(name: string, props: Setting['props']): Setting {
  return { name, props };
}

function count(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new TypeError(`a whole number from 1 on is expected, not ${JSON.stringify(text)}`);
}

function hour(text: string): number {
  if (/^(?:[0-9]|1[0-9]|2[0-3])$/.test(text)) return Number(text);
  throw new TypeError(`an hour from 0 to 23 is expected, not ${JSON.stringify(text)}`);
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

/** Reads `ISSUER CLIENT` or `ISSUER CLIENT CLAIM`. */
function issuerIn(text: string): DeskIssuer {
  const [issuer = '', clientId = '', roleClaim, ...more] = text.split(/[ ,]+/);
  if (issuer.startsWith('https://') && clientId !== '' && more.length === 0)
    return { issuer, clientId, ...(roleClaim !== undefined && { roleClaim }) };
  throw new TypeError(
    `"https://ISSUER CLIENT" or "https://ISSUER CLIENT CLAIM" is expected, not ${JSON.stringify(text)}`,
  );
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

function pageLanguage(text: string): PageLanguage {
  const found = PAGE_LANGUAGES.find((language) => language === text);
  if (found !== undefined) return found;
  throw new TypeError(`one of ${PAGE_LANGUAGES.join(', ')} is expected, not ${JSON.stringify(text)}`);
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
