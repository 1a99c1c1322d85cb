import type { Duration, RemovalPolicy } from 'aws-cdk-lib';
import type * as ec2 from 'aws-cdk-lib/aws-ec2';
import type * as events from 'aws-cdk-lib/aws-events';
import type * as iam from 'aws-cdk-lib/aws-iam';
import type * as kms from 'aws-cdk-lib/aws-kms';
import type * as logs from 'aws-cdk-lib/aws-logs';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import type * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import type * as sns from 'aws-cdk-lib/aws-sns';
import type { Kind, PageLanguage } from '../pipeline/model.ts';
import type { DeskIssuer } from './desk/issuer.ts';
import type { Analyst } from './engines/analysis-choice.ts';
import type { Source } from './sources/source.ts';

/** How the airlock is set up. Without any property, everything has the value that its `@default` names. */
export interface MailAirlockProps {
  /** Base URL of a malware analysis service, `https://…`. @default none: the engines of the stack analyse and disarm */
  readonly analysisUrl?: string;
  /**
   * The analyst of each kind of analysis. @default the service for every kind when there is an `analysisUrl`, else the engines of the stack
   */
  readonly analysis?: Readonly<Partial<Record<Kind, Analyst>>>;
  /** Base URL of a separate CDR service. @default the analyst that `analysis` names for disarming */
  readonly cdrUrl?: string;
  /** Path of a policy file. It is checked at synth and put into the bundles. @default the policy as shipped */
  readonly policyFile?: string;
  /**
   * Secret whose text is the key of the analysis service. @default with an `analysisUrl`, a new secret without a value: set it after
   * deploying
   */
  readonly apiKeySecret?: secretsmanager.ISecret;
  /** Secret whose text is the token of the CDR service. @default a new secret without a value, when there is a `cdrUrl` */
  readonly cdrTokenSecret?: secretsmanager.ISecret;
  /**
   * Secret with the private key that seals delivered messages (ARC), in PEM. Only with `authentication.seal` in the policy.
   * @default a new secret without a value, when the policy asks for seals
   */
  readonly sealKeySecret?: secretsmanager.ISecret;

  /**
   * Bucket for hostile mail that arrives. An existing bucket must be versioned and have EventBridge notifications switched on.
   * @default a new bucket
   */
  readonly intakeBucket?: s3.IBucket;
  /** Bucket for the ledger and the artifacts of each run. @default a new bucket */
  readonly workBucket?: s3.IBucket;
  /** Bucket for safe mail. An existing bucket should refuse every other writer. @default a new bucket that does so */
  readonly cleanBucket?: s3.IBucket;
  /** Bucket for all mail that is not delivered. @default a new bucket */
  readonly quarantineBucket?: s3.IBucket;
  /** Key of the new buckets (except the clean one), the table and the secrets. @default a new key, rotated every year */
  readonly key?: kms.IKey;
  /** Key of the clean bucket. @default a new key, rotated every year */
  readonly cleanKey?: kms.IKey;
  /** Network of all stages except `rebuild`. AWS and the analysis service must be reachable from it. @default none */
  readonly vpc?: ec2.IVpc;
  /**
   * Network of the engines and of `rebuild`. Its isolated subnets are used. They get an endpoint for S3, so they must not have one yet.
   * @default a new VPC with isolated subnets
   */
  readonly engineVpc?: ec2.IVpc;
  /**
   * Whether the engine of URLs opens the pages that mails link to. It then has private subnets with a way out, and still no access to any
   * mail. A NAT gateway costs about $35 a month. @default false: a URL is judged by its text, and nothing is opened
   */
  readonly visitUrls?: boolean;
  /** Bus for MessageDelivered and MessageQuarantined. @default the account's default bus */
  readonly eventBus?: events.IEventBus;
  /** Whether each event is also emitted as a Detection Finding of OCSF. @default false */
  readonly ocsfFindings?: boolean;
  /**
   * Addresses and domains whose mail SES receives into the intake bucket. The region must be one that receives. @default SES receives none
   */
  readonly sesRecipients?: readonly string[];
  /** The receipt rule set that is active in the region. @default a new one; a person makes it the active one */
  readonly sesRuleSetName?: string;
  /** Addresses and domains whose mail SES Mail Manager receives into the intake bucket. @default it receives none */
  readonly mailManagerRecipients?: readonly string[];
  /**
   * Secret with the next mail server as JSON: `host`, `port`, `user`, `password`. Delivered mail with an envelope is sent there. Mail has
   * an envelope only when SES received it. @default delivered mail stays in the clean bucket
   */
  readonly forwardSecret?: secretsmanager.ISecret;
  /**
   * Domains and addresses that are verified in SES. SES sends delivered mail on in their name, instead of a mail server. SES refuses mail
   * of other senders. @default delivered mail goes on by `forwardSecret`, or stays
   */
  readonly forwardSesIdentities?: readonly string[];
  /** Objects of other buckets that also go through the airlock; `addSource` adds more. @default none */
  readonly sources?: readonly Source[];
  /**
   * The principals of other accounts that may put mail into the intake bucket, for example gateways with a role there. The policies of the
   * bucket and of its key name them. @default nobody
   */
  readonly intakeWriters?: readonly iam.IPrincipal[];
  /**
   * Whether each object of the intake bucket is tagged with its fate: `airlock-state`, `airlock-verdict`, `airlock-run`. The bucket must
   * have versions. @default false
   */
  readonly tagSources?: boolean;
  /**
   * Whether the policy of the intake bucket lets nobody read objects that are not tagged as clean, or set tags. Only with `tagSources`.
   * @default false
   */
  readonly denyUncleanReads?: boolean;
  /**
   * Whether runs are indexed in a table, so that `airlock runs list --stack` and `airlock quarantine list --stack` find them.
   * @default false
   */
  readonly indexRuns?: boolean;
  /**
   * Whether held mail with a closed archive is read again when another mail of the same correspondents may tell its password. It needs `indexRuns`.
   * @default false
   */
  readonly passwordMail?: boolean;
  /**
   * The language of the pages about mail. After a run has ended, its page is written beside its chain (`runs/RUN/page.html` in the work
   * bucket). A function in the network of the engines draws its pictures. @default no pages are written
   */
  readonly mailPages?: PageLanguage;
  /**
   * Whether there is a desk. It has pages behind a sign-in, where people see which mail is held and why, and decide about it. It needs
   * `indexRuns`. `true` makes a Cognito user pool. An issuer of the owner can be given instead. @default false
   */
  readonly desk?: boolean | DeskIssuer;
  /**
   * Whether people can drop a copy of a mail or a file at the desk, to have it analysed. The copy ends in the clean or in the quarantine
   * bucket like any mail. A program of yours that sends clean mail on must therefore skip it: its event says `dropped`, and its key begins
   * with `dropped/`. Nobody else may then put objects under such keys. @default false
   */
  readonly deskDrop?: boolean;
  /** The address of the desk, when it is a domain of the owner: `https://…`. @default that of its HTTP API */
  readonly deskUrl?: string;
  /**
   * Whether each recipient gets a daily mail that lists his held mail, with links to a page where he can ask for it. SES sends it in the
   * name of `notices.from` of the policy. It needs `indexRuns`, and `notices.domains` of the policy. @default false
   */
  readonly digest?: boolean;
  /** The hour (UTC) at which digests of the day before are sent. @default 5 */
  readonly digestHour?: number;
  /** How long the links of a digest work. It cannot be longer than `workRetention`. @default 14 days */
  readonly digestLinks?: Duration;
  /** The address of the pages of recipients, when it is a domain of the owner: `https://…`. @default that of their HTTP API */
  readonly recipientsUrl?: string;
  /**
   * Whether the files of delivered mail are analysed again every day. An event on the bus (`MessageRecalled`) tells of mail whose file is
   * now judged worse. It needs `indexRuns`. @default false
   */
  readonly recheck?: boolean;
  /** The number of days for which delivered mail is checked again. @default 7 */
  readonly recheckDays?: number;
  /** The most files that are checked again in a day, beginning with the newest mail. @default 1000 */
  readonly recheckBudget?: number;
  /**
   * The most warnings that are sent in a day, up to 1000. They tell recipients in `notices.domains` of the policy that a delivered message
   * has a harmful file. SES sends them in the name of `notices.from`. It needs `recheck`. @default nobody is told
   */
  readonly recallMails?: number;
  /** Topic that every alarm notifies. @default no topic is notified */
  readonly alarmTopic?: sns.ITopic;

  /** How long an analysis may take. An artifact without a report by then counts as a timeout. @default 30 minutes */
  readonly deadline?: Duration;
  /** How long the intake bucket keeps mail. @default 30 days */
  readonly intakeRetention?: Duration;
  /** How long ledgers and artifacts are kept; at least 7 days. @default 30 days */
  readonly workRetention?: Duration;
  /** How long the clean bucket keeps mail. @default 365 days */
  readonly cleanRetention?: Duration;
  /** How long the quarantine bucket keeps mail. @default 90 days */
  readonly quarantineRetention?: Duration;
  /** How long logs are kept. @default three months */
  readonly logRetention?: logs.RetentionDays;
  /** How many emails are parsed at the same time; at least 2. @default 20 */
  readonly maxConcurrentParses?: number;
  /** How many files each engine of the stack analyses at the same time; at least 2. @default 20 */
  readonly maxConcurrentEngines?: number;
  /** The fate of buckets, keys and table when the stack is deleted. @default they stay */
  readonly removalPolicy?: RemovalPolicy;
}
