/** The links of fields, in the documents and the rich text of Word ([ECMA-376] part 1, 17.16.5.25). */

/** The words in the code of a field: a path on a share, a switch, or a word with or without quotes. */
const FIELD_WORDS = /(\\\\[^\s"]+)|\\([a-z])(?![a-z])|"([^"]*)"?|([^\s"]+)/gi;
/** Switches of a link whose word is a bookmark, a tip or a frame. */
const WITH_WORD = /^[lot]$/i;

/** Returns the targets of a HYPERLINK field. Word takes typographic quotes for quotes, too. */
export function linksOfField(field: string): string[] {
  const rest = /^\s*HYPERLINK\b/i.test(field) ? field.trim().slice('HYPERLINK'.length).replace(/[“”„]/g, '"') : '';
  const links: string[] = [];
  let isSwitch = false;
  for (const [, share, letter, quoted, word] of rest.matchAll(FIELD_WORDS)) {
    if (letter === undefined && !isSwitch) links.push(share ?? quoted ?? word ?? '');
    isSwitch = letter !== undefined && WITH_WORD.test(letter);
  }
  return links;
}
