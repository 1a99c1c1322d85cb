import type { Duration, RemovalPolicy } from 'aws-cdk-lib';
import type * as iam from 'aws-cdk-lib/aws-iam';
import type * as logs from 'aws-cdk-lib/aws-logs';
import type * as sqs from 'aws-cdk-lib/aws-sqs';
import type * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import type { Buckets } from './buckets.ts';
import { MailPages } from './desk/mail-pages.ts';
import { Forward } from './forward.ts';
import type { MailAirlockProps } from './mail-airlock-props.ts';
import { PasswordMail } from './password-mail.ts';
import { readPolicy } from './policy-text.ts';
import { RunIndex } from './run-index.ts';
import type { Source } from './sources/source.ts';
import { SourceTags } from './sources/tags.ts';
import type { WayOut } from './way-out.ts';

export interface WaysOutProps {
  readonly airlock: MailAirlockProps;
  readonly buckets: Buckets;
  readonly logRetention: logs.RetentionDays;
  /** The roles that read incoming objects. */
  readonly readers: readonly iam.IRole[];
  /** The role that puts results where sources want them. */
  readonly placer: iam.IRole;
  /** How long chains are kept. */
  readonly workKept: Duration;
  readonly stateMachine: sfn.IStateMachine;
  /** The queue that parse reads. */
  readonly intakeQueue: sqs.IQueue;
  readonly removalPolicy: RemovalPolicy;
}

/**
 * The functions that work after runs have ended, as the props ask for them.
 *
 * @example
 * ```ts
 * import type { Stack } from 'aws-cdk-lib';
 *
 * const queuesThatMustBeEmpty = (stack: Stack, props: WaysOutProps) =>
 *   new WaysOut(stack, 'WaysOut', props).all.map(({ deadLetters }) => deadLetters);
 * ```
 */
export class WaysOut extends Construct {
  readonly all: readonly WayOut[];
  /** Null when runs are not indexed. */
  readonly index: RunIndex | null;
  /** Null when no pages are written. */
  readonly pages: MailPages | null;

  private readonly props: WaysOutProps;
  private readonly tags: SourceTags | null;

  constructor(scope: Construct, id: string, props: WaysOutProps) {
    super(scope, id);
    this.props = props;
    this.tags = props.airlock.tagSources === true ? this.newTags(props) : null;
    this.index = props.airlock.indexRuns === true ? this.newIndex(props) : null;
    const passwords = this.index === null ? null : this.newPasswordMail(props, this.index);
    this.pages = this.newMailPages(props);
    this.all = [this.tags, this.newForward(props), this.index, passwords, this.pages].filter((way) => way !== null);
    this.watch({ bucket: props.buckets.of('intake') });
  }

  /** Does for a source the work that the props ask for in the intake bucket. */
  watch(source: Source): void {
    this.tags?.watch(source);
    if (this.props.airlock.denyUncleanReads !== true) return;
    const { readers, placer } = this.props;
    const { keys = 'by-run' } = source;
    this.tags?.denyUnclean(source, {
      readers: keys === 'by-run' ? readers : [...readers, placer],
      taggers: keys === 'in-place' ? [placer] : [],
    });
  }

  private newForward({ airlock, buckets, logRetention }: WaysOutProps): Forward | null {
    const { eventBus, forwardSecret, forwardSesIdentities, vpc } = airlock;
    const by = forwardSecret ? { relaySecret: forwardSecret } : { sesIdentities: forwardSesIdentities ?? [] };
    if (forwardSecret === undefined && forwardSesIdentities === undefined) return null;
    return new Forward(this, 'Forward', { buckets, eventBus, logRetention, by, network: vpc && { vpc } });
  }

  private newIndex({ airlock, workKept: kept, ...given }: WaysOutProps): RunIndex {
    const { eventBus, vpc } = airlock;
    const { buckets, logRetention, removalPolicy, stateMachine } = given;
    const network = vpc && { vpc };
    return new RunIndex(this, 'Index', { buckets, eventBus, logRetention, network, kept, removalPolicy, stateMachine });
  }

  /** Returns null when the props do not ask for it. */
  private newPasswordMail(given: WaysOutProps, { table }: RunIndex): PasswordMail | null {
    const { airlock, buckets, logRetention, intakeQueue } = given;
    const { eventBus, vpc, policyFile, passwordMail } = airlock;
    if (passwordMail !== true) return null;
    const policyJson = policyFile === undefined ? undefined : readPolicy(policyFile);
    const usual = { buckets, eventBus, logRetention, network: vpc && { vpc } };
    return new PasswordMail(this, 'PasswordMail', { ...usual, table, intakeQueue, policyJson });
  }

  /** Returns null when the props do not ask for them. */
  private newMailPages({ airlock, buckets, logRetention }: WaysOutProps): MailPages | null {
    const { eventBus, vpc, mailPages: language } = airlock;
    if (language === undefined) return null;
    return new MailPages(this, 'MailPages', { buckets, eventBus, logRetention, network: vpc && { vpc }, language });
  }

  private newTags({ airlock, buckets, logRetention }: WaysOutProps): SourceTags {
    const { eventBus, vpc } = airlock;
    return new SourceTags(this, 'Tag', { buckets, eventBus, logRetention, network: vpc && { vpc } });
  }
}
