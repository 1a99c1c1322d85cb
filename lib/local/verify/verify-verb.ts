/** `airlock verify`: proves offline that everything in a delivered mail was judged, and by which engines. */
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { mapBounded } from '../../pipeline/bounded.ts';
import type { Chain } from '../../pipeline/chain/chain.ts';
import { readKeyDocument } from '../../pipeline/chain/ed25519.ts';
import { LimitExceededError } from '../../pipeline/errors.ts';
import type { Artifact } from '../../pipeline/ledger/artifact.ts';
import { leavesOf, linksOf } from '../../pipeline/ledger/artifacts-of.ts';
import { RUN_ID } from '../../pipeline/ledger/run-id.ts';
import { DEFAULT_LIMITS } from '../../pipeline/limits.ts';
import type { Writer } from '../../pipeline/model.ts';
import type { Delivered, Proof, verifyDelivery } from '../../pipeline/results/verify-delivery.ts';
import { inertText, safeJson, safeText } from '../../pipeline/safe-text.ts';
import { earlierReferenceOf, referenceIn, referenceOf } from '../../words/reference.ts';
import { type Console, UsageError, writeLine } from '../console.ts';
import { readBoundedFile } from '../input/bounded-file.ts';
import { type Paint, painterFor } from '../paint.ts';

interface VerifyOptions {
  readonly out: string;
  readonly evidence?: string;
  readonly keys?: string;
  readonly json?: boolean;
}

const EXIT = { fits: 0, doesNotFit: 1 } as const;
/** Files that are read at the same time. */
const AT_ONCE = 4;

/** A public key has some hundred bytes. */
const MAX_KEY_BYTES = 10_000;

const FIRST = 'first.eml';
const FIRST_EVIDENCE = 'first-evidence.json';

/** Adds the verb to the program. */
export function addVerify(program: Command, console: Console, done: (code: number) => void): void {
  program
    .command('verify')
    .description('prove offline that everything in a delivered mail was judged, and by what')
    .argument('<message-or-run>', 'a delivered message or file, or the id or the reference of a run below --out')
    .option('--out <dir>', 'the folder of airlock scan', 'airlock-out')
    .option('--evidence <file>', 'the evidence (default: evidence.json of the run, beside the message)')
    .option(
      '--keys <dir>',
      'a folder with the public keys that you trust (default: the folder keys of the clean bucket)',
    )
    .option('--json', 'print one JSON object on stdout')
    .addHelpText(
      'after',
      `
It needs the message, its files and its evidence as they lie in the clean bucket, and the public keys. Keep a copy of the keys
elsewhere, and name it with --keys: somebody who can replace the message, the evidence and the keys together can deceive you.

Exit codes: 0 everything fits, 1 something does not fit, 2 wrong usage.

Examples:
  airlock verify cd9139e3824286bff469617379de7950
  airlock verify --keys trusted-keys clean/cd9139e3824286bff469617379de7950/message.eml`,
    )
    .action(async (target: string, options: VerifyOptions) => done(await verifyVerb(console, target, options)));
}

async function verifyVerb(console: Console, target: string, options: VerifyOptions): Promise<number> {
  const places = await placesOf(target, options);
  const ctx = { signer: { publicKey: keysIn(places.keys) }, limits: DEFAULT_LIMITS };
  const first = places.isFirst ? null : await firstOf(target, places);
  const proof = await inPlace(places, await proofOf(ctx, places));
  const firstProof = first === null ? null : await inPlace(first, await proofOf(ctx, first));
  const both = { message: places.message, ...told(proof), ...(firstProof && { first: told(firstProof) }) };
  const paint = painterFor(console);
  const text = [...lines(places, proof, paint), ...(first && firstProof ? lines(first, firstProof, paint) : [])];
  if (options.json) await writeLine(console.stdout, safeJson(both));
  else for (const line of text) await writeLine(console.stdout, line);
  return proof.fits && (firstProof?.fits ?? true) ? EXIT.fits : EXIT.doesNotFit;
}

/**
 * Returns the first message that went out before the run had ended, which is beside the message. Returns null when there is none, and when
 * the caller asks about one file alone.
 */
async function firstOf(target: string, { message, keys }: Places): Promise<Places | null> {
  const folder = dirname(message);
  if (target === message || !(await namesIn(folder)).includes(FIRST)) return null;
  return { ...placesIn(folder, FIRST), keys };
}

/** The names of everything that a delivery may have in the folder of its run. */
const OF_A_RUN: ReadonlySet<string> = new Set(['message.eml', 'evidence.json', 'files', FIRST, FIRST_EVIDENCE]);

/**
 * Checks a folder that is named like a run: the delivery is that of this run, and nothing else lies there. Somebody may have put the delivery
 * of another run in its place, with its evidence. A folder of another name is a person's own.
 */
async function inPlace({ message, evidence }: Places, proof: Proof): Promise<Proof> {
  if (!proof.fits) return proof;
  const { runId } = proof.chain;
  const folders = [runFolderOf(resolve(message)), dirname(resolve(evidence))].filter((folder) =>
    RUN_ID.test(basename(folder)),
  );
  if (folders.some((folder) => basename(folder) !== runId))
    return { fits: false, problems: [`the evidence is that of another run, ${runId}`] };
  const names = folders[0] === undefined ? [] : await namesIn(folders[0]);
  const problems = names
    .filter((name) => !OF_A_RUN.has(name))
    .map((name) => `the file ${name} was not delivered by this run`);
  return problems.length === 0 ? proof : { fits: false, problems };
}

/** Returns the folder of the run in which a message or a bare file lies. */
function runFolderOf(message: string): string {
  const folder = dirname(message);
  return basename(folder) === 'files' ? dirname(folder) : folder;
}

async function proofOf(ctx: Parameters<typeof verifyDelivery>[0], places: Places): Promise<Proof> {
  const { verifyDelivery, verifyFirst } = await import('../../pipeline/results/verify-delivery.ts');
  try {
    if (!places.isFirst) return await verifyDelivery(ctx, await readDelivered(places));
    return await verifyFirst(ctx, { message: await needed(places.message), evidence: await needed(places.evidence) });
  } catch (error) {
    if (!(error instanceof LimitExceededError)) throw error;
    return { fits: false, problems: [error.message] };
  }
}

interface Places {
  readonly message: string;
  readonly evidence: string;
  /** The folder of the files beside the message. */
  readonly files: string;
  readonly keys: string;
  /** True for the message that went out before the end of the run. */
  readonly isFirst: boolean;
}

/** Returns the places of everything in the tree of the clean bucket. */
async function placesOf(target: string, { out, evidence, keys }: VerifyOptions): Promise<Places> {
  const run = await runIn(join(out, 'clean'), target);
  const named = run === null ? target : await messageOf(join(out, 'clean', run));
  const places = placesIn(runFolderOf(named), basename(named));
  const proof = evidence ?? places.evidence;
  const folder = dirname(proof);
  const beside = { files: join(folder, 'files'), keys: keys ?? join(dirname(folder), 'keys') };
  return { ...places, message: named, evidence: proof, ...beside };
}

/** Returns the id of the run that a person means, by its id or its reference; null for the path of a file. */
async function runIn(clean: string, target: string): Promise<string | null> {
  const reference = referenceIn(target);
  if (reference === null) return RUN_ID.test(target) ? target : null;
  const isNamed = (run: string) => [referenceOf(run), earlierReferenceOf(run)].includes(reference);
  const runs = (await namesIn(clean)).filter((name) => RUN_ID.test(name) && isNamed(name));
  if (runs.length === 1) return runs[0] ?? null;
  throw new UsageError(
    `${runs.length === 0 ? 'no run' : 'more than one run'} of this reference was delivered below --out. ${ASK_THE_INDEX}`,
  );
}

function placesIn(run: string, name: string): Places {
  const isFirst = name === FIRST;
  return {
    message: join(run, name),
    evidence: join(run, isFirst ? FIRST_EVIDENCE : 'evidence.json'),
    files: join(run, 'files'),
    keys: join(dirname(run), 'keys'),
    isFirst,
  };
}

const ASK_THE_INDEX = '"airlock quarantine show RUN" checks the chain of a run that was held.';

/** Returns the message of a run, or its only delivered file. */
async function messageOf(folder: string): Promise<string> {
  const there = await namesIn(folder);
  if (there.length === 0) throw new UsageError(`no run of this id was delivered below --out. ${ASK_THE_INDEX}`);
  for (const name of ['message.eml', FIRST]) if (there.includes(name)) return join(folder, name);
  const [file = ''] = await namesIn(join(folder, 'files'));
  return join(folder, 'files', file);
}

async function readDelivered({ message, evidence, files }: Places): Promise<Delivered> {
  const beside = await namesIn(files);
  if (beside.length > DEFAULT_LIMITS.parts) throw new LimitExceededError('parts', DEFAULT_LIMITS.parts, beside.length);
  const contents = await mapBounded(beside, AT_ONCE, (name) => needed(join(files, name)));
  return {
    message: await needed(message),
    evidence: await needed(evidence),
    files: new Map(beside.map((name, index) => [name, contents[index] as Uint8Array])),
  };
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

/** Reads a file of the delivery. Somebody may have put anything there. */
async function needed(path: string): Promise<Uint8Array> {
  try {
    return await readBoundedFile(path, 'verifiedBytes', DEFAULT_LIMITS.verifiedBytes);
  } catch (error) {
    if (error instanceof LimitExceededError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(
      `${path} cannot be read (${code}). Verify needs the message, its evidence and the files beside it.`,
    );
  }
}

/** Reads the public keys in a folder, from files that are named like the objects of the bucket. */
function keysIn(folder: string) {
  return async (stage: Writer, keyId: string) => {
    const path = join(folder, `${stage}-${keyId}.json`);
    const document = await readBoundedFile(path, 'key document', MAX_KEY_BYTES).catch(() => null);
    return document === null ? null : readKeyDocument(document, stage, keyId);
  };
}

/** Returns the proven facts about one artifact. */
function judgedBy({ verdict, submissions }: Artifact) {
  return { verdict, analyses: submissions.map(({ kind, status, engines }) => ({ kind, status, engines })) };
}

function told(proof: Proof) {
  if (!proof.fits) return { fits: false, problems: proof.problems };
  const { runId, attempt, ledger, entries, lines } = proof.chain;
  return {
    fits: true,
    runId,
    attempt,
    deliveredAt: ledger.terminal?.at ?? ledger.early?.at,
    entries: entries.map(({ stage, startedAt, policy }, index) => ({
      stage,
      startedAt,
      policy,
      keyId: lines[index]?.keyId,
    })),
    parts: leavesOf(ledger).map(({ part, artifact }) => ({
      path: part.path,
      cameAs: part.sha256,
      disposition: part.disposition,
      deliveredAs: part.delivered?.sha256,
      ...judgedBy(artifact),
    })),
    links: linksOf(ledger).map((link) => ({
      untrustedUrl: link.untrustedUrl,
      disposition: link.disposition,
      ...judgedBy(link),
    })),
  };
}

function lines({ message }: Places, proof: Proof, paint: Paint): string[] {
  const title = paint('bold', safeText(message, 400));
  if (!proof.fits)
    return [
      title,
      `  ${paint('red', 'DOES NOT FIT')}`,
      ...proof.problems.map((problem) => `    ${inertText(problem, 600)}`),
    ];
  const { chain } = proof;
  return [title, ...partLines(chain), ...signerLines(chain), `  ${paint('green', 'FITS')}`, ...summary(chain)];
}

function partLines({ ledger }: Chain): string[] {
  const analyses = (artifact: Artifact) =>
    judgedBy(artifact)
      .analyses.map(({ kind, status, engines }) => `      ${kind} ${status}: ${inertText(engines ?? 'not asked', 200)}`)
      .join('\n');
  const line = (disposition: string | null, artifact: Artifact, what: string) =>
    [`  ${String(disposition).padEnd(8)} ${artifact.verdict.padEnd(11)} ${what}`, analyses(artifact)]
      .filter(Boolean)
      .join('\n');
  return [
    ...leavesOf(ledger).map(({ part, artifact }) => {
      const name = part.untrustedNames[0] ?? (part.role === 'body' ? 'body' : 'attachment without a name');
      return line(part.disposition, artifact, `part ${part.path} ${inertText(name, 100)}`);
    }),
    ...linksOf(ledger).map((link) => line(link.disposition, link, `link ${inertText(link.untrustedUrl, 100)}`)),
  ];
}

function signerLines({ entries, lines: signed }: Chain): string[] {
  return entries.map(({ stage, startedAt, policy }, index) => {
    const under = policy === null ? '' : `, policy ${policy.slice(0, 16)}`;
    return `  signed by ${stage.padEnd(8)} with key ${signed[index]?.keyId} at ${startedAt}${under}`;
  });
}

function summary({ runId, attempt, ledger }: Chain): string[] {
  return [
    `    run ${runId}, attempt ${attempt}, delivered at ${ledger.terminal?.at ?? ledger.early?.at}`,
    ledger.terminal === null
      ? '    It went out first: every part is one that this chain judged, or a page in the place of a file that was still examined.'
      : '    Every part and file is one that this chain judged, and nothing else is in the message.',
  ];
}
