/** The attempts of a run. Each has its own chain with one end. An incoming mail starts the first attempt. */
import * as z from 'zod/mini';
import { RELEASE_FORMS } from '../model.ts';
import { REASON_CODES } from '../reason-codes.ts';
import { Sha256, Time } from './fields.ts';
import { RunId } from './run-id.ts';

/**
 * The reason why a run was begun again: a temporary fault, the decision of a person about held mail, or another mail of the same
 * correspondents that may tell the password of a file.
 */
export const ATTEMPT_REASONS = ['redrive', 'rescan', 'release', 'delete', 'password'] as const;
export type AttemptReason = (typeof ATTEMPT_REASONS)[number];

export const FIRST_ATTEMPT = 1;
/** The longest name of a person and the longest reason, in characters. */
export const MAX_NAME_LENGTH = 100;
export const MAX_WHY_LENGTH = 500;
/** The longest subject that OpenID Connect allows. */
const MAX_ID_LENGTH = 255;
const MAX_PEOPLE = 2;

export const AttemptNumber = z.int().check(z.minimum(FIRST_ATTEMPT));

/** Accepts one line that begins and ends with a visible character. */
const Line = (longest: number) =>
  z.string().check(z.maxLength(longest), z.regex(/^(?=\S)(?!.*\s$)[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+$/u, 'must be one line'));

/** A person who decided something, with the reason. */
export const Person = z.object({
  name: Line(MAX_NAME_LENGTH),
  why: Line(MAX_WHY_LENGTH),
  at: Time,
  /** The permanent name of a signed-in person at his issuer. Absent where nobody signs in. */
  id: z.optional(Line(MAX_ID_LENGTH)),
});
export type Person = z.infer<typeof Person>;

/** The form that a person released. */
export const Release = z.object({
  form: z.enum(RELEASE_FORMS),
  /** The reasons for which the message was held when it was released. The release covers no other. */
  covers: z.array(z.enum(REASON_CODES)),
});
export type Release = z.infer<typeof Release>;

export const Attempt = z.object({
  number: AttemptNumber,
  begunAt: Time,
  /** Null for the first. */
  reason: z.nullable(z.enum(ATTEMPT_REASONS)),
  /** The hash of the last entry of the attempt before it; null for the first, and when that attempt left none that can be read. */
  earlier: z.nullable(Sha256),
  /** The people who began it. Absent when no person did. */
  people: z.optional(z.array(Person).check(z.minLength(1), z.maxLength(MAX_PEOPLE))),
  /** The hash of the record of the decision in the audit trail. */
  audit: z.optional(Sha256),
  /**
   * The runs of other mail whose words were tried as passwords, the newest first. The words themselves are copied nowhere. A later attempt
   * that is based on this reading names these runs, too.
   */
  passwordsFrom: z.optional(z.array(RunId).check(z.minLength(1))),
  /** Set when, and only when, its reason is a release. */
  release: z.optional(Release),
});
export type Attempt = z.infer<typeof Attempt>;

/**
 * Returns true unless both are certainly different people. Another spelling of a name, or another name under one sign-in, makes nobody a
 * second person.
 */
export function samePerson(one: Named, other: Named): boolean {
  const plain = (name: string) =>
    name
      .normalize('NFKC')
      .replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, '')
      .replace(/\s+/g, ' ')
      .trim()
      .toLowerCase();
  return plain(one.name) === plain(other.name) || (one.id !== undefined && one.id === other.id);
}

type Named = Pick<Person, 'name' | 'id'>;
