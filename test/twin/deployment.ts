/** A deployment on this machine: the assembly with all its servers, queues, rules, functions and state machines, connected as in AWS. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Assembly, loadAssembly, type Resource } from './assembly/assembly.ts';
import { unknown } from './assembly/refuse.ts';
import { STACK } from './assembly/synthesize.ts';
import type { ToldClock } from './clock.ts';
import { connectQueue } from './lambdas/event-source.ts';
import { functionSettings } from './lambdas/function-settings.ts';
import { Functions } from './lambdas/functions.ts';
import { Gate } from './policies/gate.ts';
import { policiesOf, shortName } from './policies/policies.ts';
import type { AwsCall, Service } from './servers/call.ts';
import { dynamoService } from './servers/dynamodb/service.ts';
import { tableSettingsOf } from './servers/dynamodb/table.ts';
import { EventBus, eventService } from './servers/event-bus.ts';
import { type Front, type Interruption, startFront } from './servers/front.ts';
import { generatedSecret } from './servers/generated-secret.ts';
import { lambdaService } from './servers/lambda.ts';
import { type Queue, queueService, queuesOf } from './servers/queues.ts';
import { bucketSettings, tellBus } from './servers/s3/buckets.ts';
import { s3Service } from './servers/s3/service.ts';
import { BucketStore } from './servers/s3/store.ts';
import { type SecretValues, secretsService } from './servers/secrets.ts';
import { type SentEmail, sesService } from './servers/ses-send.ts';
import { StateMachine, statesService } from './workflow/state-machine.ts';

export interface DeploymentOptions {
  /** The folder that `cdk synth` wrote. */
  readonly assembly: string;
  /** Folder for logs and other files of the run. */
  readonly folder: string;
  readonly clock: ToldClock;
  /** Functions that work at the same time on this machine. */
  readonly processes: number;
  /** Values in environments that lead to a server of the twin instead, such as the URL of the service. */
  readonly instead: Readonly<Record<string, string>>;
}

export interface Deployment {
  readonly assembly: Assembly;
  readonly clock: ToldClock;
  readonly gate: Gate;
  readonly front: Front;
  readonly bus: EventBus;
  readonly functions: Functions;
  /** The Standard one. */
  readonly machine: StateMachine;
  /** The one whose executions it runs and waits for. */
  readonly express: StateMachine;
  readonly queues: readonly Queue[];
  /** What SES has sent. */
  readonly outbox: readonly SentEmail[];
  /** Values of secrets, by ARN. */
  readonly secrets: SecretValues;
  /** Secrets that an operator has to set. The others have a value from the beginning. */
  readonly unsetSecrets: readonly string[];
  /** Faults of the calls to AWS. */
  interrupt: (call: AwsCall) => Interruption | null;
  /** Called for each call that was done. */
  onCall: (call: AwsCall) => void;
  /** Deploys the code of another assembly with the same functions. */
  redeploy(directory: string): void;
  /** The one bucket whose short name ends so: `Intake`. */
  bucket(ending: string): BucketStore;
  /** The one queue whose short name ends so. */
  queue(ending: string): Queue;
  close(): Promise<void>;
}

const ACCOUNT = '111122223333';
const REGION = 'eu-central-1';

/** Deploys an assembly. Throws UnknownToTwinError for whatever the twin does not know. */
export async function deploy(options: DeploymentOptions): Promise<Deployment> {
  const { clock } = options;
  mkdirSync(options.folder, { recursive: true });
  const services: Record<string, Service> = {};
  const outbox: SentEmail[] = [];
  const made: { gate?: Gate; functions?: Functions; deployment?: Deployment } = {};
  const front = await startFront({
    clock,
    services,
    gate: () => made.gate ?? null,
    interrupt: (call) => made.deployment?.interrupt(call) ?? null,
    kill: (pid) => made.functions?.kill(pid),
    onCall: (call) => made.deployment?.onCall(call),
  });
  const place = { account: ACCOUNT, region: REGION, url: front.url };
  const assembly = loadAssembly(options.assembly, STACK, place);
  const gate = new Gate(policiesOf(assembly), ACCOUNT);
  made.gate = gate;
  const queues = queuesOf(assembly.of('AWS::SQS::Queue'), clock);
  const bus = new EventBus({ clock, place, gate, rules: assembly.of('AWS::Events::Rule'), queues });
  const secrets: SecretValues = new Map();
  const unsetSecrets = fillSecrets(assembly.of('AWS::SecretsManager::Secret'), secrets);
  const functions = new Functions({
    ...options,
    gate,
    front,
    region: REGION,
    functions: functionSettings(assembly, secrets),
  });
  made.functions = functions;
  const machines = { clock, gate, bus, functions };
  const express = new StateMachine({ ...machines, resource: machineOf(assembly, 'EXPRESS') });
  const machine = new StateMachine({ ...machines, resource: machineOf(assembly, 'STANDARD'), express: [express] });
  const buckets = assembly.of('AWS::S3::Bucket').map((one) => new BucketStore(bucketSettings(one)));
  const keyOf = (value: unknown) => (typeof value === 'string' ? value : null);
  Object.assign(services, {
    s3: s3Service({
      clock,
      buckets,
      mayList: (caller, need) => gate.allows(caller, [need], true),
      onCreated: (bucket, key, object, reason) => tellBus(bus, bucket, { key, object, reason }, clock),
    }),
    dynamodb: dynamoService(assembly.of('AWS::DynamoDB::Table').map(tableSettingsOf), clock),
    events: eventService(bus, place),
    secretsmanager: secretsService(
      assembly
        .of('AWS::SecretsManager::Secret')
        .map(({ name, arn, properties }) => ({ name, arn, keyArn: keyOf(properties.KmsKeyId) })),
      secrets,
    ),
    lambda: lambdaService(functions, clock),
    sqs: queueService(queues),
    ses: sesService(place, outbox),
    states: statesService([machine], clock),
  });
  for (const mapping of assembly.of('AWS::Lambda::EventSourceMapping')) {
    const queue =
      queues.find(({ arn }) => arn === mapping.properties.EventSourceArn) ??
      unknown('event source', mapping.properties);
    connectQueue({ clock, gate, functions, queue, mapping });
  }
  const named = <T>(what: string, found: readonly T[]): T => {
    const [one, ...more] = found;
    return one === undefined || more.length > 0 ? unknown(`${what}: ${found.length} of them`, what) : one;
  };
  const endingOf = (name: string) =>
    shortName(assembly.resources.find((one) => one.name === name) ?? { logicalId: '' });
  const deployment: Deployment = {
    assembly,
    clock,
    gate,
    front,
    bus,
    functions,
    machine,
    express,
    queues,
    outbox,
    secrets,
    unsetSecrets,
    interrupt: () => null,
    onCall: () => {},
    redeploy: (directory) => functions.redeploy(functionSettings(loadAssembly(directory, STACK, place), secrets)),
    bucket: (ending) =>
      named(
        ending,
        buckets.filter(({ settings }) => endingOf(settings.name).endsWith(ending)),
      ),
    queue: (ending) =>
      named(
        ending,
        queues.filter(({ name }) => endingOf(name).endsWith(ending)),
      ),
    async close() {
      functions.close();
      await front.close();
    },
  };
  made.deployment = deployment;
  return deployment;
}

/** The one state machine of a type. Throws UnknownToTwinError when there is another number of them. */
function machineOf(assembly: Assembly, type: 'EXPRESS' | 'STANDARD'): Resource {
  const typeOf = ({ properties }: Resource) => properties.StateMachineType ?? 'STANDARD';
  const [resource, ...others] = assembly.of('AWS::StepFunctions::StateMachine').filter((one) => typeOf(one) === type);
  if (resource === undefined || others.length > 0) unknown(`number of state machines of type ${type}`, others.length);
  return resource;
}

/** Gives each secret the value that the template asks for. Returns the ARNs of those that have none. */
export function fillSecrets(resources: readonly Resource[], secrets: SecretValues): string[] {
  return resources.flatMap(({ arn, properties }) => {
    const value = generatedSecret(properties.GenerateSecretString);
    if (value === null) return [arn];
    secrets.set(arn, value);
    return [];
  });
}

/** The file with the time of a run. */
export const clockFileIn = (folder: string) => join(folder, 'clock');
