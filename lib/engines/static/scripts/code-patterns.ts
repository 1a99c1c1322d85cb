/** Forms of code that show its action, where a word alone would not. */
import { anyOf, oneOf } from '../../../formats/patterns.ts';

/** Procedures that Office calls by itself, and events of controls that appear with the document. */
export const AUTO_RUN = new RegExp(
  String.raw`\b${oneOf(String.raw`
    auto_?(?:open|exec|close|exit|new) document_?(?:open|close|new|beforeclose)
    workbook_?(?:open|activate|beforeclose|deactivate) worksheet_(?:activate|calculate|change)
    presentation_open slideshow_?begin on(?:slideshowpagechange|load|connect)
    \w{1,40}_(?:layout|painted|painting|gotfocus|mousehover|mousemove|resize|${[
      'beforenavigate2',
      'navigatecomplete2',
      'documentcomplete',
      'onconnecting',
      'propertychange',
    ].join('|')})
  `)}\s{0,3}\(`,
  'i',
);

/** Text in front of a statement or an expression of VBA. Prose does not have it before the word "shell". */
const VBA_START = /(?:^|[=:(,]|\bcall\b|\bthen\b|\belse\b)[ \t]{0,8}/;
const VBA_ARGUMENTS = /(?:\(|"|[a-z_]\w{0,60}[ \t]{0,3}(?:[,&\r\n]|$))/;
/** A call of VBA's own Shell. */
export const SHELL_CALL = new RegExp(
  String.raw`${VBA_START.source}(?:vba\.|interaction\.)?shell[$!]?[ \t]{0,3}${VBA_ARGUMENTS.source}`,
  'im',
);

/**
 * Calls of computed names: `new ActiveXObject(decode(...))`, `WScript[name(...)]`, and `object[list[3]](...)` beside an ActiveXObject.
 * Only a program that hides something writes them.
 */
export const COMPUTED_CALL = anyOf([
  /\bnew\s{1,9}(?:ActiveXObject\s{0,9}\(\s{0,9}[\w$]{1,60}\s{0,9}\(|(?:this|self|globalThis|window)\s{0,9}\[)/,
  /\bWScript\s{0,9}\[/,
  /\bCreateObject\s{0,9}\(\s{0,9}[\w$]{1,60}\s{0,9}\(\s{0,9}(?:["'\d[]|[\w$]{1,60}\[)/,
  /\bActiveXObject\b[^\r\n]{0,400}[\w$)]\[\s{0,9}[\w$]{1,60}\s{0,9}(?:\[[^\]\r\n]{1,20}\]|\([^)\r\n]{1,60}\))\s{0,9}\]\s{0,9}\(/,
]);

/** A script from the network that runs at once: a script element of a host names it, or one tool passes it to the shell. */
export const REMOTE_SCRIPT = {
  host: /<script\b[^>]{0,200}\ssrc\s{0,9}=\s{0,9}["']?(?:https?:|\\\\)/i,
  unix: /^[^#\r\n]{0,200}\b(?:curl|wget)\s[^\r\n#|;&]{0,300}\|\s{0,9}(?:sudo\s{1,9})?(?:ba|z|da)?sh\b/im,
};

/** JavaScript that evaluates text, and so may hide words. Case counts: `= function` is in all code, and `= Function` is not. */
export const SHOWS_CODE = anyOf([
  /\beval\s{0,9}\(/,
  /\bnew\s{1,9}Function\b/,
  /fromCharCode["']\]/,
  /fromCharCode\(\s?parseInt/,
  /[=(]\s{0,9}Function\b/,
  /\(Function\)/,
  /["'`]constructor["'`]/,
  /=\s{0,9}(?!this\b)[\w$]{1,60}\.constructor\b/,
  /\.constructor\s{0,9}\(/,
  /\[\s?["'`](?:map|filter|sort|at)["'`]\]/,
]);

/** JavaScript that may hide words because it uses objects of Windows. Their names are known in any case. */
export const SHOWS_HOST = /ActiveX|WScript|\bCreateObject/i;
