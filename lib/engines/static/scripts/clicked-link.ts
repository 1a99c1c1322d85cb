/** Links that run a script of their page on a click: their code, and whether it only calls functions that the page defines. */

const CLICKED = /^\s*javascript:(.*)$/is;

/**
 * Returns the code of a link `javascript:…` as a browser runs it, without the tabs and line breaks that browsers skip, and with the percent
 * signs decoded. Returns null for every other link. A scheme with other signs in it, which browsers skip, counts as hidden and not as such
 * a link.
 */
export function clickedCode(link: string): string | null {
  const code = CLICKED.exec(link)?.[1];
  return code === undefined ? null : percentDecoded(code.replace(/[\t\n\r]/g, ''));
}

function percentDecoded(code: string): string {
  return code.replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'));
}

/** The code of ordinary links is short. */
const MAX_CODE = 600;
const NAME = String.raw`[a-z_$][\w$]{0,60}`;
const DOTTED = String.raw`${NAME}(?:\.${NAME}){0,6}`;
/** Signs of names, of addresses and of prose. They are not enough to write code or elements of a page. */
const TEXT = String.raw`[\w .,:/?&=#@%+~!|$\u00a0-\u{10ffff}-]{0,200}`;
const VALUE = String.raw`(?:"${TEXT}"|'${TEXT}'|-?\d[\d.]{0,20}|true|false|null|event|this(?:\.${NAME}){0,3})`;
const CALL = String.raw`${DOTTED} ?\( ?(?:${VALUE}(?: ?, ?${VALUE}){0,9})? ?\)`;
const CHAIN = String.raw`${CALL}(?:\.${CALL}){0,3}`;
const STATEMENT = String.raw`(?:(?:void|return) )?(?:${CHAIN}|void ?\( ?${CHAIN} ?\)|false|true|0)`;
const CALLS = new RegExp(`^ {0,9}${STATEMENT}(?: ?; ?${STATEMENT}){0,4} ?;? {0,9}$`, 'iu');

/** Calls that run, load, decode or send their arguments, or put them on the page. */
const ACTS = new RegExp(
  String.raw`\b(?:${[
    'eval|globalEval|function|execScript|setTimeout|setInterval|setImmediate|constructor|call|apply|bind|import|importScripts|require|getScript',
    'write|writeln|writeText|setData|execCommand|parseHTML|createContextualFragment|createObjectURL|postMessage|atob|btoa|unescape|escape|decodeURI|decodeURIComponent|fromCharCode|fetch|sendBeacon|load|ajax|post|get|getJSON',
    'setAttribute|createElement|attr|prop|html|append|prepend|insert\\w*|register|registerProtocolHandler|registerContentHandler|showModalDialog|showModelessDialog|defineProperty|assign|replace|navigate',
  ].join('|')})\s?\(`,
  'i',
);
/** An address of another scheme, such as `data:` or the scheme of a program. */
const OTHER_SCHEME = /["']\s*(?!https?:)[a-z][a-z\d+.-]*:/i;
const REMOTE = /["']\s*(?:https?:|\/\/)/i;
/** Objects of the browser, of Windows and of libraries whose functions reach out of the page or run their arguments. */
const OUTSIDE =
  /(?<![\w$])(?:navigator|external|clipboard|clipboardData|Reflect|Object|Function|chrome|browser|WScript|Application|axios|angular)\s?\./i;
/** A command of a system, which a page asks a person to paste, or which a control would run. */
const COMMAND =
  /["'][^"']*?\b(?:powershell|pwsh|cmd(?:\.exe)? ?\/[a-z]|mshta|wscript|cscript|rundll32|regsvr32|certutil|bitsadmin|msiexec|osascript|iex|iwr)\b|\| ?(?:ba|z|da)?sh\b/i;
/** One call of a function of the page, or of `window.open`. */
const ONE_CALL = new RegExp(String.raw`^ ?(?:(?:void|return) )?(?:window\.)?${NAME} ?\([^()]{0,500}\) ?;? ?$`, 'i');

/**
 * Returns true for a link whose code is a few calls with plain values, as in pages of documentation, of forms and of calendars. The
 * functions are those of the page, whose scripts are judged. All other code in a link is suspicious: a writer who can put a script in a
 * page needs none in a link.
 */
export function isOrdinaryCall(link: string): boolean {
  const code = clickedCode(link);
  if (code === null || code.length > MAX_CODE) return false;
  if (!CALLS.test(code)) return false;
  if ([ACTS, OUTSIDE, OTHER_SCHEME, COMMAND].some((pattern) => pattern.test(code))) return false;
  return !REMOTE.test(code) || ONE_CALL.test(code);
}
