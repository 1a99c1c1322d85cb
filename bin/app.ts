/** The CDK app: `npx cdk synth`. */
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { MailAirlockStack } from '../lib/infra/stack.ts';

const app = new App();
new MailAirlockStack(app, 'MailAirlock');
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
