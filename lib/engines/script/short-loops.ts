/**
 * Shortens loops that count far, for a further run. Such a loop only takes time until an analysis gives up, and its last number is written
 * in the code.
 */
import { skip } from './rewrite-eval.ts';

const COMPARED = /^(?:[<>]=?|[!=]==?)\s{0,9}(\d{6,15}|\d{1,3}(?:\.\d{1,6})?e\+?\d{1,3}|0x[\da-f]{5,13})(?![\w.])/i;
/** The longest text that the expression matches. */
const COMPARED_CHARS = 40;
/** Numbers from which on a loop takes time. Numbers of a date are larger, and stay. */
const [FAR, DATE] = [200_000, 1e11];
const NEAR = '999';

/**
 * Returns the code with a small number in the place of every large number with which a value is compared. Texts and comments stay. It takes
 * one pass.
 */
export function shortLoops(code: string): string {
  const out: string[] = [];
  let last = '';
  let copied = 0;
  for (let at = 0; at < code.length; ) {
    const end = skip(code, at, last);
    if (end > at) {
      last = '"';
      at = end;
      continue;
    }
    const char = code.charAt(at);
    const compared = '<>=!'.includes(char) ? COMPARED.exec(code.slice(at, at + COMPARED_CHARS)) : null;
    const number = compared?.[1] ?? '';
    if (compared && Number(number) >= FAR && Number(number) < DATE) {
      out.push(code.slice(copied, at + compared[0].length - number.length), NEAR);
      at += compared[0].length;
      copied = at;
      last = '9';
      continue;
    }
    if (!/\s/.test(char)) last = char;
    at += 1;
  }
  out.push(code.slice(copied));
  return out.join('');
}
