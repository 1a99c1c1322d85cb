/**
 * The priority of a file for the sandbox, in points, and the points that a file needs when little of a quota is left. Pure, except for the
 * notes of known senders and files.
 */
import * as z from 'zod/mini';
import { parseStored, timestamp } from '../chain/ledger-store.ts';
import type { StoreContext } from '../context.ts';
import { CorruptDataError, NotFoundError } from '../errors.ts';
import { keys, sha256Hex } from '../keys.ts';
import type { FileArtifact } from '../ledger/artifact.ts';
import { hashOf } from '../ledger/artifact-id.ts';
import { correspondentsOf } from '../ledger/correspondents.ts';
import { type Ledger, MEMBER_MARK } from '../ledger/ledger.ts';
import type { Quota } from '../model.ts';
import { safeJson } from '../safe-text.ts';

/** The reasons for which a file comes first, each with its points. */
export const PRIORITY_POINTS = { program: 3, macros: 3, newSender: 2, newFile: 1 } as const;
export type PriorityReason = keyof typeof PRIORITY_POINTS;

export const PRIORITY_WORDS: Readonly<Record<PriorityReason, string>> = {
  program: 'a program in an archive',
  macros: 'a document that may hold macros',
  newSender: 'of a sender who was not met before',
  newFile: 'a file that was not met before today',
};

/** The points that a file needs while at most this much of a quota is left. The need grows as the quota shrinks. */
const NEEDED = [
  [1 / 10, 5],
  [1 / 4, 3],
  [1 / 2, 1],
] as const;

/** Returns how many points a file needs under this quota. */
export function pointsNeeded({ limit, left }: Quota): number {
  return NEEDED.find(([share]) => left <= limit * share)?.[1] ?? 0;
}

/** Returns the points of the reasons for a file. */
export const pointsOf = (reasons: readonly PriorityReason[]): number =>
  reasons.reduce((sum, each) => sum + PRIORITY_POINTS[each], 0);

/** Documents that can hold macros. Only the analysis shows that an old document holds none. */
const MACRO_EXTENSIONS = /^(?:do[ct]m|xl[st]m|xlsb|p[po][st]m|pptm|vs[dst]m|do[ct]|xl[st]|pp[st]|pot|vsd)$/;

/** Returns the reasons for each of these files. Throws TransientError. */
export async function priorityReasonsOf(
  ctx: StoreContext,
  ledger: Ledger,
  files: readonly FileArtifact[],
): Promise<ReadonlyMap<FileArtifact, readonly PriorityReason[]>> {
  const isNewSender = await isSenderNew(ctx, ledger);
  const found = new Map<FileArtifact, readonly PriorityReason[]>();
  for (const file of files) {
    const { typeGroup, origins, extension } = file;
    const isProgram = typeGroup === 'executable' || typeGroup === 'script';
    const says: Readonly<Record<PriorityReason, boolean>> = {
      program: isProgram && origins.some((path) => path.includes(MEMBER_MARK)),
      macros: typeGroup === 'office' && MACRO_EXTENSIONS.test(extension),
      newSender: isNewSender,
      newFile: await isNew(ctx, ledger, keys.seen('file', hashOf(file.id)), DAY_MS),
    };
    const names = Object.keys(PRIORITY_POINTS) as PriorityReason[];
    found.set(
      file,
      names.filter((name) => says[name]),
    );
  }
  return found;
}

const DAY_MS = 86_400_000;
const MAX_SENDERS = 5;

/** Returns true when any address of the sender is new here. Anybody may write a known address, so this only adds points. */
async function isSenderNew(ctx: StoreContext, ledger: Ledger): Promise<boolean> {
  const { senders } = correspondentsOf(ledger);
  let isAnyNew = senders.length === 0;
  for (const address of senders.slice(0, MAX_SENDERS))
    if (await isNew(ctx, ledger, keys.seen('sender', sha256Hex(address)), 0)) isAnyNew = true;
  return isAnyNew;
}

const Seen = z.object({ runId: z.string(), at: z.iso.datetime() });
const MAX_BYTES = 1_000;

/** Returns true when this run met it first, or it was first met within this number of milliseconds. Notes it otherwise. */
async function isNew(ctx: StoreContext, { runId }: Ledger, key: string, forMs: number): Promise<boolean> {
  const note = new TextEncoder().encode(safeJson({ runId, at: timestamp(ctx) }));
  if (await ctx.blobs.put('work', key, note, { contentType: 'application/json', ifAbsent: true })) return true;
  try {
    const seen = Seen.safeParse(parseStored(await ctx.blobs.get('work', key, { maxBytes: MAX_BYTES }), key));
    if (!seen.success) return true;
    return seen.data.runId === runId || ctx.clock.now() - Date.parse(seen.data.at) < forMs;
  } catch (error) {
    // An unreadable note counts as no statement.
    if (error instanceof NotFoundError || error instanceof CorruptDataError) return true;
    throw error;
  }
}
