/**
 * Proves a delivery from the message, its files and its chain, with public keys alone: everything in it was judged, and by whom. It trusts
 * neither the store nor `rebuild`, so it reads the message again.
 */

import { type Chain, type ChecksChains, checkedChain } from '../chain/chain.ts';
import { readChainText } from '../chain/chain-text.ts';
import { readEntry } from '../chain/entry.ts';
import { isOriginalReleased } from '../chain/release.ts';
import { readOpened } from '../contents/opened-mail.ts';
import { deliveryProblems } from '../deliver.ts';
import { CorruptDataError, LimitExceededError } from '../errors.ts';
import { sha256Hex } from '../keys.ts';
import { isLeaf, type Ledger } from '../ledger/ledger.ts';
import type { Limits } from '../limits.ts';
import { deliveryKeys } from './delivery-keys.ts';

/** The delivered object as its owner has it. */
export interface Delivered {
  /** The message or the bare file. */
  readonly message: Uint8Array;
  readonly evidence: Uint8Array;
  /** The files in the folder `files` of the run, by their names; null when they are not checked. */
  readonly files: ReadonlyMap<string, Uint8Array> | null;
}

export type Proof =
  | { readonly fits: true; readonly chain: Chain }
  /** In words. */
  | { readonly fits: false; readonly problems: readonly string[] };

/** Checks a delivery. Never throws for the content of the files. Throws the errors of reading the keys. */
export async function verifyDelivery(
  ctx: ChecksChains & { readonly limits: Limits },
  delivered: Delivered,
): Promise<Proof> {
  return proven(async () => {
    const chain = await provenChain(ctx, delivered.evidence);
    const problems = [
      ...endProblems(chain),
      ...(await messageProblems(ctx.limits, chain.ledger, delivered.message)),
      ...fileProblems(chain.ledger, delivered.files),
    ];
    return { chain, problems };
  });
}

async function proven(look: () => Promise<{ chain: Chain; problems: string[] }>): Promise<Proof> {
  try {
    const { chain, problems } = await look();
    return problems.length === 0 ? { fits: true, chain } : { fits: false, problems };
  } catch (error) {
    if (!(error instanceof CorruptDataError || error instanceof LimitExceededError)) throw error;
    return { fits: false, problems: [error.message] };
  }
}

/**
 * Does the same for a message that went out before its run had ended. Its files are pages of ours or were judged, because otherwise the
 * chain cannot be read (`earlyProblem`).
 */
export async function verifyFirst(
  ctx: ChecksChains & { readonly limits: Limits },
  { message, evidence }: Pick<Delivered, 'message' | 'evidence'>,
): Promise<Proof> {
  return proven(async () => {
    const chain = await provenChain(ctx, evidence);
    const { early } = chain.ledger;
    if (early === undefined || !chain.entries.some(({ stage }) => stage === 'early'))
      return { chain, problems: ['the evidence is not that of a first message'] };
    const hashes = early.leaves.map(({ sha256 }) => sha256);
    const delivered = early.sealed ?? early.rebuilt;
    const problems = sentProblems(message, { rebuilt: early.rebuilt, delivered });
    return { chain, problems: problems.length > 0 ? problems : await leafProblems(ctx.limits, hashes, message) };
  });
}

/**
 * Returns the chain of the run that the last line of the evidence names. Throws when another line names another run, or a signature is
 * false.
 */
async function provenChain(ctx: ChecksChains, evidence: Uint8Array): Promise<Chain> {
  const last = readChainText(evidence, 'the evidence').at(-1);
  const { runId, attempt } = readEntry(last?.json ?? '', 'the last line of the evidence');
  return checkedChain(ctx, { runId, attempt }, evidence, 'the evidence');
}

function endProblems({ entries, ledger }: Chain): string[] {
  if (entries.at(-1)?.stage !== 'deliver' || ledger.disposition !== 'deliver' || ledger.failure !== null)
    return ['the evidence is not that of a delivery'];
  return deliveryProblems(ledger).map((problem) => `the evidence does not hold together: ${problem}`);
}

async function messageProblems(limits: Limits, ledger: Ledger, message: Uint8Array): Promise<string[]> {
  const { rebuilt } = ledger;
  if (rebuilt === null) return ['the evidence names no message that was rebuilt'];
  const problems = sentProblems(message, { rebuilt, delivered: ledger.terminal?.sealed ?? rebuilt });
  // The hash of a released original equals the hash of the incoming message.
  if (problems.length > 0 || ledger.kind === 'file' || isOriginalReleased(ledger)) return problems;
  const hashes = ledger.parts.filter(isLeaf).map((part) => part.delivered?.sha256);
  return leafProblems(limits, hashes, message);
}

type Bytes = Pick<NonNullable<Ledger['rebuilt']>, 'sha256' | 'size'>;

function sentProblems(
  message: Uint8Array,
  { rebuilt, delivered }: { readonly rebuilt: Bytes; readonly delivered: Bytes },
): string[] {
  const sha256 = sha256Hex(message);
  if (sha256 !== delivered.sha256)
    return [
      `the message is not the one that was rebuilt: its SHA-256 is ${sha256}, and ${delivered.sha256} was signed`,
    ];
  // Only `deliver` signs the first bytes, so they must be a seal. The message that `rebuild` has signed must follow.
  const inFront = message.length - rebuilt.size;
  const isSealed = sha256Hex(message.subarray(inFront)) === rebuilt.sha256 && isArcSet(message.subarray(0, inFront));
  return isSealed ? [] : ['the message is not what was rebuilt with a seal in front'];
}

async function leafProblems(
  limits: Limits,
  named: readonly (string | undefined)[],
  message: Uint8Array,
): Promise<string[]> {
  const { reading } = await readOpened(message, limits);
  const found = reading.parts.filter((part) => part.sha256 !== null).map((part) => part.sha256);
  const isSame = found.length === named.length && found.every((hash, index) => hash === named[index]);
  return isSame ? [] : [`the message, read again, does not have the ${named.length} parts that the evidence names`];
}

/**
 * Returns true for ARC fields (RFC 8617), each with its folded lines, and nothing else, or for no bytes. `deliver` puts a seal before the
 * rebuilt message.
 */
function isArcSet(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes).toString('latin1');
  return /^(?:ARC-(?:Seal|Message-Signature|Authentication-Results):[\x20-\x7e]*\r?\n(?: [\x20-\x7e]*\r?\n)*)*$/.test(
    text,
  );
}

function fileProblems(ledger: Ledger, files: Delivered['files']): string[] {
  const delivered = deliveryKeys(ledger);
  if (files === null || delivered === null) return [];
  const named = delivered.files.map(({ part, key }) => ({ name: nameIn(key), sha256: part.delivered?.sha256 }));
  // A bare file is read as the message, also where a person has put it. Its name says which program opens it.
  const bare = ledger.kind === 'file' ? [{ name: nameIn(delivered.last), sha256: ledger.rebuilt?.sha256 }] : [];
  const names = new Set([...named, ...bare].map(({ name }) => name));
  return [
    ...named.filter(({ name }) => !files.has(name)).map(({ name }) => `the file ${name} is missing`),
    ...[...named, ...bare].flatMap(({ name, sha256 }) => {
      const bytes = files.get(name);
      return bytes === undefined || sha256Hex(bytes) === sha256
        ? []
        : [`the file ${name} is not the one that was judged`];
    }),
    ...[...files.keys()]
      .filter((name) => !names.has(name))
      .map((name) => `the file ${name} was not delivered by this run`),
  ];
}

const nameIn = (key: string) => key.slice(key.lastIndexOf('/') + 1);
