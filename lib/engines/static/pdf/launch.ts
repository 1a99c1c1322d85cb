/**
 * Decides whether a document starts a program by itself: an action that runs without a click leads to an action of the type Launch (ISO
 * 32000-1, 12.6). A form may have a script that runs when it is opened, and a button that opens a file. That is no attack by itself.
 */

/** An object of the document with its number; null where the number is not known. */
export interface NumberedObject {
  readonly number: number | null;
  readonly text: string;
}

/** The most objects that are followed. Stops chains of actions that lead to each other. */
const MAX_FOLLOWED = 200;
/** The longest dictionary that is read behind a key. */
const MAX_VALUE = 32 * 1024;
const TRIGGER = /\/(?:OpenAction|AA)(?![\w.+-])\s{0,200}/g;
const REFERENCE = /(?<![\d.])(\d{1,10})\s{1,9}\d{1,5}\s{1,9}R(?!\w)/g;
const LAUNCH = /\/Launch(?![\w.+-])/;
const ACTION = /\/(?:S|Next)(?![\w.+-])/;

/**
 * Returns true when an action that starts by itself leads to an action of the type Launch, or may: an object without a number may be any.
 */
export function launchesByItself(objects: readonly NumberedObject[]): boolean {
  const byNumber = new Map<number | null, string[]>();
  const values: string[] = [];
  for (const { number, text } of objects) {
    const plain = withoutEscapes(text);
    byNumber.set(number, [...(byNumber.get(number) ?? []), plain]);
    for (const match of plain.matchAll(TRIGGER)) values.push(valueAt(plain, match));
  }
  if (values.some((value) => LAUNCH.test(value))) return true;
  const hasLost = values.length > 0 && (byNumber.get(null) ?? []).some((text) => LAUNCH.test(text));
  if (hasLost) return true;
  return leadsToLaunch(values.flatMap(referencesIn), byNumber);
}

/** Follows references from action to action. At the limit, the result is as if it had found one. */
function leadsToLaunch(waiting: number[], byNumber: ReadonlyMap<number | null, readonly string[]>): boolean {
  const seen = new Set<number>();
  for (let next = waiting.pop(); next !== undefined && seen.size < MAX_FOLLOWED; next = waiting.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const texts = byNumber.get(next) ?? [];
    if (texts.some((text) => LAUNCH.test(text))) return true;
    for (const text of texts) {
      if (ACTION.test(text) || seen.size === 1) waiting.push(...referencesIn(text).slice(0, MAX_FOLLOWED));
    }
  }
  return seen.size >= MAX_FOLLOWED;
}

/** Returns the value behind a key: a dictionary up to its end, or the token there. */
function valueAt(text: string, { index = 0, 0: key }: RegExpExecArray): string {
  const from = index + key.length;
  if (!text.startsWith('<<', from)) return text.slice(from, from + 40);
  let depth = 0;
  for (let at = from; at < Math.min(text.length, from + MAX_VALUE); at++) {
    const pair = text.slice(at, at + 2);
    if (pair !== '<<' && pair !== '>>') continue;
    depth += pair === '<<' ? 1 : -1;
    at++;
    if (depth === 0) return text.slice(from, at + 1);
  }
  return text.slice(from, from + MAX_VALUE);
}

const referencesIn = (text: string): number[] => [...text.matchAll(REFERENCE)].map(([, number]) => Number(number));

const withoutEscapes = (text: string): string =>
  text.includes('#')
    ? text.replace(/#([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text;
