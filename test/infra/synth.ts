/** Synthesizes the stack in process, offline and without an account; bundling only when a test asks for it. */
import { App } from 'aws-cdk-lib';
import type { CloudAssembly } from 'aws-cdk-lib/cx-api';
import cdkJson from '../../cdk.json' with { type: 'json' };
import { MailAirlockStack } from '../../lib/infra/stack.ts';
import { scratchDirectory } from '../runner/scratch.ts';

export interface TemplateResource {
  readonly Type: string;
  readonly Properties: Record<string, unknown>;
}

export interface Template {
  readonly Resources: Record<string, TemplateResource>;
}

export interface Synthesized {
  readonly app: App;
  readonly stack: MailAirlockStack;
  readonly assembly: CloudAssembly;
  readonly template: Template;
}

const NO_BUNDLING = { 'aws:cdk:bundling-stacks': [] };

export interface SynthOptions {
  readonly context?: Readonly<Record<string, unknown>>;
  /** @default false: assets are the sources, unbundled */
  readonly withBundles?: boolean;
  /** The template validation of the CDK itself, most of the time a synth takes. @default false */
  readonly withValidation?: boolean;
}

export function synthesize(options: SynthOptions = {}): Synthesized {
  if (options.withValidation === true) delete process.env.CDK_VALIDATION;
  else process.env.CDK_VALIDATION = 'false';
  const app = new App({
    outdir: scratchDirectory(),
    context: {
      ...cdkJson.context,
      analysisUrl: 'https://analysis.example.com',
      ...(options.withBundles === true ? {} : NO_BUNDLING),
      ...options.context,
    },
  });
  const stack = new MailAirlockStack(app, 'MailAirlock');
  const assembly = app.synth() as unknown as CloudAssembly;
  return { app, stack, assembly, template: assembly.getStackByName('MailAirlock').template };
}

export function resourcesOf(template: Template, type: string): [string, TemplateResource][] {
  return Object.entries(template.Resources).filter(([, resource]) => resource.Type === type);
}

/** The one resource of a type whose logical id contains `part`. */
export function theResource(template: Template, type: string, part: string): [string, TemplateResource] {
  const found = resourcesOf(template, type).filter(([id]) => id.includes(part));
  if (found.length !== 1 || !found[0]) throw new Error(`${found.length} resources ${type} with ${part}`);
  return found[0];
}

/** Intrinsic functions as text: `<LogicalId.Arn>/*`. What is not understood throws, so that no policy is overlooked. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) throw new Error(`not a text: ${JSON.stringify(value)}`);
  const [name, argument] = Object.entries(value)[0] ?? [];
  if (name === 'Ref') return `<${argument}>`;
  if (name === 'Fn::GetAtt' && Array.isArray(argument)) return `<${argument.join('.')}>`;
  if (name === 'Fn::Join' && Array.isArray(argument)) return (argument[1] as unknown[]).map(textOf).join(argument[0]);
  throw new Error(`unknown intrinsic function: ${JSON.stringify(value)}`);
}
