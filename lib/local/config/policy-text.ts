/** The text of a policy file in which every field is a comment with its default. Fields, defaults and values follow from the schema. */
import * as z from 'zod/mini';
import { DEFAULT_POLICY, Policy } from '../../pipeline/policy/policy.ts';
import { POLICY_WORDS } from '../trial/policy-words.ts';
import { type CommentedEntry, commentedText } from './commented-text.ts';

const HEAD = [
  'A policy of Mail Airlock. Every field is a comment here with its default, so this file changes nothing. Take the slashes away in front of what you want to change.',
  'Use it with --policy policy.json, or name it in airlock.config.json. The command airlock policy try policy.json says what it would have made of the mail of the last days. docs/policy.md of the project explains each field.',
];

/** The part of a JSON schema that names the accepted values. */
interface Form {
  readonly enum?: readonly unknown[];
  readonly items?: Form;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Form>>;
}

/**
 * Returns the text of a policy file with all defaults and a comment on each field. Throws TypeError for a field without words, and for
 * words without a field.
 */
export function policyText(): string {
  const used = new Set<string>();
  const form: Form = z.toJSONSchema(Policy, { io: 'input' }) as Form;
  const entries = entriesOf(DEFAULT_POLICY, form, '', used);
  const unused = Object.keys(POLICY_WORDS).filter((path) => !used.has(path));
  if (unused.length > 0)
    throw new TypeError(
      `lib/local/trial/policy-words.ts explains fields that the policy does not have: ${unused.join(', ')}`,
    );
  return commentedText(HEAD, entries);
}

function entriesOf(fields: object, form: Form, prefix: string, used: Set<string>): CommentedEntry[] {
  return Object.entries(fields).map(([name, setting]) => {
    const path = `${prefix}${name}`;
    const inner = form.properties?.[name] ?? {};
    const said = wordsOf(path, used);
    const isSection = isObject(setting) && Object.keys(setting).length > 0;
    if (isSection) return { name, says: said, value: { entries: entriesOf(setting, inner, `${path}.`, used) } };
    const says = `${said}${acceptedIn(inner)}`.trim();
    // A reader needs a text that is equal for each group only once.
    const isSaid = used.has(`${name}: ${says}`) && said === '';
    used.add(`${name}: ${says}`);
    return { name, says: isSaid ? '' : says, value: { setting } };
  });
}

/** Explains the fields of the groups of files once, because all groups have the same fields. */
function wordsOf(path: string, used: Set<string>): string {
  const shared = path.replace(/^types\.\w+\.(?=.)/, 'types.GROUP.');
  const said = POLICY_WORDS[shared];
  if (said === undefined)
    throw new TypeError(`the policy field ${shared} has no words in lib/local/trial/policy-words.ts`);
  used.add(shared);
  return said;
}

function acceptedIn(form: Form): string {
  if (form.enum) return ` Accepted: ${listed(form.enum)}.`;
  if (form.items?.enum) return ` Accepted: a list of ${listed(form.items.enum)}.`;
  if (form.minimum !== undefined) return ` Accepted: a whole number from ${form.minimum} to ${form.maximum}.`;
  return '';
}

const listed = (values: readonly unknown[]) => values.join(', ');

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
