import { Annotations, CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { parseUrl } from '../formats/urls/parse-url.ts';
import { MailAirlock } from './mail-airlock.ts';
import { propsFromContext } from './settings.ts';

/**
 * A stack with one MailAirlock. Its choices come from the CDK context (`settings.ts`): `-c name=value`, or cdk.json.
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
    const settings = propsFromContext(this);
    if (parseUrl(settings.analysisUrl)?.hostname.endsWith('.invalid'))
      Annotations.of(this).addWarningV2(
        'mail-airlock:analysis-url',
        'analysisUrl is the placeholder of cdk.json: deployed like this, every message waits for a service that does not exist and then ends in quarantine. Set -c analysisUrl=https://…',
      );
    const airlock = new MailAirlock(this, 'MailAirlock', settings);
    new CfnOutput(this, 'IntakeBucket', { value: airlock.intakeBucket.bucketName });
    new CfnOutput(this, 'CleanBucket', { value: airlock.cleanBucket.bucketName });
    new CfnOutput(this, 'QuarantineBucket', { value: airlock.quarantineBucket.bucketName });
    new CfnOutput(this, 'ApiKeySecret', { value: airlock.apiKeySecret.secretArn });
    if (airlock.cdrTokenSecret) new CfnOutput(this, 'CdrTokenSecret', { value: airlock.cdrTokenSecret.secretArn });
  }
}
