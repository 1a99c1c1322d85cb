/** Runs a state machine in the interpreter of the twin, with functions of this process, and without waiting. */
import type { Definition } from './definition.ts';
import { runStates } from './execution.ts';

interface Functions {
  /** Runs the task of a state. Rejects with a StateError of `execution.ts`. */
  readonly invoke: (state: string, input: object) => Promise<object>;
  /** Called at each state that is entered. */
  readonly onState?: (state: string) => void;
  /** Called for each wait, which passes at once. Seconds. */
  readonly onWait?: (seconds: number) => void;
}

/** The output of the machine. Rejects with the StateError that nothing caught. */
export function runInTwin(
  definition: Definition,
  input: object,
  { invoke, onState, onWait }: Functions,
): Promise<unknown> {
  let entered = '';
  return runStates(
    {
      name: 'here',
      definition,
      clock: { sleep: async (ms) => onWait?.(ms / 1000), work: (work) => work() },
      // It never says that it begun, so no time of a task runs.
      invoke: async (_, data) => ({ result: await invoke(entered, data as object) }),
      onState: (state) => {
        entered = state;
        onState?.(state);
      },
      signal: new AbortController().signal,
    },
    input,
  );
}
