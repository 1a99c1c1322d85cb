/**
 * Finds the targets of the links of rich text, and the files that Word loads with it ([RTF 1.9.1]: fields, `\template`, and the properties
 * of shapes).
 */
import type { Finding } from '../../engine.ts';
import { finding } from '../findings/findings.ts';
import { isOwnFile, judgeClicked, judgeLoaded } from '../findings/link-target.ts';
import { findingsOfTargets, type JudgedTarget } from '../findings/target-findings.ts';
import { hasComputedFieldInRichText } from './computed-fields.ts';
import { linksOfField } from './field-links.ts';

const FIELD = /\\fldinst(?![a-z])-?\d{0,10} ?/gi;
/** The most characters of a field that are read. */
const MAX_FIELD = 8_000;
/** A template whose path is written in letters, doubled backslashes and bytes alone, as Word writes it. */
const PLAIN_TEMPLATE = /^[ \r\n]?((?:[^\\{}]|\\\\|\\'[0-9a-f]{2})*)\}/i;
const TEMPLATE = /\\template(?![a-z])/gi;
/** Properties of a shape: the name of a picture, a fill or a line, its flags, and the value behind each. */
const PICTURE_NAME = /\\sn\s+(?:pib|fillBlip|lineFillBlip)Name\s*\}\s*\{\\sv(?![a-z])/gi;
const PICTURE_FLAGS = /\\sn\s+(?:pib|fillBlip|lineFillBlip)Flags\s*\}\s*\{\\sv\s+(\d{1,9})/gi;
/** The picture is loaded from its name ([MS-ODRAW] 2.4.22, fUsesFileOrURL with fLinkToFile). */
const LOADED_FROM_NAME = 8;

/**
 * Returns whether the text names a template that is loaded from elsewhere. A template on a drive or beside the document belongs to its
 * writer.
 */
export function hasFarTemplate(text: string): boolean {
  return [...text.matchAll(TEMPLATE)].some(({ 0: word, index }) => {
    const path = PLAIN_TEMPLATE.exec(text.slice(index + word.length, index + word.length + MAX_FIELD))?.[1];
    return path === undefined || !isOwnFile(readable(path));
  });
}

/**
 * Returns the instructions of all fields, each in every way in which a program may read it. Returns null when they are nested so deep that
 * it would take too long to read them all.
 */
export const richFields = (text: string): string[] | null => groupsBehind(FIELD, text);

/** Judges the links of `fields`, and the pictures that shapes load. */
export function judgeRichLinks(text: string, fields: readonly string[]): Finding[] {
  const isLinked = [...text.matchAll(PICTURE_FLAGS)].some(([, flags]) => (Number(flags) & LOADED_FROM_NAME) !== 0);
  const pictures = isLinked ? groupsBehind(PICTURE_NAME, text) : [];
  if (pictures === null) return [finding('rtf-active')];
  const judged = [
    ...fields.flatMap(linksOfField).map((link): JudgedTarget => [judgeClicked(link), link]),
    ...pictures.map((picture): JudgedTarget => [judgeLoaded(picture.trim()), picture]),
  ];
  return findingsOfTargets(judged, 'document');
}

/** The most characters that are read for each character of a text. Fields in fields are read again, and no program nests them so deep. */
const MAX_READINGS = 3;

/**
 * Returns the groups that a word begins, in every reading. Returns null when they are nested so deep that it would take too long to read
 * them all.
 */
function groupsBehind(word: RegExp, text: string): string[] | null {
  const groups: string[] = [];
  let left = MAX_FIELD + text.length * MAX_READINGS;
  for (const { 0: found, index } of text.matchAll(word)) {
    const from = index + found.length;
    const end = groupEnd(text, from);
    left -= end - from;
    if (left < 0) return null;
    groups.push(...readingsOf(text.slice(from, end)));
  }
  return groups;
}

/** Returns the end of the group at a place, or the most that is read of it. */
function groupEnd(text: string, from: number): number {
  const last = Math.min(text.length, from + MAX_FIELD);
  let depth = 1;
  for (let at = from; at < last; at++) {
    const sign = text[at];
    if (sign === '\\') at++;
    else if (sign === '{') depth++;
    else if (sign === '}' && --depth === 0) return at;
  }
  return last;
}

/**
 * Returns a group in the ways in which programs read it. One is with the text of unknown destinations, and one without it, such as the name
 * of a bookmark before the keyword of a field. One is with the text behind a letter by its number, and one without it, because a writer
 * chooses how much replaces such a letter.
 */
function readingsOf(group: string): string[] {
  const groups = group.includes('\\*') ? [group, withoutDestinations(group)] : [group];
  if (!/\\u-?\d/i.test(group)) return groups.map(readable);
  const replaced = replacedBy(group);
  return groups.flatMap((each) => [readable(each), readable(each.replace(replaced, '$1?'))]);
}

/** Reads a letter by its number, with the number of characters behind it that the group gives (`\uc`), or one. */
function replacedBy(group: string): RegExp {
  const count = /\\uc([0-9])(?!\d)/.exec(group)?.[1] ?? '1';
  return new RegExp(`(\\\\u-?\\d{1,6})(?!\\d) ?(?:\\\\'[0-9a-f]{2}|\\\\[\\\\{}]|[^\\\\{}\\r\\n]){0,${count}}`, 'gi');
}

const DESTINATION = /\{\s{0,20}\\\*/y;

function withoutDestinations(group: string): string {
  let kept = '';
  let depth = 0;
  for (let at = 0; at < group.length; at++) {
    const isPair = group[at] === '\\';
    DESTINATION.lastIndex = at;
    if (group[at] === '{' && (depth > 0 || DESTINATION.test(group))) depth++;
    else if (group[at] === '}' && depth > 0) depth--;
    else if (depth === 0) kept += isPair ? group.slice(at, at + 2) : group[at];
    if (isPair) at++;
  }
  return kept;
}

const PIECE =
  /\\(?:'([0-9a-f]{2})|u(-?\d{1,6}) ?(?:\?|\\'[0-9a-f]{2})?|[a-z]{1,32}-?\d{0,10} ?|([\\{}])|[^a-z])|[{}\r\n]/gi;

/** Returns whether a field has another one in its name. */
export const hasComputedRichField = (text: string): boolean => hasComputedFieldInRichText(text, readable);

/**
 * Returns the letters of a group, without the groups and control words between them. A letter by its number has one replacement behind it.
 */
function readable(group: string): string {
  return group.replace(PIECE, (_, hex?: string, code?: string, escaped?: string) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    return code === undefined ? (escaped ?? '') : String.fromCharCode(Number(code) & 0xffff);
  });
}
