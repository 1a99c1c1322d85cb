import { Duration } from 'aws-cdk-lib';
import type * as logs from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Bucket } from '../../pipeline/ports.ts';
import type { Buckets } from '../buckets.ts';
import { LambdaFunction, type Network } from '../lambda-function.ts';
import { otherCode } from '../sources/other-code.ts';

export interface PreviewProps {
  readonly buckets: Buckets;
  /** The network without a way out, in which the engines are. */
  readonly network: Network;
  readonly logRetention: logs.RetentionDays;
  /** Whether it packs originals, too. It then reads the audit trail and writes zips. */
  readonly packsOriginals: boolean;
}

/** The names that it reads in each bucket: original mail, original and disarmed files, chains, and delivered messages. */
const READS: Readonly<Record<Bucket, readonly string[]>> = {
  intake: ['*'],
  work: ['runs/*.json', 'keys/*', 'artifacts/*', 'disarmed/*'],
  clean: ['*/message.eml'],
  quarantine: ['*/original'],
};
/**
 * Names in the work bucket for originals: the trail, which says who takes one out, and zips that are too large for the answer of a
 * function.
 */
const [TRAIL, ZIPS] = ['audit/*', 'takeouts/*'];
/** The desk waits as long. It must answer within the half minute of an HTTP API. */
const TIMEOUT = Duration.seconds(24);
/** Memory for one decoded picture of 40 million pixels, and for the WebAssembly that draws it. */
const MEMORY_MB = 3_008;

/**
 * Reads mail for the desk: it draws pictures and pages, and packs originals. It reads hostile bytes, so it is in the network of the
 * engines, from which only S3 can be reached. It writes only zips of originals for the desk. Only the desk and the function that writes
 * pages of mails may call it.
 *
 * @example
 * ```ts
 * import { CfnOutput, type Stack } from 'aws-cdk-lib';
 *
 * function previewOf(stack: Stack, props: PreviewProps): void {
 *   const { functionName } = new Preview(stack, 'Preview', props).function;
 *   new CfnOutput(stack, 'PreviewFunction', { value: functionName });
 * }
 * ```
 */
export class Preview extends LambdaFunction {
  constructor(scope: Construct, id: string, { buckets, network, logRetention, packsOriginals }: PreviewProps) {
    super(scope, id, {
      description: 'Mail Airlock, preview',
      code: otherCode('preview', undefined),
      timeout: TIMEOUT,
      memoryMb: MEMORY_MB,
      environment: {},
      logRetention,
      network,
    });
    const roles = Object.keys(READS) as Bucket[];
    for (const role of roles) {
      const isTrail = packsOriginals && role === 'work';
      this.allowNames(buckets.of(role), [...READS[role], ...(isTrail ? [TRAIL] : [])], isTrail ? [ZIPS] : []);
      this.function.addEnvironment(`AIRLOCK_${role.toUpperCase()}_BUCKET`, buckets.of(role).bucketName);
    }
    // A mail is read in the version that was judged.
    this.allow(['s3:GetObjectVersion'], [buckets.of('intake').arnForObjects('*')]);
    if (packsOriginals) this.allow(['kms:GenerateDataKey'], [buckets.keyOf('work').keyArn]);
    this.allow(['kms:Decrypt'], [...new Set(roles.map((role) => buckets.keyOf(role).keyArn))]);
  }
}
