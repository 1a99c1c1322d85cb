/** `airlock desk`: the pages on which a person sees what is held and decides about it, until Ctrl-C. */
import { once } from 'node:events';
import { type Command, Option } from 'commander';
import { ROLES, type Role } from '../desk/decisions.ts';
import type { DeskParts } from '../desk/desk.ts';
import { type RunningDesk, startDesk } from '../desk/listen.ts';
import { NotFoundError } from '../pipeline/errors.ts';
import { readLedger } from '../pipeline/ledger-store.ts';
import { problemOf } from '../pipeline/review.ts';
import { type Console, UsageError, writeLine } from './console.ts';
import { originalHeader } from './original-header.ts';
import { checkFolder, contextOf } from './run-context.ts';
import { isIncomplete, openOrExplain } from './run-index.ts';
import { readPolicy, readSealer, remote } from './scan-verb.ts';
import { openSession, type Session } from './session.ts';

interface DeskOptions {
  readonly port: string;
  readonly out: string;
  readonly as?: string;
  readonly role: Role;
  readonly service?: string;
  readonly cdrService?: string;
  readonly policy?: string;
  readonly sealKey?: string;
}

/** Adds the verb to the program. */
export function addDesk(program: Command, console: Console, done: (code: number) => void): void {
  program
    .command('desk')
    .description('show what is held in a browser on this machine, and release, delete or rescan it there')
    .option('--port <number>', 'a port of 127.0.0.1; 0 takes any free one', '0')
    .option('--out <dir>', 'the folder of airlock scan', 'airlock-out')
    .option('--as <person>', 'who decides here (default: nobody, and the pages only show)')
    .addOption(
      new Option('--role <role>', 'what that person may do; only admin releases originals')
        .choices([...ROLES])
        .default('analyst'),
    )
    .option('--service <url>', 'use this analysis service, with the key in AIRLOCK_API_KEY (default: the embedded one)')
    .option('--cdr-service <url>', 'disarm with this CDR service, with the token in AIRLOCK_CDR_TOKEN')
    .option('--policy <file>', 'a policy file (default: lib/pipeline/policy.default.json)')
    .option('--seal-key <file>', 'the private key (PEM) that seals messages with ARC, when the policy asks for it')
    .action(async (options: DeskOptions) => done(await deskVerb(console, options)));
}

async function deskVerb(console: Console, options: DeskOptions): Promise<number> {
  const port = Number(options.port);
  if (!/^\d{1,5}$/.test(options.port) || port > 65_535)
    throw new UsageError(`--port takes a number from 0 (any free port) to 65535, not ${JSON.stringify(options.port)}.`);
  const problem = options.as === undefined ? null : problemOf({ name: options.as, why: 'x' });
  if (problem !== null) throw new UsageError(`--as: ${problem}.`);
  checkFolder(options.out);
  const policy = await readPolicy(options.policy);
  const sealer = await readSealer(policy, options.sealKey);
  const runs = await openOrExplain(options.out);
  const session = await openSession({
    out: options.out,
    policy,
    ...(sealer && { sealer }),
    service: remote(console, options.service, 'AIRLOCK_API_KEY', '--service'),
    cdrService: remote(console, options.cdrService, 'AIRLOCK_CDR_TOKEN', '--cdr-service'),
    signal: console.signal,
    onStage: () => {},
  });
  try {
    const desk = await started(port, { ...partsOf(options, session), runs, policy });
    await writeLine(console.stdout, `desk  ${desk.url}`);
    await writeLine(
      console.stdout,
      `${whoText(options)} Whoever has this address and can reach this machine is let in. Stop with Ctrl-C.`,
    );
    if (!console.signal.aborted) await once(console.signal, 'abort');
    await desk.close();
    return 0;
  } finally {
    await session.close();
    runs.close();
  }
}

function whoText({ as, role }: DeskOptions): string {
  return as === undefined ? 'Nobody decides here: name a person with --as.' : `${as} decides here, as ${role}.`;
}

function partsOf({ out, as, role }: DeskOptions, session: Session): Omit<DeskParts, 'guard' | 'runs' | 'policy'> {
  const ctx = contextOf(out);
  return {
    role: as === undefined ? 'reader' : role,
    person: as ?? null,
    isIncomplete: () => isIncomplete(out),
    ledgerOf: async (runId) => {
      try {
        return await readLedger(ctx, runId);
      } catch (error) {
        if (error instanceof NotFoundError) return null;
        throw error;
      }
    },
    headerOf: (ledger) => originalHeader(ctx, ledger),
    decide: async (runId, decision) => {
      const outcome = await session.review(runId, decision);
      return 'message' in outcome && outcome.state !== 'deleted' ? outcome.message : null;
    },
  };
}

async function started(port: number, parts: Omit<DeskParts, 'guard'>): Promise<RunningDesk> {
  try {
    return await startDesk(port, parts);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw new UsageError(`Port ${port} is taken. Name another with --port.`);
    if (code === 'EACCES') throw new UsageError(`This user may not open port ${port}. Name one above 1023.`);
    throw error;
  }
}
