import { Annotations, CfnOutput, Duration, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { MailAirlock } from './mail-airlock.ts';

/** The values that the stack takes from the CDK context: `-c name=value`, or cdk.json. */
type ContextName = 'analysisUrl' | 'cdrUrl' | 'policyFile' | 'deadlineMinutes';

/**
 * A stack with one MailAirlock. All other choices of a deployment are props of the construct.
 *
 * @example
 * ```ts
 * import { App } from 'aws-cdk-lib';
 *
 * const app = new App({ context: { analysisUrl: 'https://analysis.example' } });
 * new MailAirlockStack(app, 'MailAirlock', { env: { region: 'eu-central-1' } });
 * ```
 */
export class MailAirlockStack extends Stack {
  constructor(scope: Construct, id: string, props: StackProps = {}) {
    super(scope, id, { description: 'Mail Airlock: turns hostile mail into mail that is safe to open', ...props });
    const analysisUrl = this.context('analysisUrl');
    if (analysisUrl === null)
      throw new TypeError(
        'analysisUrl is missing: say where the analysis service is, for example `npx cdk synth -c analysisUrl=https://analysis.example.com`',
      );
    if (new URL(analysisUrl).hostname.endsWith('.invalid'))
      Annotations.of(this).addWarningV2(
        'mail-airlock:analysis-url',
        'analysisUrl is the placeholder of cdk.json: deployed like this, every message ends in quarantine. Set -c analysisUrl=https://…',
      );
    const cdrUrl = this.context('cdrUrl');
    const policyFile = this.context('policyFile');
    const minutes = this.context('deadlineMinutes');
    const airlock = new MailAirlock(this, 'MailAirlock', {
      analysisUrl,
      ...(cdrUrl === null ? {} : { cdrUrl }),
      ...(policyFile === null ? {} : { policyFile }),
      ...(minutes === null ? {} : { deadline: Duration.minutes(Number(minutes)) }),
    });
    new CfnOutput(this, 'IntakeBucket', { value: airlock.intakeBucket.bucketName });
    new CfnOutput(this, 'CleanBucket', { value: airlock.cleanBucket.bucketName });
    new CfnOutput(this, 'QuarantineBucket', { value: airlock.quarantineBucket.bucketName });
    new CfnOutput(this, 'ApiKeySecret', { value: airlock.apiKeySecret.secretArn });
    if (airlock.cdrTokenSecret) new CfnOutput(this, 'CdrTokenSecret', { value: airlock.cdrTokenSecret.secretArn });
  }

  private context(name: ContextName): string | null {
    const value: unknown = this.node.tryGetContext(name);
    return value === undefined || value === null || value === '' ? null : String(value);
  }
}
