/** Finds sentences that begin with a clause as their subject, such as "What is not here may do anything." */

/** Returns the sentences of a text of prose, without marks of Markdown in front of them. */
const sentencesOf = (prose: string): string[] =>
  prose.split(/(?<=[.!?:][)*]*)\s+|\n\n|^ *(?:[-*]|\d+\.) /m).map((each) => each.replace(/^[*(]+/, ''));

/** Returns the sentences that are riddles. A question is none. */
export const riddlesIn = (prose: string): string[] =>
  sentencesOf(prose).filter((each) => /^(?:What(?:ever)?|Who(?:ever)?|That which)\b[^?]*$/.test(each));
