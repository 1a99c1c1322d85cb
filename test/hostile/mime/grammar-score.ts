/** Checks what the reader makes of mails that deviate from the grammar. A case takes a millisecond. */
import { createHash } from 'node:crypto';
import { readMessage } from '../../../lib/message/reading/read.ts';
import { DEFAULT_LIMITS } from '../../../lib/pipeline/limits.ts';
import { DEFAULT_POLICY } from '../../../lib/pipeline/policy/policy.ts';
import type { Deviation } from './deviation.ts';
import { MARK, PAYLOAD, PLACES, tokensOf, written } from './mail-tokens.ts';
import { leavesThatOthersYield } from './other-parsers.ts';
import { DEVIATIONS } from './productions.ts';

export interface Case {
  readonly id: string;
  readonly email: Buffer;
}

/**
 * `artifact`: the payload is a part, and the mail goes on to be judged. `held`: a warning holds it by the default policy. `inert`: no
 * parser of others shows anything of the payload. Anything else is what a parser of others shows and we do not, in words.
 */
export type Fate = 'artifact' | 'held' | 'inert' | { readonly won: string };

const HOLDS: ReadonlySet<string> = new Set(DEFAULT_POLICY.message.quarantineWarnings);
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const PAYLOAD_HASH = sha256(PAYLOAD);
const NAMES = Object.keys(PLACES);

/** The mail with these deviations, applied in this order. */
export function caseOf(place: string, ...deviations: readonly Deviation[]): Case {
  const tokens = tokensOf(place);
  for (const deviation of deviations) deviation.apply(tokens);
  return { id: [place, ...deviations.map(({ name }) => name)].join(' | '), email: written(tokens) };
}

/** Every deviation alone, in every place. */
export function* singles(): Iterable<Case> {
  for (const place of NAMES) for (const deviation of DEVIATIONS) yield caseOf(place, deviation);
}

/** How many pairs there are in all. */
export const PAIRS = (DEVIATIONS.length * (DEVIATIONS.length - 1)) / 2;

/** A sample of the pairs of deviations, each in one of the places. */
export function* doubles(step: number): Iterable<Case> {
  let number = 0;
  for (const [at, first] of DEVIATIONS.entries())
    for (const second of DEVIATIONS.slice(at + 1))
      if (number++ % step === 0) yield caseOf(NAMES[Math.floor(number / step) % NAMES.length] ?? '', first, second);
}

/** Reads the mail, and asks independent parsers when nothing holds it. */
export async function fateOf({ email }: Case): Promise<Fate> {
  const { parts, warnings } = await readMessage(email, DEFAULT_LIMITS);
  if (warnings.some(({ code }) => HOLDS.has(code))) return 'held';
  const known = new Set(parts.map((part) => part.sha256));
  for (const { parser, bytes } of await leavesThatOthersYield(email, MARK))
    if (!isKnown(bytes, known)) return { won: `${parser} shows a payload that no part of ours is` };
  return known.has(PAYLOAD_HASH) ? 'artifact' : 'inert';
}

/**
 * The line break at the end of a body belongs to it or to the delimiter, and parsers do not agree; and one of them takes a delimiter
 * with blanks behind it, which are legal, for more of the file.
 */
function isKnown(leaf: Uint8Array, known: ReadonlySet<string | null>): boolean {
  const bytes = Buffer.from(leaf);
  if (known.has(PAYLOAD_HASH) && bytes.subarray(0, PAYLOAD.length).equals(PAYLOAD)) return true;
  return ['', '\n', '\r\n'].some(
    (end) => bytes.toString('latin1').endsWith(end) && known.has(sha256(bytes.subarray(0, bytes.length - end.length))),
  );
}
