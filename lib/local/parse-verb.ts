/** `airlock parse`: reads inputs and shows their parts. Nothing is analysed or written. */

import { createUnpacker } from '../formats/archives/unpacker.ts';
import { createCodeReader } from '../formats/codes/reader.ts';
import { createSignatureReader } from '../formats/signed/signature-reader.ts';
import { threadClock } from '../formats/threads/thread-time.ts';
import { readLedger } from '../pipeline/chain/ledger-store.ts';
import type { StoreContext } from '../pipeline/context.ts';
import { LimitExceededError } from '../pipeline/errors.ts';
import type { Ledger } from '../pipeline/ledger/ledger.ts';
import { DEFAULT_LIMITS } from '../pipeline/limits.ts';
import { parse } from '../pipeline/parse.ts';
import { DEFAULT_POLICY } from '../pipeline/policy/policy.ts';
import type { CodeReader, SignatureReader, Unpacker } from '../pipeline/ports.ts';
import { safeJson, safeText } from '../pipeline/safe-text.ts';
import { memoryBlobs } from '../storage/memory.ts';
import { createSigner } from '../storage/signer.ts';
import { type Console, writeLine } from './console.ts';
import { type Input, inputsOfArguments } from './input/input.ts';
import { createStreamCopies } from './input/stream-copies.ts';
import { EXIT } from './outcome.ts';
import { painterFor } from './paint.ts';
import { treeLines } from './report/ledger-tree.ts';
import { inOrder } from './session/bounded-queue.ts';

export interface ParseOptions {
  readonly json?: boolean;
}

/** The output of `--json` for each input: its ledger, or why there is none. */
type Parsed =
  | { readonly input: string; readonly ledger: Ledger }
  | { readonly input: string; readonly error: { readonly code: string; readonly message: string } };

/** Inputs that are read at the same time. Reading uses one core, so more than two would only use memory. */
const CONCURRENT_INPUTS = 2;

/** Runs the verb. Returns 0 when every input was read, 2 when a path is no input, 3 when an input could not be read to its end. */
export async function parseVerb(console: Console, paths: readonly string[], options: ParseOptions): Promise<number> {
  let code: number = EXIT.delivered;
  const [unpacker, codes, signatures] = [createUnpacker(), createCodeReader(), createSignatureReader()];
  const read = (input: Input) => parseInput(console, input, { unpacker, codes, signatures });
  const copies = createStreamCopies(console.stdin);
  for await (const parsed of inOrder(inputsOfArguments(paths, copies), CONCURRENT_INPUTS, read)) {
    if ('error' in parsed) code = Math.max(code, parsed.error.code.startsWith('run_') ? EXIT.failed : EXIT.usage);
    if (options.json) await writeLine(console.stdout, safeJson(parsed));
    else for (const line of linesOf(console, parsed)) await writeLine(console.stdout, line);
  }
  await copies.remove();
  await unpacker.close();
  await codes.close();
  await signatures.close();
  return code;
}

function linesOf(console: Console, parsed: Parsed): string[] {
  const paint = painterFor(console);
  const title = paint('bold', safeText(parsed.input, 400));
  if ('ledger' in parsed) return [title, ...treeLines(parsed.ledger, paint), ''];
  return [title, `  ${paint('red', parsed.error.code)}: ${safeText(parsed.error.message, 600)}`, ''];
}

/** The readers of files, which work in other threads. */
interface Readers {
  readonly unpacker: Unpacker;
  readonly codes: CodeReader;
  readonly signatures: SignatureReader;
}

async function parseInput(console: Console, input: Input, readers: Readers): Promise<Parsed> {
  const { label } = input;
  if (input.kind === 'problem') return { input: label, error: { code: input.code, message: input.message } };
  if (console.signal.aborted)
    return { input: label, error: { code: 'run_interrupted', message: 'Stopped before it was read.' } };
  try {
    return { input: label, ledger: await ledgerOf(input, readers) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { input: label, error: { code: 'run_failed', message } };
  }
}

/** Runs the real stage over storage in memory, with the input as an object of the intake bucket. */
async function ledgerOf(input: Extract<Input, { kind: 'bytes' }>, readers: Readers): Promise<Ledger> {
  const blobs = memoryBlobs();
  const base: StoreContext = {
    blobs,
    // The chain ends with this process.
    signer: createSigner({ blobs, secretOf: async (stage) => stage }),
    limits: DEFAULT_LIMITS,
    clock: { now: () => Date.now() },
    log: { info: () => {}, warn: () => {} },
  };
  const bytes = await collect(input.open(), DEFAULT_LIMITS.emailBytes);
  const key = input.name;
  if (bytes) await blobs.put('intake', key, bytes);
  const read = { ...blobs, get: bytes ? blobs.get : refuseOversize };
  const ctx = {
    ...base,
    blobs: read,
    ...readers,
    policy: DEFAULT_POLICY,
    work: threadClock,
    executions: { start: async () => {} },
  };
  const run = await parse(ctx, { bucket: 'intake', untrustedKey: key, versionId: '', size: bytes?.length ?? null });
  return readLedger(base, run.runId);
}

async function refuseOversize(): Promise<Uint8Array> {
  throw new LimitExceededError('emailBytes', DEFAULT_LIMITS.emailBytes, null);
}

/** Returns all pieces as one, or null when they are more than `maxBytes`. */
async function collect(pieces: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array | null> {
  const held: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
    size += piece.length;
    if (size > maxBytes) return null;
    held.push(piece);
  }
  return Buffer.concat(held);
}
