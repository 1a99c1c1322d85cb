/** The names by which prepared code calls the environment. They are other ones for every file, so that no script can ask for them. */
import { randomBytes } from 'node:crypto';

export interface ScriptNames {
  /** Records code that a direct `eval` is about to run, and returns it prepared. */
  readonly layer: string;
  /** Stands for `eval` where it is not called directly. */
  readonly evaluate: string;
  /** Makes an error that was caught one of the emulated program. */
  readonly mend: string;
  /** The member that takes what is assigned to a call. */
  readonly put: string;
  /** Begins the variables of conditional compilation. */
  readonly compiled: string;
}

/** They look like those that programs for shortening scripts choose. */
export function createNames(): ScriptNames {
  const name = () => `_0x${randomBytes(7).toString('hex')}`;
  return { layer: name(), evaluate: name(), mend: name(), put: name(), compiled: name() };
}
