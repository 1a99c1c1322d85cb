// @ts-expect-error: the package comes without types
import untypedAslValidator from 'asl-validator';
import { describe, expect, test } from 'vitest';
import { stateTimeoutSeconds } from '../../lib/infra/stages/workflow.ts';
import { EXPRESS_STATE, expressMachine, standardMachine } from '../../lib/pipeline/deployed-machines.ts';
import { DEPLOYED_WRITERS, STAGE_NAMES } from '../../lib/pipeline/model.ts';
import { resourcesOf, synthesize, textOf, theResource } from './synth.ts';

const { template } = synthesize({ context: { deadlineMinutes: 10 } });
const [, machine] = theResource(template, 'AWS::StepFunctions::StateMachine', 'ScanEmail');
const [expressId, express] = theResource(template, 'AWS::StepFunctions::StateMachine', 'Express');
const MACHINES = [
  ['Standard', machine],
  ['Express', express],
] as const;
const ARN = 'arn:aws:lambda:eu-central-1:123456789012:function:';

type AslValidator = (definition: unknown) => { isValid: boolean; errors: { Message?: string }[] };
const aslValidator: AslValidator = untypedAslValidator;

interface Definition {
  readonly TimeoutSeconds: number;
  readonly States: Record<string, { readonly Type: string; readonly Resource?: string }>;
}

/** The definition as CloudFormation would leave it. */
function resolved({ Properties }: typeof machine): Definition {
  const text = textOf(Properties.DefinitionString);
  return JSON.parse(text.replace(/\$\{(\w+)\}/g, (_, name: string) => `${ARN}${name}`));
}

describe.each(MACHINES)('the deployed %s state machine', (type, deployed) => {
  test('is valid Amazon States Language', () => {
    const { isValid, errors } = aslValidator(resolved(deployed));
    expect(errors.map((error) => error.Message ?? error)).toEqual([]);
    expect(isValid).toBe(true);
  });

  test('runs each stage by the function of that name', () => {
    const tasks = Object.entries(resolved(deployed).States).filter(
      ([name, state]) => state.Type === 'Task' && name !== EXPRESS_STATE,
    );
    expect(tasks.map(([name, { Resource }]) => [name, Resource])).toEqual(
      tasks.map(([name]) => [name, `${ARN}${name}Arn`]),
    );
    const stages = tasks.map(([name]) => name.toLowerCase());
    const notHere = type === 'Express' ? ['parse', 'deliver', 'quarantine'] : ['parse'];
    expect(new Set([...notHere, ...stages])).toEqual(new Set(STAGE_NAMES));
    const { [`${EXPRESS_STATE}Arn`]: nested, ...rest } = deployed.Properties.DefinitionSubstitutions as Record<
      string,
      unknown
    >;
    for (const [name, target] of Object.entries(rest))
      expect(textOf(target)).toContain(`MailAirlock${name.replace('Arn', '')}Function`);
    expect(Object.keys(rest)).toHaveLength(tasks.length);
    expect(nested).toEqual(type === 'Express' ? undefined : { Ref: expressId });
  });

  test('is traced, and logs no data', () => {
    expect(deployed.Properties.LoggingConfiguration).toMatchObject({ IncludeExecutionData: false });
    expect(deployed.Properties.TracingConfiguration).toEqual({ Enabled: true });
  });
});

describe('the deployed state machines', () => {
  test('are those that are made of the file of the local runner, except for the total timeout', () => {
    const { TimeoutSeconds, ...deployed } = JSON.parse(textOf(machine.Properties.DefinitionString));
    const { TimeoutSeconds: _, ...made } = standardMachine();
    expect(deployed).toEqual(made);
    expect(TimeoutSeconds).toBe((10 + 30) * 60);
    expect(JSON.parse(textOf(express.Properties.DefinitionString))).toEqual(expressMachine());
  });

  test('are a Standard one that logs every event, and an Express one that logs what fails', () => {
    // Standard is the default, and CloudFormation replaces a machine whose type is said.
    expect(machine.Properties.StateMachineType).toBeUndefined();
    expect(machine.Properties.LoggingConfiguration).toMatchObject({ Level: 'ALL' });
    expect(express.Properties.StateMachineType).toBe('EXPRESS');
    expect(express.Properties.LoggingConfiguration).toMatchObject({ Level: 'ERROR' });
  });
});

describe('the functions of the stages', () => {
  const functions = resourcesOf(template, 'AWS::Lambda::Function');

  test('are one per stage, one that begins runs again, and nothing else', () => {
    const writers = functions.map(([id]) => /^MailAirlock(\w+?)Function/.exec(id)?.[1]?.toLowerCase());
    expect(new Set(writers)).toEqual(new Set(DEPLOYED_WRITERS));
    expect(functions).toHaveLength(DEPLOYED_WRITERS.length);
  });

  test('run on arm64 with Node.js 24 and tracing, each with its own log that expires', () => {
    for (const [, { Properties }] of functions) {
      expect(Properties).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'], Handler: 'index.handler' });
      expect(Properties.TracingConfig).toEqual({ Mode: 'Active' });
    }
    const logs = functions.map(([, { Properties }]) =>
      textOf((Properties.LoggingConfig as { LogGroup: unknown }).LogGroup),
    );
    expect(new Set(logs).size).toBe(functions.length);
    for (const [, group] of resourcesOf(template, 'AWS::Logs::LogGroup'))
      expect(group.Properties.RetentionInDays).toBe(90);
  });

  test('have as much time as their state gives them', () => {
    for (const stage of STAGE_NAMES) {
      if (stage === 'parse') continue;
      const [, { Properties }] = theResource(
        template,
        'AWS::Lambda::Function',
        `${stage.charAt(0).toUpperCase()}${stage.slice(1)}`,
      );
      expect(Properties.Timeout).toBe(stateTimeoutSeconds(stage));
    }
  });

  test('know the names of exactly what they may touch', () => {
    const names = (stage: string) => {
      const [, { Properties }] = theResource(template, 'AWS::Lambda::Function', stage);
      return Object.keys((Properties.Environment as { Variables: object }).Variables).filter((name) =>
        /BUCKET|TABLE|URL|BUS|ARN/.test(name),
      );
    };
    expect(names('DecideFunction')).toEqual(['AIRLOCK_WORK_BUCKET']);
    expect(names('DeliverFunction').sort()).toEqual([
      'AIRLOCK_CLEAN_BUCKET',
      'AIRLOCK_EVENT_BUS',
      'AIRLOCK_WORK_BUCKET',
    ]);
    expect(names('ParseFunction').sort()).toEqual([
      'AIRLOCK_INTAKE_BUCKET',
      'AIRLOCK_STATE_MACHINE_ARN',
      'AIRLOCK_WORK_BUCKET',
    ]);
  });
});
