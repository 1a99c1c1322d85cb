import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parsePolicy } from '../pipeline/policy.ts';
import { withTemplateFiles } from '../pipeline/policy-files.ts';

/**
 * The text of the file and of the templates that it names, after a check that it is a policy. Throws ConfigError with one line per
 * fault.
 *
 * @example
 * ```ts
 * const isRead = (file: string) => readPolicy(file).length > 0;
 * ```
 */
export function readPolicy(file: string): string {
  const json = withTemplateFiles(readFileSync(file, 'utf8'), (name) => readFileSync(join(dirname(file), name), 'utf8'));
  parsePolicy(json, `the policy file ${file}`);
  return json;
}
