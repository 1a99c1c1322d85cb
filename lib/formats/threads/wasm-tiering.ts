/** When V8 optimises WebAssembly. */
import { setFlagsFromString } from 'node:v8';

/**
 * Lets V8 optimise a function of WebAssembly later. To compile the YARA rules runs thousands of functions a few times each, and what V8
 * optimises of them takes twice as long as the rules themselves, in each process. It still optimises what stays hot for a tenth of a second.
 * The setting is one of the whole process, so that its first file makes it, and no library.
 */
export function optimiseWasmLater(): void {
  setFlagsFromString('--wasm-tiering-budget=180000000');
}
