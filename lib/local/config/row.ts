/** A row of the table of settings. */
import type { Value } from './values.ts';

/** One key of the file. */
export interface ConfigRow {
  /** Its path in the file: `serve.port`. The last part is the name of the option. */
  readonly key: string;
  readonly value: Value;
  readonly says: string;
  readonly default: string;
  readonly example: unknown;
  /** The commands for which it counts. */
  readonly commands: readonly string[];
  /** The environment variable that it replaces, if there is no option. */
  readonly variable?: string;
  /** Options that replace it. A caller who gives one of them did not want this. */
  readonly unless?: readonly string[];
  /** Whether it also counts in a file that was only found. The place of results is harmless, but the checks are not. */
  readonly isFound?: true;
}

/** Makes a row for a key, its value, and the commands for which it counts. */
export const row = (
  [key, value]: readonly [string, Value],
  says: string,
  byDefault: string,
  example: unknown,
  commands: readonly string[],
  more: Pick<ConfigRow, 'variable' | 'unless' | 'isFound'> = {},
): ConfigRow => ({ key, value, says, default: byDefault, example, commands, ...more });

/** Descriptions that settings of several verbs share. */
export const PAGES = 'a folder for a page about each mail';
export const PAGE_LANGUAGE = 'the language of those pages';

/** Returns the option of a key: `tlsKey` of `serve.tlsKey`. */
export const optionOf = ({ key }: ConfigRow): string => key.slice(key.lastIndexOf('.') + 1);
