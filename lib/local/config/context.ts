/** The section `stack` of `airlock.config.json` as context of the CDK app. */

import type { Console } from '../console.ts';
import { readConfig } from './file.ts';
import { type ConfigChoice, findConfig } from './find.ts';

/**
 * Returns the settings of the stack by name. A found file counts completely, because `cdk synth` runs programs of its folder anyway. Throws
 * UsageError for an unusable file.
 */
export async function stackContext(
  where: Pick<Console, 'env' | 'folder'>,
  choice: ConfigChoice,
): Promise<Readonly<Record<string, string | number | boolean>>> {
  const found = await findConfig(where, choice);
  if (found === null) return {};
  const entries = [...readConfig({ ...found, isFound: false }).values].filter(([key]) => key.startsWith('stack.'));
  return Object.fromEntries(entries.map(([key, value]) => [key.slice('stack.'.length), settingOf(value)]));
}

function settingOf(value: unknown): string | number | boolean {
  if (Array.isArray(value)) return value.join(',');
  return typeof value === 'number' || typeof value === 'boolean' ? value : String(value);
}
