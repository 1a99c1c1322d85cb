/** Decides whether a text of source code is only a text in every program that opens it. */

/** The first characters, in which old browsers look for tags at any place. */
const SNIFFED = 256;
/** A program that finds one of these at the start takes the text for a page, a document, a shortcut or a table. */
const OTHER_START =
  /^\s*(?:<|\{\\rt|ID;P|%!PS|WEB\r?\n1\r?\n|BEGIN:V(?:CALENDAR|CARD)|Windows Registry Editor|REGEDIT4|\[InternetShortcut\]|\[Desktop Entry\]|\[\{000214A0)/i;
/** Not after a letter or a bracket: `List<A>` is a type. */
const TAG =
  /(?<![\w)])<(?:!doctype|!--|\/?(?:head|title|style|table|tr|td|div|span|p|a|b|i|img|br|hr|font|center|h[1-6]|ul|ol|li|input|link)[\s>/])/i;
/** Elements that act by themselves. */
const ACTIVE_TAG =
  /<(?:!doctype\s+html|html|head|body|script|iframe|frameset|frame|object|embed|applet|svg|math|base|meta|form)[\s>/]/i;

/**
 * Returns true when a text that programs only show (`a.txt`, `a.log`) does not begin like anything else. After its beginning, markup is
 * only words: a log quotes pages and attacks.
 */
export function isShownAsText(head: string): boolean {
  const text = head.replace(/^\ufeff/, '');
  const start = text.slice(0, SNIFFED);
  return !OTHER_START.test(text) && !TAG.test(start) && !ACTIVE_TAG.test(start);
}

/** Returns true when no program takes a text for more than a text by its first kilobytes. */
export function isInertSource(head: string): boolean {
  const text = head.replace(/^\ufeff/, '');
  return !OTHER_START.test(text) && !TAG.test(text.slice(0, SNIFFED)) && !ACTIVE_TAG.test(text);
}
