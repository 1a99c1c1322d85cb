/**
 * Errors that the code of a script throws when the environment asks it for a value. The act of the script is recorded first, and then the
 * error is thrown.
 */
import { rec, Str } from './bridge.js';
import { behindWrapper, EXHAUSTED } from './realms.js';
import { toScripts } from './to-scripts.js';

/** @type {{ deferred: { error: any } | null, texts: Map<any, Map<string, any>> } | null} */
export let call = null;
export let exhausted = '';
export const beginCall = () => {
  const outer = call;
  call = { deferred: null, texts: new Map() };
  return outer;
};
export const isOurs = (error) => {
  try {
    return error instanceof Error && !behindWrapper.has(error);
  } catch {
    return false;
  }
};
export const defer = (error) => {
  noteExhausted(error);
  if (call !== null && call.deferred === null) call.deferred = { error: isOurs(error) ? thrown(error) : error };
};
export const noteExhausted = (error) => {
  if (exhausted === '' && isOurs(error) && error instanceof InternalError) exhausted = error.message;
};
export const endCall = (outer) => {
  const deferred = call === null ? null : call.deferred;
  call = outer;
  if (deferred !== null) throw deferred.error;
};
// Makes an error of anything that was thrown. Never fails.
export const thrown = (error) => {
  try {
    return toScripts(error);
  } catch {
    if (exhausted === '') exhausted = 'stack overflow';
    return EXHAUSTED;
  }
};
/** @param {any} error */
export const recordError = (error) => {
  rec('script-error', Str((error && error.message) || error));
};
export const forgetCall = () => {
  call = null;
};
