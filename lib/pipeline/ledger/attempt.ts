/** The attempts of a run. Each is a chain of its own with one end; the first is the one that a mail starts when it comes in. */
import * as z from 'zod/mini';
import { RELEASE_FORMS } from '../model.ts';
import { REASON_CODES } from '../reason-codes.ts';
import { Sha256 } from './fields.ts';
import { RunId } from './run-id.ts';

/**
 * Why a run was begun again: a fault that passes, what a person decided about held mail, or that another mail of the same correspondents may
 * tell the password of a file in it.
 */
export const ATTEMPT_REASONS = ['redrive', 'rescan', 'release', 'delete', 'password'] as const;
export type AttemptReason = (typeof ATTEMPT_REASONS)[number];

export const FIRST_ATTEMPT = 1;
/** The longest name of a person and the longest reason, in characters. */
export const LONGEST_NAME = 100;
export const LONGEST_WHY = 500;
/** As long as OpenID Connect lets it be. */
const LONGEST_ID = 255;
const MOST_PEOPLE = 2;

export const AttemptNumber = z.int().check(z.minimum(FIRST_ATTEMPT));

/** One line that begins and ends with a character that is seen. */
const Line = (longest: number) =>
  z.string().check(z.maxLength(longest), z.regex(/^(?=\S)(?!.*\s$)[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+$/u, 'must be one line'));

/** A person who decided something, with the reason. */
export const Person = z.object({
  name: Line(LONGEST_NAME),
  why: Line(LONGEST_WHY),
  at: z.iso.datetime(),
  /** How an issuer names somebody who has signed in, for good. Absent where nobody signs in. */
  id: z.optional(Line(LONGEST_ID)),
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
  begunAt: z.iso.datetime(),
  /** Null for the first. */
  reason: z.nullable(z.enum(ATTEMPT_REASONS)),
  /** The hash of the last entry of the attempt before it; null for the first, and when that attempt left none that can be read. */
  earlier: z.nullable(Sha256),
  /** The people who began it. Absent when nobody in particular did. */
  people: z.optional(z.array(Person).check(z.minLength(1), z.maxLength(MOST_PEOPLE))),
  /** The hash of the record of the decision in the audit trail. */
  audit: z.optional(Sha256),
  /**
   * The runs of other mail whose words were tried as passwords, the newest first: the words themselves are copied nowhere. A later attempt
   * that stands on what was read with them names them, too.
   */
  passwordsFrom: z.optional(z.array(RunId).check(z.minLength(1))),
  /** Set when, and only when, its reason is a release. */
  release: z.optional(Release),
});
export type Attempt = z.infer<typeof Attempt>;

/** True unless both are surely different people: nobody is a second person by another spelling of his name, or by another name under one sign-in. */
export function samePerson(one: Named, other: Named): boolean {
  const plain = (name: string) => name.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase();
  return plain(one.name) === plain(other.name) || (one.id !== undefined && one.id === other.id);
}

type Named = Pick<Person, 'name' | 'id'>;
