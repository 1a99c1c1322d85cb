/** Letters of other alphabets that look Latin, and the alphabets of one label (UTS 39). */
import { UTS39_LATIN } from './confusable-table.ts';

/**
 * Letters that a hasty reader takes for Latin ones and that the table of UTS 39 does not have: Cyrillic, Greek, Armenian, Cherokee and
 * Latin letters. Cyrillic, Greek, Armenian, Cherokee and Latin letters.
 */
const PAIRS = `
аa вb еe ёe нh іi їi јj кk ӏl мm оo рp сc ѕs тt уy ўy хx ԁd ԛq ԝw һh гr пn ѵv ԍg ьb зe єe ғf ԏt чu шw щw яr ӕae ҽe ҫc ӄk ɡg ԑe ԃd
αa βb γy δd εe ζz ηn ιi κk λl μm νv οo ρp σo ςc τt υu χx ωw ϲc ϳj άa έe ήn ίi όo ύu ώw ϊi ϋu θo ϐb ϑo ϕo
օo սu տs հh ոn ցg ԛq յj քp Ꭵi ꭵi Ꮷd
ıi łl øo đd ħh ŧt ŋn ɑa ɩi ʟl ʀr ʏy ʙb ᴄc ᴅd ᴇe ᴋk ᴍm ᴏo ᴘp ᴛt ᴜu ᴠv ᴡw ᴢz ɢg ɪi ɴn ʜh ꜱs ƅb ƈc ɗd ƒf ɠg ɦh ƙk ɱm ɲn ƞn ɵo ƥp ʠq ɽr ʂs ƭt ʋv ƴy ʐz ßb æae œoe ðd þp ǀl`;

const SKELETON: ReadonlyMap<string, string> = new Map(
  PAIRS.trim()
    .split(/\s+/)
    .map((pair) => [...pair])
    .filter((pair) => pair.length > 1)
    .map(([letter = '', ...latin]) => [letter, latin.join('').toLowerCase()]),
);

/** Returns the text as a hasty reader sees it: without marks and with look-alikes replaced. Takes lower case, and returns mostly ASCII. */
export function skeletonOf(text: string): string {
  return [...text.normalize('NFKD').replace(/\p{M}/gu, '')]
    .map((letter) => SKELETON.get(letter) ?? UTS39_LATIN.get(letter) ?? letter)
    .join('');
}

const ASCII = /^[\0-\x7f]*$/;
export const isAscii = (text: string): boolean => ASCII.test(text);

/** Returns whether every letter outside ASCII looks Latin and none is a Latin letter with a mark: `аррӏе`, not `müller`. */
export const isLookAlikeOnly = (label: string): boolean =>
  !isAscii(label) && !/\p{Script=Latin}/u.test(label.replace(/[a-z]/g, '')) && isAscii(skeletonOf(label));

const SCRIPTS: readonly RegExp[] = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
];
const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u;

/**
 * Returns whether the alphabets mix. Latin beside Han or kana is ordinary (UTS 39 §5.2, highly restrictive); Latin beside Cyrillic or Greek
 * is not.
 */
export function isMixedScript(label: string): boolean {
  const present = SCRIPTS.map((script) => script.test(label));
  return present.filter(Boolean).length > 1 || (EAST_ASIAN.test(label) && present.slice(1).some(Boolean));
}
