/** Compares words that differ by typing errors or look-alike spellings. */

/** Returns whether two words differ by one added, missing or changed letter, or by two swapped neighbours. Takes linear time. */
export function isOneSlip(word: string, other: string): boolean {
  if (word === other || Math.abs(word.length - other.length) > 1) return false;
  let start = 0;
  while (start < word.length && word[start] === other[start]) start += 1;
  let [end, otherEnd] = [word.length, other.length];
  while (end > start && otherEnd > start && word[end - 1] === other[otherEnd - 1]) {
    end -= 1;
    otherEnd -= 1;
  }
  const [middle, otherMiddle] = [word.slice(start, end), other.slice(start, otherEnd)];
  if (middle.length <= 1 && otherMiddle.length <= 1) return true;
  const isSwap = middle[0] === otherMiddle[1] && middle[1] === otherMiddle[0];
  return middle.length === 2 && otherMiddle.length === 2 && isSwap;
}

/** Digits that look like letters. */
const DIGITS: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '9': 'g',
};

/** Returns one spelling for everything that a hasty reader takes for the same: digits are letters, `rn` is `m`, `vv` is `w`, `i` is `l`. */
export function confusableForm(word: string): string {
  return word
    .replace(/[0-9]/g, (digit) => DIGITS[digit] ?? digit)
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replaceAll('i', 'l');
}
