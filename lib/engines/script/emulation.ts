/**
 * Interpreters in which the emulated objects stand. Making those objects is most of the cost of a start, and they are the same for
 * every file: after the first time, the memory of the interpreter is kept as it was before any script ran, and every new
 * instance begins as a copy of it.
 */
import type { QuickJSHandle } from 'quickjs-emscripten-core';
import { BARE_EVAL, environmentFor, type Realm } from './environment-text.ts';
import { createInterpreter, type Host, type Interpreter } from './interpreter.ts';

export interface Emulation {
  readonly interpreter: Interpreter;
  /** The object of the environment by which the run goes on. */
  readonly api: QuickJSHandle;
}

interface MemoryImage {
  /** What is not 0: new memory is 0 everywhere, and most of it stays so. */
  readonly pieces: readonly { readonly at: number; readonly bytes: Uint8Array }[];
  /** Where the host function lay: an instance in which it lies elsewhere has allocated otherwise, and the image does not fit. */
  readonly host: number;
}

/** Small enough to skip what is 0, large enough to copy fast; memory is a multiple of it. */
const PIECE_BYTES = 16_384;

const images = new Map<string, MemoryImage>();

/** Stack traces name it: scripts may read those. */
const FILE = 'native';

/** A new instance with what a file finds; its time (`runMs`) counts from here. No script has run in it. */
export async function createEmulation(realm: Realm, host: Host, runMs: number): Promise<Emulation> {
  const interpreter = await createInterpreter(host, runMs);
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
  return { interpreter, api: inner.getProp(inner.global, 'api') };
}

const addressOf = ({ host }: Interpreter): number => host.value;

/** Copies of all blocks that hold anything. */
function piecesOf(buffer: ArrayBufferLike): MemoryImage['pieces'] {
  const starts = Array.from({ length: buffer.byteLength / PIECE_BYTES }, (_, index) => index * PIECE_BYTES);
  return starts
    .filter((at) => new Int32Array(buffer, at, PIECE_BYTES / 4).some((word) => word !== 0))
    .map((at) => ({ at, bytes: new Uint8Array(buffer, at, PIECE_BYTES).slice() }));
}
