/** What Node is given to start the command line as a process of its own. */
import { join } from 'node:path';
import { inject } from 'vitest';
import { LESS_OPTIMISED } from './v8-options.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The path of its bundle (thread-bundles.ts). */
    readonly commandLine: string;
  }
}

/** The options of Node and the file. Faults are planted without bundles (test/mutation), so there it is the sources. */
export function commandLine(): readonly string[] {
  const bundle = inject('commandLine') as string | undefined;
  const sources = ['--import', 'tsx', join(import.meta.dirname, '../../bin/airlock.ts')];
  return [...LESS_OPTIMISED, ...(bundle === undefined ? sources : [bundle])];
}
