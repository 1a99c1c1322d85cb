// npx cdk synth --app 'node app.mjs': the airlock with a bucket and a network that you have, and a policy of yours.
import { fileURLToPath } from 'node:url';
import { MailAirlock } from '@mail-airlock/cdk';
import { App, CfnOutput, Stack } from 'aws-cdk-lib';
import { SubnetType, Vpc } from 'aws-cdk-lib/aws-ec2';
import { Bucket } from 'aws-cdk-lib/aws-s3';

const app = new App();
const stack = new Stack(app, 'Mail');
const intakeBucket = new Bucket(stack, 'Uploads', { versioned: true, eventBridgeEnabled: true, enforceSSL: true });
const engineVpc = new Vpc(stack, 'Network', {
  maxAzs: 2,
  natGateways: 0,
  subnetConfiguration: [{ name: 'engines', subnetType: SubnetType.PRIVATE_ISOLATED }],
});
const policyFile = fileURLToPath(new URL('policy.json', import.meta.url));
const airlock = new MailAirlock(stack, 'Airlock', { intakeBucket, engineVpc, policyFile });
new CfnOutput(stack, 'Clean', { value: airlock.cleanBucket.bucketName });
app.synth();
