/** Options of V8 for the processes of the tests. */

/**
 * A mail runs a little of very much code, which is never hot. So V8 takes a fifth of the processor time to optimise what soon is not
 * run any more. The option exists in Node 20 alone.
 */
const LESS_OPTIMISED_CODE = process.version.startsWith('v20.') ? ['--interrupt-budget=600000'] : [];

/**
 * The same holds for WebAssembly: to compile the YARA rules once in each thread runs thousands of its functions, and what V8 optimises of
 * them takes as long as the rules themselves. It still optimises what stays hot, such as the interpreter of scripts.
 */
const LESS_OPTIMISED_WASM = '--wasm-tiering-budget=180000000';

/** For processes that tests start, whose memory may be the matter. */
export const LESS_OPTIMISED: readonly string[] = [LESS_OPTIMISED_WASM, ...LESS_OPTIMISED_CODE];

/**
 * Tests take every core, so threads that help to collect garbage only take turns with the tests: without them the same tests take a tenth
 * less processor time.
 */
const NO_HELPERS = '--single-threaded-gc';

/** Thousands of functions run once in many files. V8 would forget their code in between, and read them again. */
const KEEPS_CODE = '--no-flush-bytecode';

/** With room for young objects, which are collected too often otherwise. */
export const V8_OPTIONS = ['--max-semi-space-size=64', NO_HELPERS, KEEPS_CODE, ...LESS_OPTIMISED];

/**
 * The memory that is freed stays with the process, where the system's own C library is glibc. It would else be given back after each large
 * buffer, and come again as pages that have to be emptied.
 */
export const KEEPS_MEMORY: Readonly<Record<string, string>> = {
  MALLOC_MMAP_THRESHOLD_: String(256 * 1024 * 1024),
  MALLOC_TRIM_THRESHOLD_: String(1024 * 1024 * 1024),
};
