/**
 * The stream reading: lists the leaves of an email as mailparser sees them, without any conversion. It is compared with the structure
 * reading, because a leaf that only one of the two lists may be one that an attacker hides.
 */
import type { Readable } from 'node:stream';
import type { AttachmentStream, MailParser, MessageText } from 'mailparser';
import { asBuffer } from '../../formats/byte-scan.ts';
import { readableName } from '../../formats/names/bounded-name.ts';
import { runAsync } from '../../formats/steps.ts';
import type { ReadingLimits } from '../model.ts';
import { isMessageName } from './part-names.ts';
import { createQuietParser, declaredTypeOf, namesOf } from './quiet-parser.ts';
import { createHeadCounter, type HeadBudget, headBudgetOf, lineCount, refusalSteps } from './stream-guard.ts';

export interface StreamLeaf {
  readonly declaredType: string;
  readonly sha256: string;
  readonly size: number;
}

/** A leaf with its bytes. */
export interface KeptLeaf {
  readonly declaredType: string;
  readonly names: readonly string[];
  readonly charset: null;
  readonly disposition: string | null;
  readonly bytes: Uint8Array;
}

export interface StreamReading {
  /** In document order. */
  readonly leaves: readonly StreamLeaf[];
  /** Why the reading is only partial, in plain words. Null when mailparser read to the end. */
  readonly problem: string | null;
  /** True when mailparser did not read the email at all. */
  readonly isSkipped: boolean;
  readonly kept: readonly KeptLeaf[];
}

/** How many bytes mailparser gets at a time, from a place of the email on. The result must not depend on it. */
export type ChunkSize = (at: number) => number;

/** Larger chunks cost memory, smaller ones time. */
const CHUNK_BYTES = 64 * 1024;
const CUSTOMARY_CHUNKS: ChunkSize = () => CHUNK_BYTES;
/** Each level of nesting passes its bytes through one more parser: nested messages of 40 MB cost 40 MB times their depth. */
const NESTED_COST_FACTOR = 2;
/** This much is added, so that small messages may be nested deeply. */
const NESTED_COST_FLOOR = 16 * 1024 * 1024;
/** A line costs mailparser as much as this many bytes. 40 MB of line breaks take it four seconds at every level. */
const LINE_COST = 32;
/** Bytes of leaves that are kept: the size of the email, and this many more. */
const KEPT_FLOOR = 1024 * 1024;
/** Turns of the event loop without a byte read or written. mailparser does no I/O, so after these it will not continue. */
const STALLED_TURNS = 1_000_000;
const MESSAGE_TYPES = new Set(['message/rfc822', 'message/global', 'message/news']);
const IDENTITY = new Set(['', '7bit', '8bit', 'binary']);

interface State {
  readonly limits: ReadingLimits;
  readonly leaves: StreamLeaf[];
  readonly headBudget: HeadBudget;
  nestedCost: number;
  problem: string | null;
  /** Grows with every chunk, and shows when the reading stalls. */
  progress: number;
  readonly parsers: Set<MailParser>;
  /** Leaves with these hashes are not kept. Null when no leaf is kept. */
  readonly known: ReadonlySet<string> | null;
  readonly kept: KeptLeaf[];
  /** Bytes that may still be kept. */
  keepable: number;
}

/**
 * Lists the leaves of an email. Never throws or hangs on content: an error of mailparser makes the reading partial. With `known`, it also
 * keeps the bytes of leaves whose hash is not in it.
 */
export async function readStream(
  bytes: Uint8Array,
  limits: ReadingLimits,
  known: ReadonlySet<string> | null,
  chunkSize: ChunkSize = CUSTOMARY_CHUNKS,
): Promise<StreamReading> {
  const email = asBuffer(bytes);
  const headBudget = headBudgetOf(limits);
  const state: State = {
    limits,
    leaves: [],
    headBudget,
    nestedCost: email.length * NESTED_COST_FACTOR + NESTED_COST_FLOOR,
    problem: await runAsync(refusalSteps(email, headBudget)),
    progress: 0,
    parsers: new Set(),
    known,
    kept: [],
    keepable: email.length + KEPT_FLOOR,
  };
  const isSkipped = state.problem !== null;
  if (state.problem === null) {
    const ended = readLevel(state, 0, (parser) => feedChunks(state, parser, { email, chunkSize }));
    watchForStalls(state);
    await ended;
  }
  return { leaves: state.leaves, problem: state.problem, isSkipped, kept: state.kept };
}

/** One message (the email or one inside it) and its leaves that are still being read. */
interface Level {
  readonly depth: number;
  readonly parser: MailParser;
  pending: number;
  hasEnded: boolean;
  settle(): void;
}

/** Reads one message. Resolves when its parser and all its leaves have ended, or the reading has failed. */
function readLevel(state: State, depth: number, feed: (parser: MailParser) => void): Promise<void> {
  const parser = createQuietParser(state.limits);
  state.parsers.add(parser);
  return new Promise((resolve) => {
    const level: Level = {
      depth,
      parser,
      pending: 0,
      hasEnded: false,
      settle() {
        // mailparser may end before the last leaf was read to its end.
        if (state.problem === null && !(level.hasEnded && level.pending === 0)) return;
        state.parsers.delete(parser);
        resolve();
      },
    };
    parser.on('data', (data: AttachmentStream | MessageText) => {
      // The listeners are set at once, because mailparser does not wait for them.
      if (data.type === 'attachment') readAttachment(state, level, data);
    });
    parser.on('error', () => {
      fail(state, 'mailparser stopped with an error');
      level.settle();
    });
    parser.on('end', () => {
      level.hasEnded = true;
      level.settle();
    });
    parser.on('close', () => {
      if (!level.hasEnded) fail(state, 'mailparser stopped early');
      level.settle();
    });
    feed(parser);
  });
}

interface Chunks {
  readonly email: Buffer;
  readonly chunkSize: ChunkSize;
}

function feedChunks(state: State, parser: MailParser, { email, chunkSize }: Chunks): void {
  let at = 0;
  const next = () => {
    while (at < email.length && !parser.destroyed) {
      state.progress++;
      const chunk = email.subarray(at, at + Math.max(1, chunkSize(at)));
      at += chunk.length;
      if (!parser.write(chunk)) {
        parser.once('drain', next);
        return;
      }
    }
    if (!parser.destroyed) parser.end();
  };
  next();
}

function readAttachment(state: State, level: Level, attachment: AttachmentStream): void {
  const content = attachment.content as Readable;
  const declaredType = declaredTypeOf(attachment, level.parser);
  level.pending++;
  const done = () => {
    level.pending--;
    attachment.release();
    level.settle();
  };
  content.on('error', () => {
    fail(state, 'mailparser could not decode a part');
    level.settle();
  });
  // A message with a file name of another kind is opened as a file of that kind.
  const isMessage =
    MESSAGE_TYPES.has(declaredType) && IDENTITY.has(encodingOf(attachment)) && namesOf(attachment).every(isMessageName);
  if (isMessage && level.depth < state.limits.depth) {
    void readLevel(state, level.depth + 1, (child) => feedContent(state, child, content)).then(done);
    return;
  }
  const chunks: Buffer[] = [];
  content.on('data', (chunk: Buffer) => {
    state.progress++;
    if (state.known === null || chunk.length > state.keepable) return;
    state.keepable -= chunk.length;
    chunks.push(chunk);
  });
  content.on('end', () => {
    const { checksum, size } = attachment;
    state.leaves.push({ declaredType, sha256: checksum, size });
    keep(state, attachment, declaredType, chunks);
    done();
  });
}

function feedContent(state: State, child: MailParser, content: Readable): void {
  const countHead = createHeadCounter(state.headBudget);
  content.on('data', (chunk: Buffer) => {
    state.progress++;
    state.nestedCost -= chunk.length + LINE_COST * lineCount(chunk);
    if (state.nestedCost < 0 || !countHead(chunk)) {
      fail(state, 'mailparser was stopped: the messages inside each other would take it minutes');
      return;
    }
    if (child.destroyed || child.write(chunk)) return;
    content.pause();
    child.once('drain', () => content.resume());
  });
  content.on('end', () => {
    if (!child.destroyed) child.end();
  });
}

function keep(state: State, attachment: AttachmentStream, declaredType: string, chunks: readonly Buffer[]): void {
  if (state.known === null) return;
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  // A leaf with missing bytes is not kept, because it would not match its hash.
  if (state.known.has(attachment.checksum) || length !== attachment.size) {
    state.keepable += length;
    return;
  }
  const bytes = Buffer.concat(chunks);
  const names = typeof attachment.filename === 'string' ? [readableName(attachment.filename)] : [];
  const disposition = typeof attachment.contentDisposition === 'string' ? attachment.contentDisposition : null;
  state.kept.push({ declaredType, names, charset: null, disposition, bytes });
}

function encodingOf(attachment: AttachmentStream): string {
  const header = attachment.headers.get('content-transfer-encoding');
  return typeof header === 'string' ? header.toLowerCase().trim() : '';
}

/**
 * Ends a reading that stalls. mailparser waits for itself in some broken states, and a promise that never settles would end the
 * process silently.
 */
function watchForStalls(state: State): void {
  let seen = -1;
  let turns = 0;
  const turn = () => {
    if (state.parsers.size === 0) return;
    turns = state.progress === seen ? turns + 1 : 0;
    seen = state.progress;
    if (turns > STALLED_TURNS) fail(state, 'mailparser did not come to an end');
    else setImmediate(turn);
  };
  turn();
}

/** Makes the reading partial and ends every parser, so that all promises settle. */
function fail(state: State, problem: string): void {
  state.problem ??= problem;
  for (const parser of state.parsers) parser.destroy();
}
