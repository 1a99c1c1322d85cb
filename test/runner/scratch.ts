/**
 * The folder of a run for what tests write and read again by its path. It goes when the run ends: files that share a process share the modules
 * that make folders, so that a hook of one file would come before the folders of the next.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    readonly scratch: string;
  }
}

let made = '';

/** Makes it before the first test, outside of the checkout. */
export function setup(project: TestProject): void {
  made = mkdtempSync(join(tmpdir(), 'airlock-tests-'));
  project.provide('scratch', made);
}

/** Removes it after the last test. */
export function teardown(): void {
  rmSync(made, { recursive: true, force: true });
}

/** An empty folder. */
export function scratchDirectory(): string {
  // Faults are planted without the setup of a run (test/mutation).
  const folder = inject('scratch') as string | undefined;
  return mkdtempSync(join(folder ?? tmpdir(), 'airlock-'));
}
