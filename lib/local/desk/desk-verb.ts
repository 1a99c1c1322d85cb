/** `airlock desk`: the pages on which a person sees held mail and decides about it, until Ctrl-C. */
import { once } from 'node:events';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import type { DeskParts } from '../../desk/desk-parts.tsx';
import { createDrops } from '../../desk/drops.ts';
import type { RunningDesk } from '../../desk/listen.ts';
import { keptViews, MAX_VIEWS_BYTES } from '../../desk/routes/kept-views.ts';
import { ROLES, type Role } from '../../pipeline/model.ts';
import { DEFAULT_POLICY, type Policy } from '../../pipeline/policy/policy.ts';
import type { Runs } from '../../pipeline/ports.ts';
import { recalls } from '../../pipeline/recall/recall.ts';
import { readAuditWindow } from '../../pipeline/review/audit-window.ts';
import { withBlocks } from '../../pipeline/review/block.ts';
import {
  changeBlock,
  createBlockList,
  noteDownload,
  noteDrop,
  noteFalseAlarm,
} from '../../pipeline/review/block-list.ts';
import { problemOf } from '../../pipeline/review/review.ts';
import { tryPolicy } from '../../pipeline/trial/policy-trial.ts';
import { directoryAsks } from '../../storage/directory/asks.ts';
import { directoryBlobs } from '../../storage/directory/directory.ts';
import { makeOwnFolders } from '../../storage/directory/own-folders.ts';
import { directoryText } from '../../storage/directory/shared-text.ts';
import { type Console, UsageError, writeLine } from '../console.ts';
import { originalBytes, originalHeader } from '../input/original-header.ts';
import { explainPort, portIn } from '../options/port.ts';
import { CDR_SERVICE_OPTION, POLICY_OPTION, SEAL_KEY_OPTION, SERVICE_OPTION } from '../options/service.ts';
import { openReviewSession, readPolicy } from '../session/engine-session.ts';
import { checkOutFolder } from '../session/out-folder.ts';
import { checkFolder, contextOf, ledgerIfAny } from '../session/run-context.ts';
import { isIncomplete, openOrExplain } from '../session/run-index.ts';
import type { Session } from '../session/session.ts';
import { takeInDropped } from './desk-drop.ts';

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
    .description('show held mail in a browser on this machine, and decide about it there')
    .option('--port <number>', 'a port of 127.0.0.1; 0 takes any free one', '0')
    .option('--out <dir>', 'the folder of airlock scan', 'airlock-out')
    .option('--as <person>', 'who decides here (default: nobody, and the pages only show)')
    .addOption(
      new Option('--role <role>', 'what that person may do; only admin releases originals')
        .choices([...ROLES])
        .default('analyst'),
    )
    .option(...SERVICE_OPTION)
    .option(...CDR_SERVICE_OPTION)
    .option(...POLICY_OPTION)
    .option(...SEAL_KEY_OPTION)
    .addHelpText(
      'after',
      `
It prints an address of this machine with a secret in it; open that in a browser. Ctrl-C ends the desk.

Examples:
  airlock desk                           only look
  airlock desk --as pat                  decide as pat
  airlock desk --as kim --role admin --out /var/spool/airlock`,
    )
    .action(async (options: DeskOptions) => done(await deskVerb(console, options)));
}

async function deskVerb(console: Console, options: DeskOptions): Promise<number> {
  const port = portIn(options.port);
  const problem = options.as === undefined ? null : problemOf({ name: options.as, why: 'x' });
  if (problem !== null) throw new UsageError(`--as: ${problem}.`);
  await begin(options);
  const policy = await readPolicy(options.policy);
  const runs = await openOrExplain(options.out);
  const drops = createDrops(() => Date.now());
  const { createDrawings } = await import('../../desk/mail/drawings.ts');
  const drawings = createDrawings(directoryBlobs(options.out));
  const session = await openReviewSession(policy, console, options, {
    onBegun: (_, stage) => drops.begun(stage),
    onStage: (_, stage) => drops.done(stage),
  });
  try {
    const desk = await started(port, {
      ...partsOf(options, session, runs),
      drops,
      drawn: ({ stored }, kind) => drawings.drawn(stored, kind),
      drawnSmall: ({ stored }, kind) => drawings.drawn(stored, kind, { isSmall: true }),
      policy,
    });
    await writeLine(console.stdout, `desk  ${desk.url}`);
    await writeLine(
      console.stdout,
      `${whoText(options)} Anybody with this address who can reach this machine is let in. Stop with Ctrl-C.`,
    );
    if (!console.signal.aborted) await once(console.signal, 'abort');
    await desk.close();
    return 0;
  } finally {
    await drawings.close();
    await session.close();
    runs.close();
  }
}

/**
 * Checks the folder. A person who may drop a file needs no earlier mail. A person who only reads would see an empty folder after a typing
 * mistake.
 */
async function begin({ out, as, role }: DeskOptions): Promise<void> {
  if (as === undefined || role === 'reader') return checkFolder(out);
  checkOutFolder(out, '--out');
  await makeOwnFolders(out, join(out, 'work', 'runs'));
}

function whoText({ as, role }: DeskOptions): string {
  return as === undefined ? 'Nobody decides here: name a person with --as.' : `${as} decides here, as ${role}.`;
}

function partsOf(
  { out, as, role }: DeskOptions,
  session: Session,
  runs: Runs,
): Omit<DeskParts, 'guard' | 'policy' | 'drops' | 'drawn' | 'drawnSmall'> {
  const ctx = contextOf(out);
  const list = createBlockList(ctx);
  const blocking = async (policy: Policy) =>
    withBlocks(
      policy,
      (await list.current()).map(({ block }) => block),
    );
  return {
    runs,
    asks: directoryAsks(out, ctx.blobs),
    blocks: () => list.current(),
    auditWindow: (before) => readAuditWindow(ctx, before),
    changeBlock: (action, what) => changeBlock(ctx, list, action, what),
    noteFalseAlarm: (ledger, who) => noteFalseAlarm(ctx, ledger, who),
    views: keptViews(directoryText(out, 'desk/views.json', MAX_VIEWS_BYTES)),
    takeIn: async (untrustedName, bytes) => {
      const taken = await takeInDropped(out, session, untrustedName, bytes);
      // This comes before anything is analysed, so that the lists show only mail that a person brought.
      if (taken !== null && as !== undefined)
        await noteDrop(ctx, taken.runId, { name: as, why: 'dropped at the desk' });
      return taken;
    },
    now: () => Date.now(),
    quota: session.quota,
    tryPolicy: async function* (policy, range) {
      yield* tryPolicy(ctx, runs, await blocking(policy), range);
    },
    recalls: async function* (since, most) {
      yield* recalls(ctx, runs, await blocking(DEFAULT_POLICY), { since, most });
    },
    pages: 'all',
    // A session of one machine has one person, and its engines process one file after the other.
    decidedAtOnce: 1,
    role: as === undefined ? 'reader' : role,
    person: as ?? null,
    isIncomplete: () => isIncomplete(out),
    ledgerOf: (runId) => ledgerIfAny(ctx, runId),
    headerOf: (ledger) => originalHeader(ctx, ledger),
    originalOf: ({ intake }) => originalBytes(ctx, intake),
    noteDownload: (ledger, who) => noteDownload(ctx, ledger, who),
    decide: async (runId, decision) => {
      const outcome = await session.review(runId, decision);
      return 'message' in outcome && outcome.state !== 'deleted' ? outcome.message : null;
    },
  };
}

async function started(port: number, parts: Omit<DeskParts, 'guard'>): Promise<RunningDesk> {
  const { startDesk } = await import('../../desk/listen.ts');
  return explainPort(port, startDesk(port, parts));
}
