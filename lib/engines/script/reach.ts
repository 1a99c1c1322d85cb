/**
 * Decides whether a script that did nothing could do anything. Windows runs a script file with all rights of its user, and a script that
 * notices the emulation does nothing here. So inactivity makes no script benign: its text must also hold no way to reach the machine. Code
 * that Windows Script Host cannot even compile can only act in a page, and is judged as the script of a page.
 */
import { anyOf } from '../../formats/patterns.ts';
import { judgeCode } from '../static/scripts/code.ts';

/** Names of the objects and programs through which a script acts outside of a page, in any place of the text. */
const OUTSIDE = anyOf(
  [
    /activex|wscript|execscript|(?:create|get)object\s{0,9}\(|scriptcontrol|scripting\.|winmgmts|adodb|msxml|microsoft\.xmlhttp|shell\.application/,
    /powershell|mshta|rundll32|regsvr32|cmd\.exe|child_process|worker_threads|process\.binding/,
    /@cc_on|@if\s{0,9}\(|@set\s{0,9}@|#@~\^/,
  ],
  'i',
);
/** Ways to make code, or to call a function that the text does not name. Bundles find the global object with `Function('return this')`. */
const MAKES_CODE = anyOf([
  /(?<![.\w$])eval\b/,
  /(?<![.\w$])Function\s{0,9}\((?!\s{0,9}["']return this["']\s{0,9}\))/,
  /["'`]constructor["'`]/,
  /\.constructor\s{0,9}[([]/,
]);
const CALLS_COMPUTED = anyOf([/\bnew\s{1,9}[\w$.]{1,80}\s{0,9}\[/, /[\w$)\]]\[(?!["'\d])[^[\]\n]{1,80}\]\s{0,9}\(/]);
/** The longest text that is searched as a whole for ways to hide words (`judgeCode`). */
const WHOLE_CHARS = 256 * 1024;

/**
 * Returns true when nothing in the text could act in Windows Script Host. `isNewer` says that it is written in a newer language than that
 * host has.
 */
export function cannotReach(text: string, isNewer: boolean): boolean {
  if (OUTSIDE.test(text)) return false;
  if (isNewer) return true;
  if (text.length > WHOLE_CHARS || MAKES_CODE.test(text) || CALLS_COMPUTED.test(text)) return false;
  return judgeCode(text, 'text/javascript').findings.length === 0;
}

/** The most places at which it is tried whether an arrow is code. */
const TRIED = 8;
const ARROW = /=>|`/g;

/**
 * Returns true when the code uses arrow functions or templates, which no Windows Script Host compiles. The compiler decides this, not a
 * reading of our own. With a sign that is no code in the place of the arrow, code no longer compiles, but a text still does.
 */
export function isNewerCode(code: string, compiles: (code: string) => boolean): boolean {
  let tried = 0;
  for (const { index, 0: sign } of code.matchAll(ARROW)) {
    if (tried++ >= TRIED) return false;
    const without = `${code.slice(0, index)}${'@'.repeat(sign.length)}${code.slice(index + sign.length)}`;
    if (!compiles(without)) return true;
  }
  return false;
}
