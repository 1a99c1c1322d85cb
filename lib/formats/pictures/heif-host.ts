/**
 * Runs libheif and libde265 as WebAssembly, loaded on first use. Every picture gets its own instance with limited memory, so a picture that
 * breaks the decoder harms no other. Only the used C functions are declared.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** The memory of one instance, in bytes. A picture of the most pixels needs half of it. A stream that lies about its size asks for more. */
const MEMORY_BYTES = 1024 * 1024 * 1024;
const PAGE_BYTES = 64 * 1024;

/** Functions of libheif (heif.h). A function that returns a `heif_error` takes the place for it as its first argument. */
export interface Heif {
  /** The memory. Growth replaces it, so it is read anew after each call. */
  readonly HEAPU8: Uint8Array;
  _malloc(bytes: number): number;
  _heif_context_alloc(): number;
  _heif_context_get_security_limits(context: number): number;
  _heif_context_read_from_memory(error: number, context: number, from: number, bytes: number, options: number): void;
  _heif_context_get_primary_image_handle(error: number, context: number, handle: number): void;
  _heif_context_get_number_of_top_level_images(context: number): number;
  _heif_image_handle_get_width(handle: number): number;
  _heif_image_handle_get_height(handle: number): number;
  _heif_image_handle_has_alpha_channel(handle: number): number;
  _heif_image_handle_get_number_of_metadata_blocks(handle: number, filter: number): number;
  _heif_image_handle_get_raw_color_profile_size(handle: number): number;
  _heif_image_handle_get_raw_color_profile(error: number, handle: number, to: number): void;
  _heif_decode_image(error: number, handle: number, to: number, space: number, chroma: number, options: number): void;
  _heif_image_get_plane_readonly(image: number, channel: number, stride: number): number;
  _heif_image_get_width(image: number, channel: number): number;
  _heif_image_get_height(image: number, channel: number): number;
}

/** The part of WebAssembly that is used here, which the types of Node leave out. */
interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}
type Exports = Readonly<Record<string, unknown>>;
interface Wasm {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (program: object, imports: object) => { readonly exports: Exports };
  readonly Memory: { readonly prototype: Memory };
}
const wasm = (globalThis as unknown as { readonly WebAssembly: Wasm }).WebAssembly;

interface Start {
  instantiateWasm(imports: object, use: (instance: object) => void): Exports;
  print(line: string): void;
  printErr(line: string): void;
}

const require = createRequire(import.meta.url);
let compiled: object | undefined;

/** Makes a new instance. */
export async function openHeif(): Promise<Heif> {
  const start = require('libheif-js/libheif-wasm/libheif.js') as (options: Start) => Heif | Promise<Heif>;
  compiled ??= new wasm.Module(readFileSync(require.resolve('libheif-js/libheif-wasm/libheif.wasm')));
  const program = compiled;
  return await start({
    instantiateWasm: (imports, use) => {
      const instance = new wasm.Instance(program, imports);
      limitMemory(instance.exports);
      use(instance);
      return instance.exports;
    },
    print: () => undefined,
    printErr: () => undefined,
  });
}

/** Refuses growth. The program treats that as a failed allocation. */
function limitMemory(exports: Exports): void {
  const { prototype } = wasm.Memory;
  const isMemory = (value: unknown): value is Memory => Object.prototype.isPrototypeOf.call(prototype, value as object);
  const memory = Object.values(exports).find(isMemory);
  if (memory === undefined) throw new Error('the decoder has another memory than the one that is limited here');
  const grow = (pages: number) => {
    if (memory.buffer.byteLength + pages * PAGE_BYTES > MEMORY_BYTES) throw new RangeError('too much memory');
    return prototype.grow.call(memory, pages);
  };
  Object.defineProperty(memory, 'grow', { value: grow });
}
