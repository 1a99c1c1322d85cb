/** The session that `scan`, `watch` and `gateway` open from their options: policy, seals, and the analyst. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { withTemplateFiles } from '../../pipeline/policy/files.ts';
import { DEFAULT_POLICY, type Policy, parsePolicy } from '../../pipeline/policy/policy.ts';
import type { Sealer } from '../../pipeline/ports.ts';
import { createSealer, sealKeyOf } from '../../storage/seal-key.ts';
import { type Console, UsageError } from '../console.ts';
import { eventsOf } from '../input/event-file.ts';
import { listsOf } from '../operator-lists.ts';
import { checkService } from '../service-check.ts';
import type { RemoteService } from './analysis.ts';
import type { LocalEngines } from './local-engines.ts';
import { checkOutFolder } from './out-folder.ts';
import type { Session, SessionOptions } from './session.ts';
import { type VisitOptions, visitSettings } from './visit-settings.ts';
import { reportRules } from './yara-rules.ts';

export interface EngineOptions extends VisitOptions {
  readonly service?: string;
  readonly cdrService?: string;
  readonly policy?: string;
  readonly sealKey?: string;
}

/** The number of mails that wait for an analysis service at the same time. Each takes minutes there, and almost nothing here. */
const AWAITED_INPUTS = 200;

/** Returns how many mails a verb has under way at the same time: `own`, unless a service analyses them. */
export function inputsAtOnce({ service }: EngineOptions, own: number): number {
  return service === undefined ? own : Math.max(own, AWAITED_INPUTS);
}

/** The settings of a verb for its session, besides its options. */
export type SessionSettings = Pick<
  SessionOptions,
  'out' | 'signal' | 'onStage' | 'onAgain' | 'isLasting' | 'concurrentStages' | 'events'
>;

/** Opens a session. The stages and the engines are loaded only then, as most verbs need neither. */
export async function openSession(options: SessionOptions): Promise<Session> {
  return (await import('./session.ts')).openSession(options);
}

/** Opens the session. Throws UsageError, ConfigError or ClientConfigError when it cannot begin. */
export async function openEngineSession(
  console: Console,
  options: EngineOptions,
  settings: SessionSettings,
): Promise<Session> {
  return openSessionUnder(await readPolicy(options.policy), console, options, { ...eventsOf(console), ...settings });
}

/** Does the same under a policy that was read before. */
export async function openSessionUnder(
  policy: Policy,
  console: Console,
  options: EngineOptions,
  settings: SessionSettings,
): Promise<Session> {
  checkOutFolder(settings.out, '--out');
  const judging = await judgingOf(policy, console, options);
  const { service } = judging;
  if (service && (options.online || options.proxy !== undefined))
    throw new UsageError(
      '--online is for the engines of this process: with --service, that service decides whether it visits URLs.',
    );
  // A verb that runs for a long time waits for a service that is away.
  if (service && !settings.isLasting) await checkService(service, settings.signal);
  return openSession({
    ...settings,
    ...judging,
    engines: service ? {} : await enginesOf(console, options),
  });
}

/** Opens the session of a verb with which people decide about mail that was scanned. Throws UsageError. */
export async function openReviewSession(
  policy: Policy,
  console: Console,
  { out, ...options }: Pick<EngineOptions, 'service' | 'cdrService' | 'sealKey'> & { readonly out: string },
  hooks: Pick<SessionOptions, 'onBegun' | 'onStage'> = { onStage: () => {} },
): Promise<Session> {
  const judging = await judgingOf(policy, console, options);
  return openSession({ out, ...judging, ...eventsOf(console), signal: console.signal, ...hooks });
}

/** Returns what judges mail, as the options of a verb name it. Throws UsageError. */
async function judgingOf(
  policy: Policy,
  console: Console,
  options: Pick<EngineOptions, 'service' | 'cdrService' | 'sealKey'>,
) {
  const service = remote(console, options.service, 'AIRLOCK_API_KEY', '--service');
  const cdrService = remote(console, options.cdrService, 'AIRLOCK_CDR_TOKEN', '--cdr-service');
  const sealer = await readSealer(policy, options.sealKey);
  return { policy, service, cdrService, ...listsOf(console), ...(sealer && { sealer }) };
}

async function enginesOf(console: Console, options: EngineOptions): Promise<LocalEngines> {
  const rulesFolder = console.env.AIRLOCK_YARA_RULES;
  const visits = visitSettings(console, options);
  if (!rulesFolder) return { visits };
  await reportRules(console, rulesFolder);
  return { visits, rulesFolder };
}

/** Reads the policy in a file, or the shipped one. Throws UsageError, ConfigError. */
export async function readPolicy(path: string | undefined): Promise<Policy> {
  if (path === undefined) return DEFAULT_POLICY;
  const json = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'ENOENT' ? 'does not exist' : `cannot be read (${error.code ?? error.message})`;
    throw new UsageError(
      `The policy file ${path} ${why}. A policy file needs only the fields that differ from the policy as shipped: {} is the same.`,
    );
  });
  const whole = withTemplateFiles(json, (name) => readFileSync(join(dirname(path), name), 'utf8'));
  return parsePolicy(whole, `The policy file ${path}`);
}

/** Reads the sealing key, which is checked before anything is scanned. */
export async function readSealer({ authentication }: Policy, path: string | undefined): Promise<Sealer | null> {
  if (path === undefined && authentication.seal === null) return null;
  if (path === undefined)
    throw new UsageError(
      'The policy asks for seals (authentication.seal): name the file of the private key with --seal-key.',
    );
  if (authentication.seal === null)
    throw new UsageError(
      '--seal-key needs a policy that says for which domain messages are sealed (authentication.seal).',
    );
  const pem = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`The key file ${path} cannot be read (${error.code ?? error.message}).`);
  });
  sealKeyOf(pem);
  return createSealer(async () => pem);
}

/** Returns an outside service, with its secret from the environment. Throws UsageError when there is none. */
export function remote(
  console: Console,
  url: string | undefined,
  variable: string,
  flag: string,
): RemoteService | null {
  if (url === undefined) return null;
  const secret = console.env[variable];
  if (!secret) throw new UsageError(`${flag} needs a key: put it into the environment variable ${variable}.`);
  return { url, secret };
}
