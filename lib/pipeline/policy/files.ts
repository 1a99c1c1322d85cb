/** Puts the files that a policy names into the policy, because the program that runs it has no files. Pure. */

import { ConfigError } from '../errors.ts';
import { withoutComments } from './commented-json.ts';

/**
 * Returns the policy as JSON with the text of every template file in it. `read` gives the text of a file beside the policy, by its name. A
 * text that is no policy is returned unchanged, and `parsePolicy` reports its faults. Throws ConfigError for a file that cannot be read.
 */
export function withTemplateFiles(json: string, read: (name: string) => string): string {
  const plain = withoutComments(json).json;
  let policy: unknown;
  try {
    policy = JSON.parse(plain);
  } catch {
    return json;
  }
  // The environment of a function has little room for a policy, and no room for comments.
  const whole = plain === json ? json : JSON.stringify(policy);
  const templates = fieldOf(fieldOf(policy, 'told'), 'templates');
  if (!isObject(templates)) return whole;
  for (const [language, ofLanguage] of Object.entries(templates)) {
    for (const [format, template] of isObject(ofLanguage) ? Object.entries(ofLanguage) : []) {
      const file = fieldOf(template, 'file');
      if (typeof file === 'string' && isObject(ofLanguage))
        ofLanguage[format] = readOr(file, `${language}.${format}`, read);
    }
  }
  return JSON.stringify(policy);
}

function readOr(file: string, field: string, read: (name: string) => string): string {
  try {
    return read(file);
  } catch {
    throw new ConfigError('the policy', [`told.templates.${field}: the file ${JSON.stringify(file)} cannot be read`]);
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const fieldOf = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
