/**
 * Pictures of other servers in a disarmed page. Our own attribute identifies them by the digests of their addresses. The page itself names
 * no server and loads nothing. The function that delivers it can put back the addresses that were judged and may stay.
 */
import { createHash } from 'node:crypto';

/** Replaces `src` of an `img`. */
export const HELD_SOURCE = 'airlock-src';
/** Replaces `background` of a page, a table or a part of one. */
export const HELD_BACKGROUND = 'airlock-background';

/** Our own attributes, and the attributes that they become when the picture is shown. */
export const HELD_PICTURES: ReadonlyMap<string, 'src' | 'background'> = new Map([
  [HELD_SOURCE, 'src'],
  [HELD_BACKGROUND, 'background'],
]);

/**
 * The beginning of the word that replaces a picture in the value of a style. The digest follows it. No program knows such a word, so none
 * obeys the declaration.
 */
export const HELD_WORD = 'airlock-';
/** Such words in style. */
export const HELD_WORDS = /(?<![\w-])airlock-([0-9a-f]{64})(?![\w-])/g;

/** Returns the value of such an attribute for an address in the form of the URL Standard. */
export const heldDigest = (href: string): string => createHash('sha256').update(href).digest('hex');
/** The form of such a value. */
export const HELD_DIGEST = /^[0-9a-f]{64}$/;
