/** A gateway on loopback with a scripted judge, a clock that the test moves, and a log that it can wait for. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Files } from '../../lib/gateway/files.ts';
import { type Gateway, openGateway } from '../../lib/gateway/gateway.ts';
import { DEFAULT_GATEWAY_LIMITS, type GatewayLimits } from '../../lib/gateway/limits.ts';
import type { Fields } from '../../lib/gateway/log.ts';
import type { DoorSettings, MilterSettings, NextSettings, NoticeSettings } from '../../lib/gateway/settings.ts';
import { type JudgeScript, type ScriptedJudge, scriptedJudge } from './scripted-judge.ts';
import { type ToldTime, toldTime } from './told-time.ts';

export interface RigOptions extends JudgeScript {
  readonly nextPort: number;
  readonly root?: string;
  readonly door?: Partial<DoorSettings>;
  /** Messages come by milter instead. */
  readonly milter?: Partial<MilterSettings>;
  readonly next?: Partial<NextSettings>;
  readonly limits?: Partial<GatewayLimits>;
  readonly notices?: NoticeSettings;
  readonly hasMetrics?: boolean;
  readonly files?: Files;
  readonly time?: ToldTime;
  readonly judgeInstead?: ScriptedJudge;
  readonly abandonJudgements?: () => void;
}

export interface Event {
  readonly event: string;
  readonly fields: Fields;
}

export interface Rig {
  readonly gateway: Gateway;
  readonly root: string;
  readonly judge: ScriptedJudge;
  readonly time: ToldTime;
  readonly log: readonly Event[];
  /** Resolves when so many events of this name were logged. */
  event(name: string, count?: number): Promise<Event>;
  /** Names of files below a folder of the spool. */
  list(folder: string): Promise<string[]>;
  metric(name: string): Promise<number>;
  /** Closes the gateway; the folder stays. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

export const KEY = Buffer.alloc(32, 7);
/** The process has the memory of all test files that ran in it before. */
export const MEMORY_OF_TESTS = 2 ** 40;

/** The door and the next hop of tests: loopback, plain. */
export function settingsFor({ door, next, nextPort }: Pick<RigOptions, 'door' | 'next' | 'nextPort'>) {
  const base = { host: '127.0.0.1', protocol: 'smtp' as const, name: 'gateway.example' };
  const lists = { clients: ['127.0.0.1'], domains: [], xforward: ['127.0.0.1'], xclient: [] };
  return {
    door: { ...base, port: 0, ...lists, tls: null, authenticate: null, ...door } satisfies DoorSettings,
    next: { ...base, port: nextPort, tls: 'off' as const, ...next } satisfies NextSettings,
  };
}

const MILTER: MilterSettings = {
  ...{ protocol: 'milter', host: '127.0.0.1', port: 0, path: null, name: 'gateway.example' },
  ...{ clients: ['127.0.0.1'], held: 'hold', waitSeconds: 60 },
};

export async function openRig(options: RigOptions): Promise<Rig> {
  const root = options.root ?? (await mkdtemp(join(tmpdir(), 'airlock-gateway-')));
  const time = options.time ?? toldTime();
  const judge = options.judgeInstead ?? scriptedJudge(root, options);
  const log: Event[] = [];
  let waiting: (() => void)[] = [];
  const gateway = await openGateway({
    root,
    ...settingsFor(options),
    ...(options.milter && { door: { ...MILTER, ...options.milter } }),
    notices: options.notices ?? null,
    metrics: options.hasMetrics ? { host: '127.0.0.1', port: 0 } : null,
    limits: { ...DEFAULT_GATEWAY_LIMITS, freeDiskBytes: 1, residentBytes: MEMORY_OF_TESTS, ...options.limits },
    loopKey: KEY,
    judge,
    abandonJudgements: options.abandonJudgements ?? (() => undefined),
    log: (_, event, fields = {}) => {
      log.push({ event, fields });
      for (const wake of waiting.splice(0)) wake();
    },
    now: time.now,
    alarms: time.alarms,
    ...(options.files && { files: options.files }),
  });
  let isOpen = true;
  const stop = async () => {
    if (isOpen) await gateway.close();
    isOpen = false;
  };
  return {
    ...{ gateway, root, judge, time, log, stop },
    async event(name, count = 1) {
      for (;;) {
        const found = log.filter(({ event }) => event === name);
        if (found.length >= count) return found[count - 1] as Event;
        await new Promise<void>((resolve) => {
          waiting = [...waiting, resolve];
        });
      }
    },
    list: async (folder) => (await readdir(join(root, folder)).catch(() => [])).sort(),
    async metric(name) {
      const line = (await gateway.metricsText())
        .split('\n')
        .find((found) => found.startsWith(`airlock_gateway_${name} `));
      return Number(line?.split(' ').at(-1) ?? 'NaN');
    },
    async close() {
      await stop();
      await rm(root, { recursive: true, force: true });
    },
  };
}
