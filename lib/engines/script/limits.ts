/** Every limit of the sandbox, each with the attack it stops. Beyond the first five, hitting one ends the recording and is a finding. */

/** Source so large that parsing alone fills the machine: its pages and scripts are kept several times over. */
export const SCRIPT_FILE_BYTES = 16 * 1024 * 1024;
/** Memory bombs: all that the interpreter and the scripts of one file may hold. */
export const MEMORY_BYTES = 112 * 1024 * 1024;
/** Deep recursion: it must end as an exception inside, before the stack of the thread does. */
export const STACK_BYTES = 384 * 1024;
/** A page of a million small scripts. */
export const SCRIPTS_PER_FILE = 200;
/** Source that is repaired when it does not compile: beyond it, looking for what to repair takes too long. */
export const REPAIRED_CHARS = 512 * 1024;
/** Elements of a page that scripts can find. */
export const ELEMENTS_PER_PAGE = 4_000;

/** Endless loops: jumps and calls. */
export const JUMPS = 200_000_000;
/** The same in time, for steps that are slow one by one. Below the deadline of the thread, so that what was seen is reported. */
export const RUN_MS = 8_000;
/**
 * Loops inside a built-in, which no count reaches: by the clock, as a multiple of the time above, so that a busy machine does not end
 * what an idle one would not.
 */
export const STEP_SHARE = 2;
/** Of the deadline of the thread, where that is set shorter; the rest is for the static engine and one slow last step. */
export const RUN_SHARE = 1 / 4;
/** Of the time of the first run, for each further one, in which requests fail. */
export const RERUN_SHARE = 1 / 4;
/** Runs of one file: the first, one in a newer engine, and two in which requests fail. */
export const RUNS_OF_FILE = 4;
/** Timer bombs: callbacks that run, of timers that fast-forward. */
export const TIMER_CALLBACKS = 500;
/** Promise bombs, and scripts that hide behind many: callbacks without a pause. */
export const PROMISE_CALLBACKS = 50_000;
/** How far timers and sleeps may move the script's clock: a year. */
export const CLOCK_MS = 366 * 24 * 3_600_000;
/** Event floods. */
export const EVENTS = 2_000;
/** Process floods. */
export const PROCESSES = 200;
/** Characters of one recorded text. */
export const TEXT_CHARS = 2_000;
/** Files and layers kept; their bytes together; one of them. */
export const FILES_KEPT = 64;
export const FILE_BYTES_TOTAL = 32 * 1024 * 1024;
/** Layers within layers: code that writes code without end. */
export const LAYERS = 200;
/** What the static engine looks at: files, and bytes together. */
export const JUDGED_FILES = 12;
export const JUDGED_BYTES = 16 * 1024 * 1024;
/** Packed bombs: bytes that a page unpacks at once. */
export const UNPACKED_BYTES = 8 * 1024 * 1024;
