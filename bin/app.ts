/** The CDK app: `npx cdk synth`. Settings of the stack in `airlock.config.json` are context; `-c name=value` and cdk.json win over it. */
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { PropsError } from '../lib/infra/props-check.ts';
import { ContextError, refuseUnknown } from '../lib/infra/settings.ts';
import { MailAirlockStack } from '../lib/infra/stack.ts';
import { stackContext } from '../lib/local/config/context.ts';
import { UsageError } from '../lib/local/console.ts';
import { ConfigError } from '../lib/pipeline/errors.ts';

/** A fault that a person must mend. The message explains it fully, so a stack trace is of no use. */
const REFUSALS = [ContextError, PropsError, ConfigError, UsageError];

const app = new App();
try {
  // `-c config=FILE` names the file. With `-c config=none` no file is read.
  const named: unknown = app.node.tryGetContext('config');
  const choice = named === 'none' ? false : typeof named === 'string' ? named : undefined;
  const settings = await stackContext({ env: process.env, folder: process.cwd() }, choice);
  for (const [name, value] of Object.entries(settings))
    if (app.node.tryGetContext(name) === undefined) app.node.setContext(name, value);
  refuseUnknown(Object.keys(app.node.getAllContext() as object), ['config']);
  new MailAirlockStack(app, 'MailAirlock');
} catch (error) {
  if (!(error instanceof Error) || !REFUSALS.some((one) => error instanceof one)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
