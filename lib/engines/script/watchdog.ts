/**
 * A limit that also ends a single step of the interpreter. A loop inside of a built-in never checks the limits. The JavaScript engine of
 * this thread ends it in the middle of the WebAssembly, and the instance is not used again.
 */
import { type Context, createContext, Script } from 'node:vm';

const guarded = new Script('work()');
let context: Context | null = null;

/** Runs the work and returns true; false when it was ended after `clockMs`. Throws what the work throws. */
export function runWithin(clockMs: number, work: () => void): boolean {
  context ??= createContext(Object.create(null));
  context.work = work;
  try {
    guarded.runInContext(context, { timeout: clockMs });
    return true;
  } catch (error) {
    // The error comes from another realm, so `instanceof` does not know it.
    if ((error as { readonly code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false;
    throw error;
  } finally {
    context.work = null;
  }
}
