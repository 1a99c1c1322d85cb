/**
 * Words of other mail that may be the password of a held archive. They are read from the stored parts of that mail when they are needed,
 * and are copied nowhere. The ledger contains only the word that opens an archive, like any such password.
 */
import { decodeText } from '../../formats/charsets/decode-text.ts';
import { CUSTOMARY_PASSWORDS, passwordCandidates, plainTextOf } from '../../message/containers/passwords.ts';
import { newestAttempt, newestChain } from '../chain/newest-chain.ts';
import type { StoreContext } from '../context.ts';
import { isLostRecord, LimitExceededError, NotFoundError } from '../errors.ts';
import { keys } from '../keys.ts';
import type { Ledger, Part } from '../ledger/ledger.ts';

/** A text longer than this is not a note with a password. */
export const PASSWORD_TEXT_BYTES = 256 * 1024;
const MAX_TEXTS = 16;

/** Candidates, the most likely first, each with the run of its mail. */
export type OtherMailPasswords = ReadonlyMap<string, string>;

/** Returns the candidates of these runs in turn, so that one mail of many words does not crowd out the others. Throws TransientError. */
export async function passwordsOfOtherMail(ctx: StoreContext, runIds: readonly string[]): Promise<OtherMailPasswords> {
  const most = ctx.limits.passwordTriesFromOthers;
  const lists: { readonly runId: string; readonly words: readonly string[] }[] = [];
  for (const runId of runIds.slice(0, ctx.limits.passwordMails)) {
    const ledger = await readLedgerIfAny(ctx, runId);
    const texts = ledger === null ? [] : await textsOf(ctx, ledger);
    const words = passwordCandidates({ texts, names: [] }, most + CUSTOMARY_PASSWORDS.length);
    lists.push({ runId, words: words.filter((word) => !CUSTOMARY_PASSWORDS.includes(word)) });
  }
  const told = new Map<string, string>();
  for (let place = 0; place < most; place++)
    for (const { runId, words } of lists) {
      const word = words[place];
      if (word !== undefined && told.size < most && !told.has(word)) told.set(word, runId);
    }
  return told;
}

/** Returns the subject and the texts of a mail, as far as its parts are still stored. Throws TransientError. */
export async function textsOf(ctx: Pick<StoreContext, 'blobs'>, { message, parts }: Ledger): Promise<string[]> {
  const texts = [message?.untrustedSubject ?? ''];
  for (const part of parts.filter(isText).slice(0, MAX_TEXTS)) {
    const text = await textOf(ctx, part);
    if (text !== null) texts.push(text);
  }
  return texts;
}

const isText = ({ typeGroup, size, sha256 }: Part) =>
  sha256 !== null && size <= PASSWORD_TEXT_BYTES && (typeGroup === 'text' || typeGroup === 'html');

async function textOf({ blobs }: Pick<StoreContext, 'blobs'>, { sha256, typeGroup }: Part): Promise<string | null> {
  try {
    const bytes = await blobs.get('work', keys.artifact(sha256 as string), { maxBytes: PASSWORD_TEXT_BYTES });
    const text = decodeText(bytes, null);
    return typeGroup === 'html' ? plainTextOf(text) : text;
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof LimitExceededError) return null;
    throw error;
  }
}

/** Returns the newest ledger of a run; null when its chain is gone or cannot be trusted. Throws TransientError. */
export async function readLedgerIfAny(ctx: StoreContext, runId: string): Promise<Ledger | null> {
  try {
    return (await newestChain(ctx, runId, await newestAttempt(ctx, runId))).ledger;
  } catch (error) {
    if (!isLostRecord(error)) throw error;
    return null;
  }
}
