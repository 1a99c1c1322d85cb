/** Says whether a text of source code is only a text, whatever program opens it. */

/** Characters in which old browsers look for tags, wherever they stand. */
const SNIFFED = 256;
/** A program that finds one of these at the start takes the text for a page, a document, a shortcut or a table. */
const OTHER_START =
  /^\s*(?:<|\{\\rt|ID;P|%!PS|WEB\r?\n1\r?\n|BEGIN:V(?:CALENDAR|CARD)|Windows Registry Editor|REGEDIT4|\[InternetShortcut\]|\[Desktop Entry\]|\[\{000214A0)/i;
/** Not behind a letter or a bracket: `List<A>` is a type. */
const TAG =
  /(?<![\w)])<(?:!doctype|!--|\/?(?:head|title|style|table|tr|td|div|span|p|a|b|i|img|br|hr|font|center|h[1-6]|ul|ol|li|input|link)[\s>/])/i;
/** Elements that act by themselves. */
const ACTIVE_TAG =
  /<(?:!doctype\s+html|html|head|body|script|iframe|frameset|frame|object|embed|applet|svg|math|base|meta|form)[\s>/]/i;

/**
 * True when a text that programs only show (`a.txt`, `a.log`) does not begin as anything else. Behind its beginning markup is only words: a
 * log quotes pages and attacks.
 */
export function isShownAsText(head: string): boolean {
  const text = head.replace(/^\ufeff/, '');
  const start = text.slice(0, SNIFFED);
  return !OTHER_START.test(text) && !TAG.test(start) && !ACTIVE_TAG.test(start);
}

/** True when the start of a text, of some kilobytes, holds nothing for which a program would take it for more than a text. */
export function isInertSource(head: string): boolean {
  const text = head.replace(/^\ufeff/, '');
  return !OTHER_START.test(text) && !TAG.test(text.slice(0, SNIFFED)) && !ACTIVE_TAG.test(text);
}
