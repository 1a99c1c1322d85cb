/** One ordinary file, as people mail it. */
export interface BenignFile {
  readonly kind: string;
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Numbers that are the same in every run: a failure names a file that the next run has too. */
export function numbers(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const WORDS = (
  'the quarterly report shows that sales in the northern region grew while costs stayed flat please find attached our offer for ' +
  'meeting on tuesday at the office about project budget invoice number customer order delivery address account payment due within ' +
  'thirty days thank you for your message kind regards team schedule holiday contract draft version review comments section table ' +
  'open close run shell script macro download update install program window command power point excel word function value document'
).split(' ');

/** Sentences of ordinary words, some of which mean something to a scanner. */
export function prose(random: () => number, words: number): string {
  const chosen = Array.from({ length: words }, () => WORDS[Math.floor(random() * WORDS.length)] ?? '');
  return chosen
    .map((word, index) => (index % 12 === 0 ? `${word.charAt(0).toUpperCase()}${word.slice(1)}` : word))
    .join(' ');
}
