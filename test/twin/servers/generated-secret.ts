/** The value that Secrets Manager makes for a new secret, by the rules that the template gives. */
import { randomInt } from 'node:crypto';
import { onlyKnown, unknown } from '../assembly/refuse.ts';

interface Rules {
  readonly PasswordLength?: number;
  readonly ExcludeCharacters?: string;
  readonly ExcludeLowercase?: boolean;
  readonly ExcludeUppercase?: boolean;
  readonly ExcludeNumbers?: boolean;
  readonly ExcludePunctuation?: boolean;
  readonly RequireEachIncludedType?: boolean;
}

const KNOWN = [
  'ExcludeCharacters',
  'ExcludeLowercase',
  'ExcludeNumbers',
  'ExcludePunctuation',
  'ExcludeUppercase',
  'PasswordLength',
  'RequireEachIncludedType',
];
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const NUMBERS = '0123456789';
const PUNCTUATION = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';
const LENGTH = 32;

/** The value of a new secret, or null when somebody has to set it. Throws UnknownToTwinError. */
export function generatedSecret(rules: unknown): string | null {
  if (rules === undefined) return null;
  onlyKnown('rule for a generated secret', rules as object, KNOWN);
  const given = rules as Rules;
  // Then AWS takes at least one character of each kind, which a plain choice does not.
  if (given.RequireEachIncludedType !== false) unknown('rule for a generated secret', given);
  const all = [
    ...(given.ExcludeLowercase === true ? '' : LETTERS),
    ...(given.ExcludeUppercase === true ? '' : LETTERS.toUpperCase()),
    ...(given.ExcludeNumbers === true ? '' : NUMBERS),
    ...(given.ExcludePunctuation === true ? '' : PUNCTUATION),
  ].filter((character) => !(given.ExcludeCharacters ?? '').includes(character));
  return Array.from({ length: given.PasswordLength ?? LENGTH }, () => all[randomInt(all.length)]).join('');
}
