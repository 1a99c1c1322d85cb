/** `airlock scan`: runs inputs through the whole flow and reports on each. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DEFAULT_POLICY, type Policy, parsePolicy } from '../pipeline/policy.ts';
import { withTemplateFiles } from '../pipeline/policy-files.ts';
import type { Sealer } from '../pipeline/ports.ts';
import { safeJson } from '../pipeline/safe-text.ts';
import { createSealer, sealKeyOf } from '../storage/seal-key.ts';
import type { RemoteService } from './analysis.ts';
import { inOrder } from './bounded-queue.ts';
import { type Console, UsageError, wantsColor, writeLine } from './console.ts';
import { writeMailFile } from './html-report.ts';
import { inputsOf, withoutRepeats } from './input.ts';
import type { LocalEngines } from './local-engines.ts';
import { exitCodeOf, type Outcome } from './outcome.ts';
import { painter } from './paint.ts';
import { createProgress } from './progress.ts';
import { reportLines } from './report.ts';
import { openSession } from './session.ts';
import { type VisitOptions, visitSettings } from './visit-settings.ts';
import { reportRules } from './yara-rules.ts';

export interface ScanOptions extends VisitOptions {
  readonly out: string;
  readonly service?: string;
  readonly cdrService?: string;
  readonly policy?: string;
  readonly sealKey?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly html?: string;
}

/** Inputs that are scanned at the same time: enough to keep the engines busy, few enough for memory (42 MB each). */
const CONCURRENT_INPUTS = 8;

/** Runs the verb. Returns the exit code; throws UsageError, ConfigError or ClientConfigError when it cannot begin. */
export async function scanVerb(console: Console, paths: readonly string[], options: ScanOptions): Promise<number> {
  const policy = await readPolicy(options.policy);
  const service = remote(console, options.service, 'AIRLOCK_API_KEY', '--service');
  const cdrService = remote(console, options.cdrService, 'AIRLOCK_CDR_TOKEN', '--cdr-service');
  if (service && (options.online || options.proxy !== undefined))
    throw new UsageError(
      '--online is for the engines of this process: with --service, that service decides whether it visits URLs.',
    );
  const sealer = await readSealer(policy, options.sealKey);
  const progress = createProgress(console, options.quiet === true);
  const session = await openSession({
    out: options.out,
    policy,
    service,
    cdrService,
    ...(sealer && { sealer }),
    engines: service ? {} : await enginesOf(console, options),
    signal: console.signal,
    onStage: progress.stage,
  });
  const outcomes: Outcome[] = [];
  try {
    const scanned = inOrder(withoutRepeats(inputsOf(paths)), CONCURRENT_INPUTS, async (input) => {
      const outcome = await session.scan(input);
      progress.done(outcome);
      return outcome;
    });
    for await (const outcome of scanned) {
      progress.clear();
      await print(console, outcome, options);
      if (options.html !== undefined && 'ledger' in outcome)
        await writeMailFile(options.html, options.out, outcome.ledger);
      outcomes.push(summaryOnly(outcome));
    }
  } finally {
    progress.clear();
    await session.close();
  }
  if (!options.json && !options.quiet && outcomes.length > 1) await writeLine(console.stdout, totals(outcomes));
  return exitCodeOf(outcomes);
}

async function print(console: Console, outcome: Outcome, options: ScanOptions): Promise<void> {
  if (options.json) return writeLine(console.stdout, safeJson(outcome));
  if (options.quiet && outcome.state === 'delivered') return;
  const stream = options.quiet ? console.stderr : console.stdout;
  for (const line of reportLines(outcome, painter(wantsColor(console)))) await writeLine(stream, line);
}

/** The exit code needs only the reasons of a ledger. The rest is dropped, because thousands of ledgers fill memory. */
function summaryOnly(outcome: Outcome): Outcome {
  if (!('ledger' in outcome)) return outcome;
  const ledger = { ...outcome.ledger, parts: [], urls: [], artifacts: [], warnings: [] };
  return { ...outcome, ledger };
}

function totals(outcomes: readonly Outcome[]): string {
  const states: readonly Outcome['state'][] = ['delivered', 'quarantined', 'rejected', 'interrupted', 'failed'];
  const counts = states.map((state) => [outcomes.filter((outcome) => outcome.state === state).length, state] as const);
  const words = counts.filter(([count]) => count > 0).map(([count, state]) => `${count} ${state}`);
  return `${outcomes.length} inputs: ${words.join(', ')}`;
}

async function enginesOf(console: Console, options: ScanOptions): Promise<LocalEngines> {
  const rulesFolder = console.env.AIRLOCK_YARA_RULES;
  const visits = visitSettings(console, options);
  if (!rulesFolder) return { visits };
  await reportRules(console, rulesFolder);
  return { visits, rulesFolder };
}

/** The policy in a file, or the one as shipped. Throws UsageError, ConfigError. */
export async function readPolicy(path: string | undefined): Promise<Policy> {
  if (path === undefined) return DEFAULT_POLICY;
  const json = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'ENOENT' ? 'does not exist' : `cannot be read (${error.code ?? error.message})`;
    throw new UsageError(`The policy file ${path} ${why}. Start from lib/pipeline/policy.default.json.`);
  });
  const whole = withTemplateFiles(json, (name) => readFileSync(join(dirname(path), name), 'utf8'));
  return parsePolicy(whole, `The policy file ${path}`);
}

/** The key is read and checked before anything is scanned. */
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

/** A service of others, with the secret that the environment has for it. Throws UsageError when it has none. */
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
