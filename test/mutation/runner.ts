/**
 * Runs test files like vitest, and has a failing test for a file that cannot be loaded. StrykerJS looks at tests only: a fault by which
 * a module throws while it is loaded would count as not noticed.
 */
import { TestRunner, test } from 'vitest';

// biome-ignore lint/style/noDefaultExport: vitest takes no other
export default class LoadingRunner extends TestRunner {
  override async importFile(path: string, source: 'collect' | 'setup'): Promise<unknown> {
    try {
      return await super.importFile(path, source);
    } catch (error) {
      if (source === 'setup') throw error;
      test('can be loaded', () => {
        throw error;
      });
      return undefined;
    }
  }
}
