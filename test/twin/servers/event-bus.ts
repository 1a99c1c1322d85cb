/** EventBridge: the default bus, its rules with queues as targets, and PutEvents. */
import { randomUUID } from 'node:crypto';
import type { Resource } from '../assembly/assembly.ts';
import { onlyKnown, unknown } from '../assembly/refuse.ts';
import type { Place } from '../assembly/resource-types.ts';
import type { ToldClock } from '../clock.ts';
import type { Gate } from '../policies/gate.ts';
import { AwsError, type Service } from './call.ts';
import { fits } from './event-pattern.ts';
import { jsonService } from './json-service.ts';
import type { Queue } from './queues.ts';

export interface BusEvent {
  readonly source: string;
  readonly 'detail-type': string;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly resources?: readonly string[];
}

interface Target {
  readonly Id: string;
  readonly Arn: string;
  readonly DeadLetterConfig?: { readonly Arn: string };
}

export interface EventBusOptions {
  readonly clock: ToldClock;
  readonly place: Place;
  readonly gate: Gate;
  readonly rules: readonly Resource[];
  readonly queues: readonly Queue[];
}

/** Once a day. */
const CRON = /^cron\(\d{1,2} \d{1,2} \* \* \? \*\)$/;

export class EventBus {
  /** Everything that came, in its order. */
  readonly events: BusEvent[] = [];
  /** How many told milliseconds after it came an event is handed to the targets. */
  lateMs: (event: BusEvent) => number = () => 0;
  private readonly options: EventBusOptions;

  constructor(options: EventBusOptions) {
    this.options = options;
    for (const rule of options.rules)
      for (const target of targetsOf(rule)) onlyKnown('field of a target', target, ['Arn', 'DeadLetterConfig', 'Id']);
  }

  /** Takes an event and hands it to the targets of each rule that it fits, at once or later. */
  put(event: BusEvent): void {
    this.events.push(event);
    const lateMs = this.lateMs(event);
    if (lateMs === 0) this.handOut(event);
    else void this.handOutLater(event, lateMs);
  }

  private handOutLater(event: BusEvent, lateMs: number): Promise<void> {
    const { clock } = this.options;
    return clock.work(async () => {
      await clock.sleep(lateMs);
      this.handOut(event);
    });
  }

  private handOut(event: BusEvent): void {
    const { clock, place, rules } = this.options;
    const whole = {
      version: '0',
      id: randomUUID(),
      account: place.account,
      time: new Date(clock.now()).toISOString(),
      region: place.region,
      resources: [],
      ...event,
    };
    for (const rule of rules) {
      if (rule.properties.ScheduleExpression !== undefined) continue;
      if (rule.properties.State !== 'ENABLED' || !fits(whole, rule.properties.EventPattern)) continue;
      for (const target of targetsOf(rule)) this.deliver(rule, target, JSON.stringify(whole));
    }
  }

  /** Starts the one schedule of a rule whose logical id contains this, as the clock of EventBridge would. */
  tick(part: string): void {
    const { clock, place, rules } = this.options;
    const [rule, ...others] = rules.filter(({ logicalId }) => logicalId.includes(part));
    const { ScheduleExpression, State } = rule?.properties ?? {};
    if (rule === undefined || others.length > 0 || State !== 'ENABLED' || !CRON.test(String(ScheduleExpression)))
      unknown(`schedule ${part}`, String(ScheduleExpression));
    const event = {
      ...{ version: '0', id: randomUUID(), account: place.account, region: place.region },
      ...{ source: 'aws.events', 'detail-type': 'Scheduled Event', detail: {}, resources: [rule.arn] },
      time: `${new Date(clock.now()).toISOString().slice(0, 19)}Z`,
    };
    for (const target of targetsOf(rule)) this.deliver(rule, target, JSON.stringify(event));
  }

  private deliver(rule: Resource, target: Target, body: string): void {
    const arns = [target.Arn, ...(target.DeadLetterConfig ? [target.DeadLetterConfig.Arn] : [])];
    // The dead letters of a target are used when its own queue cannot be, which the twin does not do.
    for (const arn of arns) this.mayTell(rule, arn);
    this.queueOf(target.Arn).send(body);
  }

  private mayTell(rule: Resource, queueArn: string): boolean {
    const facts = { 'aws:SourceArn': rule.arn, 'aws:SourceAccount': this.options.place.account };
    const need = { action: 'sqs:SendMessage', resource: queueArn, owner: queueArn, facts };
    return this.options.gate.allows({ roleArn: null, service: 'events.amazonaws.com' }, [need]);
  }

  private queueOf(arn: string): Queue {
    return this.options.queues.find((queue) => queue.arn === arn) ?? unknown('target of a rule', arn);
  }
}

const targetsOf = ({ properties }: Resource) => (properties.Targets ?? []) as readonly Target[];

/** Bytes of all entries of one call together, as EventBridge counts them. */
const MAX_EVENT_BYTES = 256 * 1024;

const bytesOf = ({ Source, DetailType, Detail }: Entry) =>
  [Source, DetailType, Detail].reduce((sum, text) => sum + Buffer.byteLength(text), 0);

interface Entry {
  readonly EventBusName?: string;
  readonly Source: string;
  readonly DetailType: string;
  readonly Detail: string;
}

/** PutEvents on the default bus. */
export function eventService(bus: EventBus, place: Place): Service {
  return jsonService('AWSEvents', {
    PutEvents: {
      fields: ['Entries'],
      needs: ({ Entries }) =>
        (Entries as readonly Entry[]).map(({ EventBusName = 'default' }) => ({
          action: 'events:PutEvents',
          resource: `arn:aws:events:${place.region}:${place.account}:event-bus/${EventBusName}`,
        })),
      run({ Entries }) {
        const entries = Entries as readonly Entry[];
        if (entries.reduce((sum, entry) => sum + bytesOf(entry), 0) > MAX_EVENT_BYTES)
          throw new AwsError('ValidationException', 400, 'Total size of the entries in the request is over the limit.');
        for (const entry of entries) {
          onlyKnown('field of an event', entry, ['Detail', 'DetailType', 'EventBusName', 'Source']);
          bus.put({ source: entry.Source, 'detail-type': entry.DetailType, detail: JSON.parse(entry.Detail) });
        }
        return { FailedEntryCount: 0, Entries: entries.map(() => ({ EventId: randomUUID() })) };
      },
    },
  });
}
