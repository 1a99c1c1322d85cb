/** What the function that the modules are joined to is given (environment-text.ts). */

/** The only function out of the interpreter: the name of a call (host-calls.ts), up to three texts, and the time. */
declare const host: (name: string, first: string, second: string, third: string, timeMs: string) => string;
/** The global object of the scripts, as it is. */
// biome-ignore lint/suspicious/noExplicitAny: scripts make of it what they like
declare const S: any;
/** Whether the scripts have only what JScript 5.8 has. */
declare const isOld: boolean;
/** Whether there is Windows Script Host, or an application of HTML. */
declare const isWindows: boolean;
/** QuickJS throws it when a limit of its own is reached. */
declare class InternalError extends Error {}
