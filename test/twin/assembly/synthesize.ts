/** Synthesizes the stack with its bundles into a folder, as `cdk synth` does. */
import { App } from 'aws-cdk-lib';
import cdkJson from '../../../cdk.json' with { type: 'json' };
import { MailAirlockStack } from '../../../lib/infra/stack.ts';

export const STACK = 'MailAirlock';

/** Writes the assembly to `outdir`. `context` are the settings of the deployment, and `extend` adds to the stack what its owner would. */
export function synthesizeTo(
  outdir: string,
  context: Readonly<Record<string, unknown>>,
  extend: (stack: MailAirlockStack) => void = () => {},
): void {
  // The validation of the templates is most of the time that a synthesis takes, and other tests have it.
  process.env.CDK_VALIDATION = 'false';
  const app = new App({ outdir, context: { ...cdkJson.context, ...context } });
  extend(new MailAirlockStack(app, STACK));
  app.synth();
}
