/** The parameters and constants of the function into which the modules are joined (environment-text.ts). */

/** The only function out of the interpreter: the name of a call (host-calls.ts), up to three texts, and the time. */
declare const host: (name: string, first: string, second: string, third: string, timeMs: string) => string;
/** The global object of the scripts itself. `scriptGlobal` is its wrapper for the environment. */
// biome-ignore lint/suspicious/noExplicitAny: scripts may change it in any way
declare const theirGlobal: any;
/** True when the scripts have only the built-ins of JScript 5.8. */
declare const isOld: boolean;
/** True for scripts of Windows Script Host and for HTML applications. */
declare const isWindows: boolean;
/** QuickJS throws this error when one of its limits is reached. */
declare class InternalError extends Error {}
