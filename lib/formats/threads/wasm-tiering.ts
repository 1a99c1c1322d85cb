/** Delays the optimisation of WebAssembly in V8. */
import { setFlagsFromString } from 'node:v8';

/**
 * Makes V8 optimise functions of WebAssembly later. Compiling the YARA rules calls thousands of functions a few times each. Optimising them
 * takes twice as long as compiling the rules, in each process. V8 still optimises functions that stay hot for a tenth of a second. The
 * setting belongs to the whole process, so its first file makes it, and no library.
 */
export function optimiseWasmLater(): void {
  setFlagsFromString('--wasm-tiering-budget=180000000');
}
