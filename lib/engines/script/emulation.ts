/**
 * Makes interpreters that hold the emulated objects. Most of the time of a start is spent on those objects, and they are the same for
 * every file. So the memory of the first interpreter is kept as it was before any script ran, and every new instance begins as a copy.
 */
import type { QuickJSHandle } from 'quickjs-emscripten-core';
import { BARE_EVAL, environmentFor, type Realm } from './environment-text.ts';
import { createInterpreter, type Host, type Interpreter } from './interpreter.ts';

export interface Emulation {
  readonly interpreter: Interpreter;
  /** The object of the environment that controls the run. */
  readonly api: QuickJSHandle;
}

interface MemoryImage {
  /** The parts of the memory that are not 0. New memory is 0, and most of it stays 0. */
  readonly pieces: readonly { readonly at: number; readonly bytes: Uint8Array }[];
  /** The address of the host function. An instance with another address has allocated differently, so the image does not fit it. */
  readonly host: number;
}

/** The size of a piece: small enough to skip zeros, and large enough to copy fast. The memory is a multiple of it. */
const PIECE_BYTES = 16_384;

const images = new Map<string, MemoryImage>();

/** The name of the environment's file in stack traces, which scripts may read. */
const FILE = 'native';

/** Returns a new instance with the objects for a file, in which no script has run. Its time (`runMs`) counts from when it is prepared. */
export async function createEmulation(realm: Realm, host: Host, runMs: number): Promise<Emulation> {
  const interpreter = await createInterpreter(host);
  const { context, inner, memory } = interpreter;
  const key = `${realm.objects} ${realm.isOld}`;
  const image = images.get(key);
  if (image?.host === addressOf(interpreter)) {
    const target = new Uint8Array(memory.buffer);
    for (const { at, bytes } of image.pieces) target.set(bytes, at);
  } else {
    context.unwrapResult(context.evalCode(BARE_EVAL, FILE));
    const environment = inner.unwrapResult(inner.evalCode(environmentFor(realm), FILE));
    const api = inner.callFunction(environment, inner.undefined, interpreter.host, context.global);
    inner.setProp(inner.global, 'api', inner.unwrapResult(api));
    images.set(key, { pieces: piecesOf(memory.buffer), host: addressOf(interpreter) });
  }
  interpreter.startTime(runMs);
  return { interpreter, api: inner.getProp(inner.global, 'api') };
}

const addressOf = ({ host }: Interpreter): number => host.value;

const ZEROS = new Uint8Array(PIECE_BYTES);

/** Copies of all pieces that are not only zeros. */
function piecesOf(buffer: ArrayBufferLike): MemoryImage['pieces'] {
  const starts = Array.from({ length: buffer.byteLength / PIECE_BYTES }, (_, index) => index * PIECE_BYTES);
  return starts
    .map((at) => ({ at, bytes: new Uint8Array(buffer, at, PIECE_BYTES) }))
    .filter(({ bytes }) => Buffer.compare(bytes, ZEROS) !== 0)
    .map(({ at, bytes }) => ({ at, bytes: bytes.slice() }));
}
