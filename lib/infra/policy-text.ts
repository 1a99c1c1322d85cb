import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ConfigError } from '../pipeline/errors.ts';
import { withTemplateFiles } from '../pipeline/policy/files.ts';
import { parsePolicy } from '../pipeline/policy/policy.ts';

/**
 * Returns the text of a policy file, with the templates that it names. Throws ConfigError with one line per fault.
 *
 * @example
 * ```ts
 * const isRead = (file: string) => readPolicy(file).length > 0;
 * ```
 */
export function readPolicy(file: string): string {
  const what = `the policy file ${file}`;
  const read = (path: string) => {
    try {
      return readFileSync(path, 'utf8');
    } catch (error) {
      throw new ConfigError(what, [error instanceof Error ? error.message : String(error)]);
    }
  };
  const json = withTemplateFiles(read(file), (name) => read(join(dirname(file), name)));
  parsePolicy(json, what);
  return json;
}
