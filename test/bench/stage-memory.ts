/** How much memory the deployed functions have, read from the synthesized template: what is deployed is what is priced. */
import { App } from 'aws-cdk-lib';
import { MailAirlockStack } from '../../lib/infra/stack.ts';
import { KINDS, STAGE_NAMES } from '../../lib/pipeline/model.ts';
import { withScratch } from './baselines.ts';
import type { FunctionName } from './counted-run.ts';

interface FunctionProperties {
  readonly Description?: string;
  readonly MemorySize?: number;
  readonly Architectures?: readonly string[];
}

export type StageMemory = Readonly<Record<FunctionName, number>>;

const FUNCTIONS: readonly FunctionName[] = [...STAGE_NAMES, ...KINDS.map((kind) => `engine of ${kind}` as const)];

/** Memory of the function of every stage and engine in MB. Throws when one is missing, or does not run on arm64, whose price is used. */
export function stageMemory(): Promise<StageMemory> {
  return withScratch(async (outdir) => {
    const context = { 'aws:cdk:bundling-stacks': [] };
    const app = new App({ outdir, context });
    const stack = new MailAirlockStack(app, 'MailAirlock');
    const { Resources: resources } = app.synth().getStackByName(stack.stackName).template as {
      Resources: Record<string, { Type: string; Properties?: FunctionProperties }>;
    };
    const functions = Object.values(resources).filter(({ Type }) => Type === 'AWS::Lambda::Function');
    const memoryOf = (stage: FunctionName) => {
      const found = functions.find(
        ({ Properties }) =>
          Properties?.Description?.endsWith(`, ${stage}`) || Properties?.Description?.endsWith(`stage ${stage}`),
      )?.Properties;
      if (found?.MemorySize === undefined) throw new Error(`the template has no function for stage ${stage}`);
      if (found.Architectures?.[0] !== 'arm64') throw new Error(`stage ${stage} does not run on arm64`);
      return found.MemorySize;
    };
    return Object.fromEntries(FUNCTIONS.map((stage) => [stage, memoryOf(stage)])) as Record<FunctionName, number>;
  });
}
