/** The names under which prepared code calls the environment. They differ for every file, so that no script can ask for them. */
import { randomBytes } from 'node:crypto';

export interface ScriptNames {
  /** Records code that a direct `eval` is about to run, and returns it prepared. */
  readonly layer: string;
  /** Takes the place of `eval` where it is not called directly. */
  readonly evaluate: string;
  /** Turns a caught error into one of the emulated program. */
  readonly mend: string;
  /** The member that takes the value of an assignment to a call. */
  readonly put: string;
  /** The prefix of the variables of conditional compilation. */
  readonly compiled: string;
}

/** Makes new names. They look like those of programs that shorten scripts. */
export function createNames(): ScriptNames {
  const name = () => `_0x${randomBytes(7).toString('hex')}`;
  return { layer: name(), evaluate: name(), mend: name(), put: name(), compiled: name() };
}
