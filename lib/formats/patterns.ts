/** Builds long regular expressions out of parts that can be read one by one. */

/**
 * Returns the source of a group that matches one of the alternatives in a list. They are separated by white space and written as
 * expressions.
 */
export const oneOf = (list: string): string => `(?:${list.trim().split(/\s+/).join('|')})`;

/** Returns an expression that matches what any of the parts matches. The first part that matches counts; the flags of the parts do not. */
export const anyOf = (parts: readonly RegExp[], flags = ''): RegExp =>
  new RegExp(parts.map(({ source }) => source).join('|'), flags);
