/** Every limit of the sandbox, with the attack that it stops. A finding names each limit that cut the run or the recording short. */

/** The largest file. Its pages and scripts are in memory several times, so that a larger one could fill it by parsing alone. */
export const SCRIPT_FILE_BYTES = 16 * 1024 * 1024;
/** Stops memory bombs: the most bytes that the interpreter and the scripts of one file may hold. */
export const MEMORY_BYTES = 112 * 1024 * 1024;
/** Stops deep recursion: it must end as an exception inside of the interpreter, before the stack of the thread is full. */
export const STACK_BYTES = 384 * 1024;
/** Stops pages of a million small scripts. */
export const SCRIPTS_PER_FILE = 200;
/** The longest source that is repaired when it does not compile. The search for faults in a longer one takes too much time. */
export const REPAIRED_CHARS = 512 * 1024;
/** The most elements of a page that scripts can find. */
export const ELEMENTS_PER_PAGE = 4_000;

/** Stops endless loops: the most jumps and calls. */
export const JUMPS = 200_000_000;
/** Stops loops of slow steps, by time. It is below the deadline of the thread, so that there is time to report what was seen. */
export const RUN_MS = 8_000;
/**
 * Stops loops inside of a built-in, which no count reaches. It is time by the clock, as a multiple of the time above. A run that did not
 * get the time above of the processor until then has another try (busy-machine.ts).
 */
export const STEP_SHARE = 2;
/**
 * Stops such a loop in the other try: the most time by the clock, as a multiple of the first. The deadline of the thread ends it before.
 */
export const BUSY_SHARE = 20;
/**
 * The share of the thread's deadline for the run, where that deadline is shorter. The static engine and one slow last step get the rest.
 */
export const RUN_SHARE = 1 / 4;
/** The share of the first run's time for each further run. */
export const RERUN_SHARE = 1 / 4;
/**
 * The runs of one file: the first, one in a newer engine, two in which requests fail, two in other places, two as a page or one shortened;
 * each of them twice.
 */
export const RUNS_OF_FILE = 16;
/**
 * Stops one endless loop from taking the whole run: the share of what is left of steps and time that one script, step of the user or
 * timer gets. Later scripts run with the rest.
 */
export const TASK_SHARE = 1 / 2;
/** Stops intervals whose every tick takes long: the share of the run's time from which on a tick does. */
export const SLOW_SHARE = 1 / 200;
/** Stops timer bombs: the most callbacks of timers, for which the clock is moved forward. */
export const TIMER_CALLBACKS = 3_000;
/** Stops promise bombs, and scripts that hide behind many promises: the most callbacks without a pause. */
export const PROMISE_CALLBACKS = 500_000;
/** The most time that timers and sleeps may add to the clock of the script: a year. */
export const CLOCK_MS = 366 * 24 * 3_600_000;
/** Stops floods of events: more than this number are a finding. */
export const EVENTS = 2_000;
/** Stops events of one kind from pushing out those of others, which come later: the most of one kind that are kept, and of all kinds. */
export const EVENTS_OF_A_KIND = 400;
export const EVENTS_KEPT = 4_000;
/** Stops endless events after that: the most events and layers, kept or not. */
export const ACTS = 20_000;
/** Stops floods of processes. */
export const PROCESSES = 200;
/** The most characters of one recorded text. */
export const TEXT_CHARS = 2_000;
/** The most files and layers that are kept, the most bytes of all of them, and the most bytes of one. */
export const FILES_KEPT = 64;
export const FILE_BYTES_TOTAL = 32 * 1024 * 1024;
/** Stops code that writes code without end: more layers than this are a finding, and later ones are run and not kept. */
export const LAYERS = 200;
/** The most files, and the most bytes of them, that the static engine reads. */
export const JUDGED_FILES = 12;
export const JUDGED_BYTES = 16 * 1024 * 1024;
/** Stops packed bombs: the most bytes that a page unpacks at once. */
export const UNPACKED_BYTES = 8 * 1024 * 1024;
