import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { MailAirlock } from './mail-airlock.ts';
import { propsFromContext } from './settings.ts';

/**
 * A stack with one MailAirlock. Its choices come from the CDK context (`settings.ts`): `-c name=value`, or cdk.json.
 *
 * @example
 * ```ts
 * import { App } from 'aws-cdk-lib';
 *
 * const app = new App({ context: { alarmEmail: 'you@example.org' } });
 * new MailAirlockStack(app, 'MailAirlock', { env: { region: 'eu-central-1' } });
 * ```
 */
export class MailAirlockStack extends Stack {
  readonly airlock: MailAirlock;

  constructor(scope: Construct, id: string, props: StackProps = {}) {
    super(scope, id, { description: 'Mail Airlock: turns hostile mail into mail that is safe to open', ...props });
    const airlock = new MailAirlock(this, 'MailAirlock', propsFromContext(this));
    this.airlock = airlock;
    new CfnOutput(this, 'IntakeBucket', { value: airlock.intakeBucket.bucketName });
    new CfnOutput(this, 'CleanBucket', { value: airlock.cleanBucket.bucketName });
    new CfnOutput(this, 'QuarantineBucket', { value: airlock.quarantineBucket.bucketName });
    new CfnOutput(this, 'IntakeQueue', { value: airlock.intakeQueue.queueUrl });
    new CfnOutput(this, 'RedriveFunction', { value: airlock.redriveFunction.functionName });
    if (airlock.desk) new CfnOutput(this, 'DeskUrl', { value: airlock.desk.url });
    if (airlock.desk?.userPool) new CfnOutput(this, 'DeskPeople', { value: airlock.desk.userPool.userPoolId });
    if (airlock.digests) new CfnOutput(this, 'RecipientsUrl', { value: airlock.digests.pages.url });
    airlock.doors.tell(this);
    if (airlock.apiKeySecret) new CfnOutput(this, 'ApiKeySecret', { value: airlock.apiKeySecret.secretArn });
    if (airlock.sealKeySecret) new CfnOutput(this, 'SealKeySecret', { value: airlock.sealKeySecret.secretArn });
    if (airlock.cdrTokenSecret) new CfnOutput(this, 'CdrTokenSecret', { value: airlock.cdrTokenSecret.secretArn });
  }
}
