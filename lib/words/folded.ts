/**
 * A text as it looks to a reader: without invisible characters and marks on letters, in plain letters (Unicode Standard Annex #15, Unicode
 * Technical Standard #39). Pure.
 */

export interface FoldedText {
  readonly text: string;
  /** Returns the source position of each character of the folded text. */
  readonly sourceOf: (at: number) => number;
}

const PLAIN = /^[\t\n\f\r -~]*$/;
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Mn}\p{Cf}]|(?!\s)\p{Cc}/gu;
/** The most characters into which one can be taken apart. Characters of the sign are taken apart into four at most. */
const LONGEST = 4;

/** Letters and brackets of other scripts that look like those of the sign. */
const LOOKALIKES: ReadonlyMap<string, string> = new Map(
  [
    ['m', 'МмΜϺᴍ'],
    ['a', 'АаΑαɑᎪᴀ'],
    ['i', 'ІіΙιıӀӏᎥɪ'],
    ['l', 'ǀʟ'],
    ['r', 'гᴦᎡʀ'],
    ['o', 'ОоΟοσօՕᴏ'],
    ['c', 'СсϹϲᏟᴄ'],
    ['k', 'КкΚκᴋ'],
    ['[', '〔【「『〖〘〚❲⟦⁅⌈⌊'],
    [']', '〕】」』〗〙〛❳⟧⁆⌉⌋'],
  ].flatMap(([plain = '', alike = '']) => [...alike].map((one): [string, string] => [one, plain])),
);

/** Folds a text, in time linear in its length. */
export function folded(source: string): FoldedText {
  if (PLAIN.test(source)) return { text: source, sourceOf: (at) => at };
  const kept: string[] = [];
  const places: number[] = [];
  let at = 0;
  for (const character of source) {
    const plain = character >= ' ' && character <= '~' ? character : plainOf(character);
    if (plain !== '') kept.push(plain);
    for (let index = 0; index < plain.length; index++) places.push(at);
    at += character.length;
  }
  return { text: kept.join(''), sourceOf: (place) => places[place] ?? source.length };
}

function plainOf(character: string): string {
  const apart = character.normalize('NFKD').replace(UNSEEN, '').slice(0, LONGEST);
  return [...apart].map((one) => LOOKALIKES.get(one) ?? one).join('');
}
