/** All functions of a deployment: their processes, cold and warm, and the limits on how many work at the same time. */
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ToldClock } from '../clock.ts';
import type { Gate } from '../policies/gate.ts';
import type { Front } from '../servers/front.ts';
import { FunctionProcess, type InvocationResult } from './function-process.ts';
import type { FunctionSettings } from './function-settings.ts';
import { Slots } from './slots.ts';

export interface FunctionsOptions {
  readonly clock: ToldClock;
  readonly gate: Gate;
  readonly front: Front;
  readonly functions: readonly FunctionSettings[];
  readonly region: string;
  /** Folder for what the processes need and write. */
  readonly folder: string;
  /** Processes that work at the same time on this machine. The others wait, and nobody is told. */
  readonly processes: number;
  /** Values of the template that lead to a server of the twin instead. */
  readonly instead: Readonly<Record<string, string>>;
}

/** Lambda's answer when the account or the function has no concurrency left. */
export const THROTTLED = 'TooManyRequestsException';

/** What Lambda does with the role of a function in a VPC. */
const NETWORK_INTERFACES = [
  'ec2:AssignPrivateIpAddresses',
  'ec2:CreateNetworkInterface',
  'ec2:DeleteNetworkInterface',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeSubnets',
  'ec2:UnassignPrivateIpAddresses',
];

interface Measured {
  coldStarts: number;
  invocations: number;
  peakMb: number;
  /** Seconds of processor time until the bundles were loaded, and of everything together. */
  startSeconds: number;
  processorSeconds: number;
}

/** Of a function that was never called. */
export const NOTHING_MEASURED: Readonly<Measured> = {
  coldStarts: 0,
  invocations: 0,
  peakMb: 0,
  startSeconds: 0,
  processorSeconds: 0,
};

export class Functions {
  /** By short name. */
  readonly measured = new Map<string, Measured>();
  /** How many invocations the account allows at the same time. A fault may lower it. */
  accountConcurrency = 1000;
  /** How far the clocks of the functions are from that of AWS, in milliseconds. Holds for processes that start from now on. */
  skewMs = 0;
  /** What each process works on, by its id. */
  readonly events = new Map<number, unknown>();
  private readonly options: FunctionsOptions;
  private functions: readonly FunctionSettings[];
  private readonly idle = new Map<string, FunctionProcess[]>();
  private readonly all = new Map<number, { readonly process: FunctionProcess; readonly accessKeyId: string }>();
  private readonly working = new Map<string, number>();
  private readonly slots: Slots;
  /** The functions whose own calls were held against their policies. */
  private readonly asked = new Set<FunctionSettings>();

  constructor(options: FunctionsOptions) {
    this.options = options;
    this.functions = options.functions;
    this.slots = new Slots(options.processes);
    for (const { roleArn, shortName } of options.functions) {
      if (!options.gate.mayAssume('lambda.amazonaws.com', roleArn))
        throw new Error(`Lambda may not take the role of ${shortName}`);
      this.measured.set(shortName, { ...NOTHING_MEASURED });
    }
  }

  list(): readonly FunctionSettings[] {
    return this.functions;
  }

  settings(arnOrName: string): FunctionSettings {
    const found = this.functions.find(({ arn, name }) => arn === arnOrName || name === arnOrName);
    if (!found) throw new Error(`no function ${arnOrName}`);
    return found;
  }

  /**
   * Runs a function. Never rejects: an error is a result, also when there is no concurrency left. `begun` is called when a processor of this
   * machine is free for it. `isLent`: the caller is a function that waits for the answer, and lends its processor.
   */
  async invoke(
    arnOrName: string,
    event: unknown,
    begun: () => void = () => {},
    isLent = false,
  ): Promise<InvocationResult> {
    const settings = this.settings(arnOrName);
    const busy = this.working.get(settings.name) ?? 0;
    const total = [...this.working.values()].reduce((sum, count) => sum + count, 0);
    if (busy >= (settings.reservedConcurrency ?? Number.POSITIVE_INFINITY) || total >= this.accountConcurrency)
      return { error: { errorType: THROTTLED, errorMessage: 'Rate Exceeded.' } };
    this.working.set(settings.name, busy + 1);
    try {
      const run = () => {
        begun();
        return this.inProcess(settings, event);
      };
      return await this.options.clock.work(() => (isLent ? run() : this.slots.with(run)));
    } finally {
      this.working.set(settings.name, (this.working.get(settings.name) ?? 1) - 1);
    }
  }

  kill(pid: number): void {
    this.all.get(pid)?.process.kill();
  }

  /** Deploys other code: what works goes on, and everything that starts from now on is new. */
  redeploy(functions: readonly FunctionSettings[]): void {
    this.functions = functions;
    for (const process of [...this.idle.values()].flat()) process.kill();
    this.idle.clear();
  }

  close(): void {
    for (const { process } of this.all.values()) process.kill();
  }

  private async inProcess(settings: FunctionSettings, event: unknown): Promise<InvocationResult> {
    const measured = this.measured.get(settings.shortName) as Measured;
    this.allowOwnCalls(settings);
    const warm = this.idle.get(settings.name)?.pop();
    const process = warm ?? this.start(settings);
    if (!warm) {
      measured.coldStarts += 1;
      const failed = await process.ready();
      measured.startSeconds += process.processorSeconds;
      measured.processorSeconds += process.processorSeconds;
      if (failed) return { error: failed };
    }
    this.events.set(process.pid, event);
    const before = process.processorSeconds;
    const result = await process.invoke(event, randomUUID());
    measured.processorSeconds += process.processorSeconds - before;
    this.events.delete(process.pid);
    measured.invocations += 1;
    measured.peakMb = Math.max(measured.peakMb, process.peakMb);
    const isCurrent = this.functions.includes(settings);
    if (process.isAlive && !isCurrent) process.kill();
    if (process.isAlive && isCurrent) this.idle.set(settings.name, [...(this.idle.get(settings.name) ?? []), process]);
    else this.forget(process);
    return result;
  }

  /** What Lambda itself does with the role of a function, which is the same each time. */
  private allowOwnCalls(settings: FunctionSettings): void {
    if (this.asked.has(settings)) return;
    this.asked.add(settings);
    const { roleArn, logGroupArn, isTraced, network } = settings;
    const caller = { roleArn, service: null };
    const logs = ['logs:CreateLogStream', 'logs:PutLogEvents'].map((action) => ({ action, resource: logGroupArn }));
    const traces = ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'].map((action) => ({ action, resource: '*' }));
    const interfaces = NETWORK_INTERFACES.map((action) => ({ action, resource: '*' }));
    this.options.gate.allows(caller, [...logs, ...(isTraced ? traces : []), ...(network === null ? [] : interfaces)]);
  }

  private start(settings: FunctionSettings): FunctionProcess {
    const accessKeyId = `ASIA${randomUUID().replaceAll('-', '').slice(0, 16).toUpperCase()}`;
    const log = join(this.options.folder, `${settings.shortName}.log`);
    const process = new FunctionProcess({
      settings,
      environment: this.environment(settings, accessKeyId),
      preload: this.preload(),
      onLog: (text) => writeFileSync(log, text, { flag: 'a' }),
    });
    this.all.set(process.pid, { process, accessKeyId });
    const { roleArn, network } = settings;
    const caller = { name: settings.shortName, pid: process.pid, roleArn, service: null, network };
    this.options.front.admit(accessKeyId, caller);
    return process;
  }

  private forget(process: FunctionProcess): void {
    const known = this.all.get(process.pid);
    if (known) this.options.front.dismiss(known.accessKeyId);
    this.all.delete(process.pid);
  }

  /** The environment of the template, what Lambda adds to it, and the way to the servers of the twin. */
  private environment(
    { name, memoryMb, folder, handler, environment }: FunctionSettings,
    accessKeyId: string,
  ): Record<string, string> {
    const { region, front, instead } = this.options;
    const own = Object.entries(environment).map(([key, value]) => [key, instead[value] ?? value] as const);
    return {
      ...Object.fromEntries(own),
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_DEFAULT_REGION: region,
      AWS_ENDPOINT_URL: front.url,
      AWS_ENDPOINT_URL_S3: front.url,
      AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMb),
      AWS_LAMBDA_FUNCTION_NAME: name,
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_REGION: region,
      AWS_SECRET_ACCESS_KEY: 'twin',
      AWS_SESSION_TOKEN: 'twin',
      LAMBDA_TASK_ROOT: folder,
      LANG: 'en_US.UTF-8',
      TZ: ':UTC',
      _HANDLER: handler,
    };
  }

  /** The file that gives a process its time, with the skew of now. */
  private preload(): string {
    const path = join(this.options.folder, `preload${this.skewMs}.cjs`);
    const text = readFileSync(new URL('preload.cjs', import.meta.url), 'utf8')
      .replace('{{CLOCK_FILE}}', JSON.stringify(this.options.clock.file).slice(1, -1))
      .replace('{{SKEW_MS}}', String(this.skewMs));
    writeFileSync(path, text);
    return path;
  }
}
