/**
 * Runs jxl-oxide, a decoder of JPEG XL in Rust, as WebAssembly, loaded on first use. Every picture gets its own instance with limited
 * memory, so a picture that breaks the decoder harms no other. Only the used functions are declared.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The memory of one instance, in bytes: the need of a picture with the most pixels. */
const MEMORY_BYTES = 2 * 1024 * 1024 * 1024;
const PAGE_BYTES = 64 * 1024;

/** A result, or a text about the failure, which is not read. */
type Result = readonly [value: number, error: number, hasFailed: number];

/** Functions of the program. A picture and a result of drawing are numbers of places in its memory. */
export interface Jxl {
  readonly memory: { readonly buffer: ArrayBuffer };
  __wbindgen_start(): void;
  __wbindgen_malloc(bytes: number, alignment: number): number;
  jxlimage_new(): number;
  jxlimage_set_force_srgb(image: number, isForced: number): void;
  /** Takes the memory over. */
  jxlimage_feedBytes(image: number, at: number, bytes: number): Result;
  jxlimage_tryInit(image: number): Result;
  jxlimage_width(image: number): number;
  jxlimage_height(image: number): number;
  jxlimage_is_loading_done(image: number): number;
  jxlimage_num_loaded_keyframes(image: number): number;
  jxlimage_render(image: number, keyframe: number): Result;
  /** Ends the result. */
  renderresult_encodeToPng(result: number): readonly [at: number, bytes: number, error: number, hasFailed: number];
}

/** The part of WebAssembly that is used here, which the types of Node leave out. */
interface Table {
  grow(places: number): number;
  set(place: number, value: unknown): void;
}
interface Wasm {
  readonly Module: {
    new (bytes: Uint8Array): object;
    imports(program: object): readonly { readonly module: string; readonly name: string }[];
  };
  readonly Instance: new (
    program: object,
    imports: object,
  ) => { readonly exports: Jxl & { readonly __wbindgen_export_2: Table } };
}
const wasm = (globalThis as unknown as { readonly WebAssembly: Wasm }).WebAssembly;

let compiled: object | undefined;

/** Makes a new instance. */
export function openJxl(): Jxl {
  compiled ??= new wasm.Module(withMostMemory(readFileSync(programFile()), MEMORY_BYTES / PAGE_BYTES));
  const program = compiled;
  const calls: Record<string, (...values: unknown[]) => unknown> = {};
  // The program asks which browser it runs in, and is told that it runs in none.
  for (const { name } of wasm.Module.imports(program)) calls[name] = () => undefined;
  calls.__wbindgen_is_undefined = (value) => Number(value === undefined);
  calls.__wbindgen_throw = () => {
    throw new Error('the decoder failed');
  };
  calls.__wbindgen_init_externref_table = () => {
    const first = exports.__wbindgen_export_2.grow(4);
    [undefined, null, true, false].forEach(
      (value, index) => void exports.__wbindgen_export_2.set(first + index, value),
    );
  };
  const { exports } = new wasm.Instance(program, { wbg: calls });
  exports.__wbindgen_start();
  return exports;
}

/** Finds the program. The package exports it only to bundlers of pages, so it is found beside package.json. */
const programFile = (): string =>
  join(dirname(createRequire(import.meta.url).resolve('jxl-oxide-wasm/package.json')), 'jxl_oxide_wasm_bg.wasm');

const HEADER_BYTES = 8;
const MEMORY_SECTION = 5;
const HAS_MOST = 1;

/**
 * Returns the program with a limit for its memory, in pages (WebAssembly 1.0, 5.5.8). Throws when its memory is declared in another way
 * than without a limit.
 */
function withMostMemory(program: Buffer, pages: number): Buffer {
  for (let at = HEADER_BYTES; at < program.length; ) {
    const size = numberAt(program, at + 1);
    const end = size.end + size.value;
    if (program[at] === MEMORY_SECTION) {
      const least = numberAt(program, size.end + 2);
      if (program[size.end] !== 1 || program[size.end + 1] !== 0 || least.end !== end) break;
      const section = Buffer.from([1, HAS_MOST, ...numberBytes(least.value), ...numberBytes(pages)]);
      const head = Buffer.from([MEMORY_SECTION, ...numberBytes(section.length)]);
      return Buffer.concat([program.subarray(0, at), head, section, program.subarray(end)]);
    }
    at = end;
  }
  throw new Error('the decoder has another memory than the one that is limited here');
}

/** Writes a number in LEB128. */
function numberAt(bytes: Buffer, from: number): { readonly value: number; readonly end: number } {
  let value = 0;
  for (let at = from; ; at++) {
    const byte = bytes[at] ?? 0;
    value += (byte & 0x7f) * 2 ** (7 * (at - from));
    if (byte < 0x80) return { value, end: at + 1 };
  }
}

function numberBytes(number: number): number[] {
  const bytes = [];
  for (let left = number; ; left = Math.floor(left / 128)) {
    bytes.push(left < 128 ? left : (left % 128) + 128);
    if (left < 128) return bytes;
  }
}
