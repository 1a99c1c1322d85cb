/** SES as it receives mail: the first rule that is for a recipient, its S3 action through its role, and the notification behind it. */
import { randomBytes } from 'node:crypto';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { Resource } from '../assembly/assembly.ts';
import { onlyKnown, unknown } from '../assembly/refuse.ts';
import type { Deployment } from '../deployment.ts';

export interface Incoming {
  /** Empty for the null sender. */
  readonly sender: string;
  readonly recipients: readonly string[];
  readonly bytes: Buffer;
  readonly isOverTls: boolean;
}

interface Rule {
  readonly Enabled: boolean;
  readonly Recipients: readonly string[];
  readonly ScanEnabled: boolean;
  readonly TlsPolicy: string;
  readonly Actions: readonly { readonly S3Action: S3Action }[];
}

interface S3Action {
  readonly BucketName: string;
  readonly ObjectKeyPrefix: string;
  readonly IamRoleArn: string;
  readonly TopicArn: string;
}

const CREDENTIALS = { accessKeyId: 'AKIATWINSES', secretAccessKey: 'twin' };
const MAX_BYTES = 40 * 1024 * 1024;

/** Receives a mail. Returns the key of its object; null when SES refuses it in SMTP. Throws when its role may not do what it must. */
export async function receiveBySes(deployment: Deployment, incoming: Incoming): Promise<string | null> {
  const [resource, ...others] = deployment.assembly.of('AWS::SES::ReceiptRule');
  if (resource === undefined || others.length > 0) return unknown('number of receipt rules', others.length + 1);
  const rule = ruleOf(resource);
  const recipients = incoming.recipients.filter((address) => rule.Recipients.some((one) => isFor(address, one)));
  const isRefused = recipients.length === 0 || incoming.bytes.length > MAX_BYTES;
  if (isRefused || (rule.TlsPolicy === 'Require' && !incoming.isOverTls)) return null;
  const [{ S3Action: action } = unknown('receipt rule without actions', resource.logicalId)] = rule.Actions;
  const messageId = randomBytes(20).toString('hex');
  const key = `${action.ObjectKeyPrefix}${messageId}`;
  await put(deployment, resource, action, { key, bytes: withHeader(incoming, rule, messageId, recipients) });
  notify(deployment, action, notification(deployment, { ...incoming, recipients }, { action, key, messageId }));
  return key;
}

function ruleOf({ properties }: Resource): Rule {
  const { Rule: rule } = properties as unknown as { readonly Rule: Rule };
  onlyKnown('field of a receipt rule', rule, ['Actions', 'Enabled', 'Recipients', 'ScanEnabled', 'TlsPolicy']);
  for (const action of rule.Actions) onlyKnown('action of SES', action, ['S3Action']);
  return rule;
}

/** A recipient of a rule is an address or a domain; a domain is not one of its subdomains. */
function isFor(address: string, recipient: string): boolean {
  const [one, other] = [address.toLowerCase(), recipient.toLowerCase()];
  return one === other || one.slice(one.lastIndexOf('@') + 1) === other;
}

async function put(
  { assembly, front, gate }: Deployment,
  { properties }: Resource,
  { IamRoleArn, BucketName }: S3Action,
  { key, bytes }: { readonly key: string; readonly bytes: Buffer },
): Promise<void> {
  const { account, region } = assembly.place;
  const source = `arn:aws:ses:${region}:${account}:receipt-rule-set/${properties.RuleSetName}:receipt-rule/any`;
  const facts = { 'aws:SourceAccount': account, 'aws:SourceArn': source };
  if (!gate.mayAssume('ses.amazonaws.com', IamRoleArn, facts)) throw new Error('SES may not take the role');
  if (gate.mayAssume('ses.amazonaws.com', IamRoleArn, { ...facts, 'aws:SourceAccount': '444455556666' }))
    throw new Error('SES may take the role for another account');
  front.admit(CREDENTIALS.accessKeyId, { name: 'ses', pid: null, roleArn: IamRoleArn, service: null });
  const client = new S3Client({ endpoint: front.url, forcePathStyle: true, region, credentials: CREDENTIALS });
  try {
    await client.send(new PutObjectCommand({ Bucket: BucketName, Key: key, Body: bytes }));
  } finally {
    client.destroy();
    front.dismiss(CREDENTIALS.accessKeyId);
  }
}

/** What SES writes in front of the message. */
function withHeader({ sender, bytes }: Incoming, rule: Rule, messageId: string, recipients: readonly string[]): Buffer {
  const verdicts = rule.ScanEnabled ? ['X-SES-Spam-Verdict: PASS', 'X-SES-Virus-Verdict: PASS'] : [];
  const lines = [
    `Return-Path: <${sender}>`,
    'Received: from mail.sender.example (mail.sender.example [192.0.2.7])',
    ` by inbound-smtp.eu-central-1.amazonaws.com with SMTP id ${messageId}`,
    ` for ${recipients[0]};`,
    ' Fri, 20 Nov 2026 12:00:01 +0000 (UTC)',
    ...verdicts,
    'Received-SPF: pass (spfCheck: domain of sender.example designates 192.0.2.7 as permitted sender) client-ip=192.0.2.7;',
    'Authentication-Results: amazonses.com;',
    ' spf=pass (spfCheck: domain of sender.example designates 192.0.2.7 as permitted sender);',
    ' dmarc=none header.from=sender.example;',
    'X-SES-RECEIPT: AEFBQUFBQUFBQUFHb0RhM2dQ',
    'X-SES-DKIM-SIGNATURE: a=rsa-sha256; q=dns/txt; b=dGVzdA==; c=relaxed/simple; s=test; d=amazonses.com; t=1;',
    '',
  ];
  return Buffer.concat([Buffer.from(lines.join('\r\n')), bytes]);
}

interface Stored {
  readonly action: S3Action;
  readonly key: string;
  readonly messageId: string;
}

function notification({ clock }: Deployment, { sender, recipients }: Incoming, { action, key, messageId }: Stored) {
  const timestamp = new Date(clock.now()).toISOString();
  const passed = { status: 'PASS' };
  return {
    notificationType: 'Received',
    mail: {
      timestamp,
      source: sender === '' ? 'MAILER-DAEMON@amazonses.com' : sender,
      messageId,
      destination: recipients,
      headersTruncated: false,
      headers: [],
      commonHeaders: {},
    },
    receipt: {
      timestamp,
      processingTimeMillis: 512,
      recipients,
      spamVerdict: passed,
      virusVerdict: passed,
      spfVerdict: passed,
      dkimVerdict: { status: 'GRAY' },
      dmarcVerdict: { status: 'GRAY' },
      action: {
        type: 'S3',
        topicArn: action.TopicArn,
        bucketName: action.BucketName,
        objectKeyPrefix: action.ObjectKeyPrefix,
        objectKey: key,
      },
    },
  };
}

/** SNS hands it to the queues that have subscribed, as it is. */
function notify({ assembly, gate, queues }: Deployment, { IamRoleArn, TopicArn }: S3Action, message: object): void {
  const publish = { action: 'sns:Publish', resource: TopicArn };
  if (!gate.allows({ roleArn: IamRoleArn, service: null }, [publish])) throw new Error('SES may not tell of mail');
  for (const { properties } of assembly.of('AWS::SNS::Subscription')) {
    const { Endpoint, Protocol, RawMessageDelivery, TopicArn: of } = properties;
    if (of !== TopicArn) continue;
    if (Protocol !== 'sqs' || RawMessageDelivery !== true) unknown('subscription', properties);
    const resource = String(Endpoint);
    const facts = { 'aws:SourceArn': TopicArn, 'aws:SourceAccount': assembly.place.account };
    const send = { action: 'sqs:SendMessage', resource, owner: resource, facts };
    if (gate.allows({ roleArn: null, service: 'sns.amazonaws.com' }, [send]))
      queues.find(({ arn }) => arn === resource)?.send(JSON.stringify(message));
  }
}
