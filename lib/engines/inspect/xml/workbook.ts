/** Counts the shown content of an Excel 2003 workbook in XML: its sheets, each text of their cells and comments, and the numbers. */
import type { Units } from '../fact.ts';
import { tallyText, type WordTally } from '../word-tally.ts';
import { xmlPlan } from './plan.ts';
import { scanXml } from './scan.ts';

/** The element of text, in cells and comments alike. Words in bold are in elements of pages inside of it. */
const DATA = /<(?:[\w.-]{1,40}:)?Data(?:\s[^<>]{0,2000})?>([\s\S]*?)<\/(?:[\w.-]{1,40}:)?Data\s{0,99}>/g;
const SHEETS = xmlPlan({ watched: 'Worksheet' });
const NUMBER = /^\s{0,99}[-+]?\d[\d.eE+-]{0,99}\s{0,99}$/;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Counts each text once, as in the list of texts of the result, and each number every time. */
export function countWorkbookInXml(bytes: Uint8Array, tally: WordTally): Units {
  let count = 0;
  scanXml(bytes, SHEETS, {
    tally: null,
    element: () => {
      count += 1;
    },
  });
  const shown = new Set<string>();
  for (const [, content = ''] of textOf(bytes).matchAll(DATA)) {
    const text = plain(content);
    if (NUMBER.test(text)) tallyText(tally, `${Number(text)} `);
    else if (!TIME.test(text)) shown.add(text);
  }
  for (const text of shown) tallyText(tally, `${text} `);
  return { kind: 'sheets', count };
}

/** A day is a number in the result. */
const TIME = /^\d{4}-\d\d-\d\d(?:T[\d:.]{1,20})?Z?$/;

function plain(markup: string): string {
  const bare = markup.replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, (_, text: string) =>
    text.replace(/&/g, '&amp;').replace(/</g, '&lt;'),
  );
  return bare
    .replace(/<[^<>]*>/g, '')
    .replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi, (_, hex, decimal, name) => {
      if (name) return ENTITIES[String(name).toLowerCase()] ?? '';
      const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
      return code <= 0x10_ffff ? String.fromCodePoint(code) : '';
    });
}

function textOf(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0))
    return new TextDecoder('utf-16le').decode(bytes);
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c))
    return new TextDecoder('utf-16be').decode(bytes);
  const head = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  return new TextDecoder(
    /encoding\s*=\s*["'](?:windows-1252|iso-8859-1)["']/i.test(head) ? 'windows-1252' : 'utf-8',
  ).decode(bytes);
}
