/**
 * A piece of an address that is one of these words. The group is needed: without it, only the first word has a beginning and only the last
 * one an end.
 */
export const oneOf = (words: readonly string[]): string => `{(?:${words.join('|')})}`;
