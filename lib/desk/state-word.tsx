/** @jsxRuntime automatic @jsxImportSource #markup */
/** The state of a mail as a word with its colour. */

import { RUN_STATES, type RunState } from '../pipeline/runs/row.ts';
import type { Markup } from '../service/server/markup/jsx-runtime.ts';
import type { DeskWords } from './desk-words.ts';

/** Returns the word. Classes are listed here, so that no value of the index becomes one. */
export function stateWord(words: DeskWords, state: RunState): Markup {
  const name = RUN_STATES.find((known) => known === state) ?? 'running';
  return <span class={`state ${name}`}>{words[name]}</span>;
}
