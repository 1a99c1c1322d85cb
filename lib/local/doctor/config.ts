/** The findings of `airlock doctor` about the configuration. */
import { gatewayOnly } from '../../pipeline/policy/gateway.ts';
import { namedOnly } from '../config/apply.ts';
import { readConfig } from '../config/file.ts';
import { type ConfigChoice, findConfig } from '../config/find.ts';
import { CONFIG_ROWS } from '../config/table.ts';
import type { Console } from '../console.ts';
import { readPolicy } from '../session/engine-session.ts';

/** Reports the file that counts, its settings, and the settings that need a named file. Throws UsageError for an unusable file. */
export async function configuration(console: Console, choice: ConfigChoice): Promise<string> {
  const found = await findConfig(console, choice);
  if (found === null)
    return choice === false
      ? 'none is used (--no-config)'
      : 'there is none; airlock.config.json is looked for in this folder and above it';
  const { path, isFound, values } = readConfig(found);
  const text = `${path} sets ${values.size === 0 ? 'nothing' : [...values.keys()].join(', ')}`;
  const unnamed = isFound ? namedOnly(CONFIG_ROWS.filter(({ key }) => values.has(key))) : [];
  if (unnamed.length === 0) return text;
  return `${text}; it was only found, so ${unnamed.join(', ')} need --config or AIRLOCK_CONFIG`;
}

/**
 * Reports whether the policy of the configuration can be used, and which fields only count for the gateway. Throws UsageError and
 * ConfigError.
 */
export async function policyIn(console: Console, choice: ConfigChoice): Promise<string> {
  const found = await findConfig(console, choice);
  const path = found === null ? undefined : readConfig(found).values.get('policy');
  if (typeof path !== 'string')
    return 'the configuration names none; it is the one as shipped unless a command names one';
  const forGateway = gatewayOnly(await readPolicy(path));
  if (forGateway.length === 0) return `${path} can be used`;
  return `${path} can be used; ${forGateway.join(' and ')} of it count for airlock gateway alone: scan, watch and AWS go by the rest`;
}
