/** One run of the twin: a deployment with its service and its time, and mails that are put into it. */
import { mkdirSync } from 'node:fs';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { Analyst } from '../../../lib/infra/engines/analysis-choice.ts';
import { runIdOf } from '../../../lib/pipeline/keys.ts';
import type { EngineRunner } from '../../../lib/service/server/jobs/jobs.ts';
import { ToldClock } from '../clock.ts';
import { clockFileIn, type Deployment, deploy } from '../deployment.ts';
import { ADMINISTRATOR, administratorArn } from '../policies/policies.ts';
import type { StoredObject } from '../servers/s3/store.ts';
import { startTwinService, type TwinService } from '../service/service.ts';
import type { Mail } from './mails.ts';
import { untilRest } from './rest.ts';

/** Values of the template that lead to the service of the twin. */
export const ANALYSIS_URL = 'https://analysis.example';
export const CDR_URL = 'https://cdr.example';

/** The settings of a deployment in which the engines analyse, or the service of the twin. */
export const contextWith = (analyst: Analyst) =>
  analyst === 'engines' ? {} : { analysisUrl: ANALYSIS_URL, cdrUrl: CDR_URL };

/** A mail in the intake bucket. */
export interface Sent {
  readonly mail: Mail;
  readonly key: string;
  readonly object: StoredObject;
  readonly runId: string;
  /** The object is deleted before it can be copied. @default false */
  readonly isGone: boolean;
  /** A passing fault holds it first, and it is begun again. */
  readonly isHeldFirst: boolean;
}

export interface Twin {
  readonly clock: ToldClock;
  readonly deployment: Deployment;
  readonly service: TwinService;
  readonly sent: Sent[];
  readonly analyst: Analyst;
  /** Puts a mail into the intake bucket, as a sender with the SDK does. */
  send(mail: Mail, options?: SendOptions): Promise<Sent>;
  /** Puts a key of the service into the secrets for it, or takes it out. */
  setKey(value: string | null): void;
  /** Waits told seconds. */
  pause(seconds: number): Promise<void>;
  /** Resolves when nothing is left to do. Rejects when nothing was done for so many seconds (rest.ts). */
  settled(quietSeconds: number): Promise<void>;
  close(): Promise<void>;
}

export interface SendOptions {
  /** @default one that no other mail has */
  readonly key?: string;
  /** The object is deleted before it can be copied. @default false */
  readonly isGone?: boolean;
  /** A passing fault holds it first, and it is begun again. @default false */
  readonly isHeldFirst?: boolean;
}

export interface TwinOptions {
  /** The folder that `cdk synth` wrote. */
  readonly assembly: string;
  /** An empty folder for logs and other files. */
  readonly folder: string;
  /** The engines of the service. */
  readonly engines: EngineRunner;
  /** Who analyses in the stack. */
  readonly analyst: Analyst;
  readonly processes: number;
  /** Other values of the template that lead to a server of the test instead. @default none */
  readonly instead?: Readonly<Record<string, string>>;
}

/** Those of the administrator. */
export const CREDENTIALS = { accessKeyId: 'AKIATWINADMINISTRATOR', secretAccessKey: 'twin' };
/** The value that both secrets have at first, and that the service accepts. */
export const FIRST_KEY = 'the-first-key';

/** Deploys the assembly and starts everything around it. */
export async function startTwin({
  assembly,
  folder,
  engines,
  analyst,
  processes,
  ...options
}: TwinOptions): Promise<Twin> {
  mkdirSync(folder, { recursive: true });
  const clock = new ToldClock(clockFileIn(folder));
  const service = await startTwinService({ clock, engines });
  const instead = { ...options.instead, [ANALYSIS_URL]: service.url, [CDR_URL]: service.cdrUrl };
  const deployment = await deploy({ assembly, folder, clock, processes, instead });
  const roleArn = administratorArn(deployment.assembly.place.account);
  deployment.front.admit(CREDENTIALS.accessKeyId, { name: ADMINISTRATOR, pid: null, roleArn, service: null });
  service.keys.add(FIRST_KEY);
  const setKey = (value: string | null) => {
    for (const arn of deployment.unsetSecrets)
      if (value === null) deployment.secrets.delete(arn);
      else deployment.secrets.set(arn, value);
  };
  setKey(FIRST_KEY);
  const client = new S3Client({
    endpoint: deployment.front.url,
    forcePathStyle: true,
    region: deployment.assembly.place.region,
    credentials: CREDENTIALS,
  });
  const sent: Sent[] = [];
  const bucket = deployment.bucket('BucketsIntake');
  return {
    clock,
    deployment,
    service,
    sent,
    analyst,
    async send(mail, { key = `inbox/${mail.word}.eml`, isGone = false, isHeldFirst = false } = {}) {
      const put = new PutObjectCommand({ Bucket: bucket.settings.name, Key: key, Body: mail.bytes });
      const from = deployment.bus.events.length;
      await clock.work(() => client.send(put));
      const object = bucket.find(key, null);
      const one = { mail, key, object, isGone, isHeldFirst, runId: runIdOf(uploadOf(deployment, from, key)) };
      sent.push(one);
      return one;
    },
    setKey,
    pause: (seconds) => clock.work(() => clock.sleep(seconds * 1000)),
    settled: (quietSeconds) =>
      untilRest(quietSeconds, clock.settled(), {
        progress: () => progressOf(deployment, clock),
        toldMs: () => clock.now(),
      }),
    async close() {
      client.destroy();
      await deployment.close();
      await service.close();
      clock.close();
    },
  };
}

/** Changes with every event, every invocation, and every jump of the time. */
function progressOf({ bus, functions }: Deployment, clock: ToldClock): string {
  const invocations = [...functions.measured.values()].reduce((sum, one) => sum + one.invocations + one.coldStarts, 0);
  return `${bus.events.length} ${invocations} ${clock.jumpedMs()}`;
}

/** What the event about the newest upload under a key says. */
function uploadOf({ bus }: Deployment, from: number, key: string) {
  const events = bus.events.slice(from).map(({ detail }) => detail as unknown as ObjectCreatedDetail);
  const found = events.findLast((detail) => detail.object?.key === key);
  if (!found) throw new Error(`no event about ${key}`);
  const { etag, sequencer } = found.object;
  const version = found.object['version-id'];
  const upload = version === undefined ? { upload: { etag, sequencer } } : {};
  return { bucket: found.bucket.name, untrustedKey: key, versionId: version ?? '', ...upload };
}

interface ObjectCreatedDetail {
  readonly bucket: { readonly name: string };
  readonly object: {
    readonly key: string;
    readonly etag: string;
    readonly sequencer: string;
    readonly 'version-id'?: string;
  };
}
