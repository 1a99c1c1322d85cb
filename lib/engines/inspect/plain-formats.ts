/** Inspects formats that are lines of text: tables, calendar entries and contact cards. */

import { type Fact, type Findings, namesOf } from './fact.ts';
import { isLiveLink } from './live-values.ts';
import { wideText } from './wide-text.ts';
import { tallyText, type WordTally } from './word-tally.ts';

/** The places where a cell may start for any program, and the text that a spreadsheet program would calculate there. */
const CALCULATED_CELL =
  /(?:^|[\r\n,;\t|])["\s\u00a0]{0,20}(?:[=＝][\s"]{0,9}[\w("'+\-@$.[{]|[+\-@＋－＠][\s"]{0,9}[a-z_.]{1,40}[\s"]{0,9}[(|!])/gi;

/** The same with the whole content of the cell. Its quotes may hold further delimiters. */
const FORMULA_CELL = /(?:^|[\r\n,;\t|])["\s\u00a0]{0,20}[=＝+\-@＋－＠](?:"[^"]*"|[^"\r\n])*/g;

/** Returns the text of a file: by its mark, else as UTF-8. */
export function decodeLines(bytes: Uint8Array): string {
  const text = wideText(bytes);
  if (text !== null) return text;
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  if (bytes[1] === 0 && bytes[0] !== 0) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0 && bytes[1] !== 0) return new TextDecoder('utf-16be').decode(bytes);
  return new TextDecoder().decode(bytes);
}

/** Counts the words of a text; with findings it also searches for characters that no text has. */
export function readPlainText(text: string, tally: WordTally, findings: Findings | null): void {
  tallyText(tally, text);
  for (let at = 0; findings !== null && at < text.length; at++)
    if (isBinary(text.charCodeAt(at))) findings.add('text-binary', `character ${at}`);
}

/** Returns whether the text has control characters other than tab, line ends, page feeds and the escape of ISO-2022 charsets. */
const isBinary = (code: number) => (code < 0x20 && !(code >= 9 && code <= 13) && code !== 0x1b) || code === 0x7f;

/** Counts a table without the cells that calculate, because only some of these may stay. With findings it also searches the table. */
export function readTable(text: string, tally: WordTally, findings: Findings | null): void {
  tallyText(tally, text.replace(FORMULA_CELL, ' '));
  if (findings === null) return;
  for (const match of text.matchAll(CALCULATED_CELL)) findings.add('csv-formula', `character ${match.index}`);
}

export const CALENDAR_FACTS: readonly Fact[] = [
  { id: 'ics-attachment', find: { by: 'name', names: 'ATTACH' } },
  { id: 'ics-html', find: { by: 'name', names: 'X-ALT-DESC STYLED-DESCRIPTION' } },
  { id: 'ics-remote-data', find: { by: 'name', names: 'IMAGE SOUND KEY STRUCTURED-DATA SOURCE' } },
  { id: 'ics-unsafe-link', find: { by: 'text', names: 'URL CONFERENCE', isLive: isLiveLink } },
  { id: 'ics-remote-picture', find: { by: 'text', names: 'PHOTO LOGO', isLive: isAddress } },
  {
    id: 'ics-alarm',
    find: { by: 'text', names: 'ACTION', isLive: (text) => /^(?:PROCEDURE|EMAIL)$/i.test(text.trim()) },
  },
];

function isAddress(text: string): boolean {
  return /^\s*(?:[a-z][a-z0-9+.-]{1,20}:|\\\\|\/\/)/i.test(text) && !/^\s*data:image\/(?:png|jpeg|gif)/i.test(text);
}

const SHOWN = new Set(namesOf('SUMMARY DESCRIPTION LOCATION COMMENT FN N NOTE ORG TITLE NICKNAME'));

/** Counts the shown content of a calendar entry or card. With findings it also searches it. */
export function readCalendar(text: string, tally: WordTally, findings: Findings | null): void {
  let inAlarm = false;
  for (const line of text.replace(/\r?\n[ \t]/g, '').split(/\r\n?|\n/)) {
    const colon = /^(?:[^":]|"[^"]*")*/.exec(line)?.[0].length ?? 0;
    const [name = '', ...parameters] = line.slice(0, Math.max(0, colon)).split(';');
    const value = line.slice(colon + 1);
    const property = name.slice(name.lastIndexOf('.') + 1).toUpperCase();
    if (property === 'BEGIN' || property === 'END') inAlarm = property === 'BEGIN' && /^VALARM/i.test(value);
    const isEncoded = parameters.some((each) => /QUOTED-PRINTABLE|BASE64|ENCODING=B/i.test(each));
    if (SHOWN.has(property) && !inAlarm && !isEncoded) tallyText(tally, value.replace(/\\[nN]/g, ' '));
    if (findings !== null) judge(findings, property, parameters, value);
  }
}

function judge(findings: Findings, property: string, parameters: readonly string[], value: string): void {
  for (const { id, find } of CALENDAR_FACTS) {
    if (find.by === 'name' && namesOf(find.names).includes(property)) findings.add(id, property);
    if (find.by === 'text' && namesOf(find.names).includes(property) && find.isLive(value)) findings.add(id, property);
  }
  if (!READ.has(property) && !['PHOTO', 'LOGO'].includes(property) && opensSomething(value))
    findings.add('ics-unsafe-link', property);
  for (const parameter of parameters) {
    const [key = '', ...rest] = parameter.split('=');
    const places = rest.join('=').split(/"\s*,\s*"|,/);
    if (/^(?:ALTREP|DIR)$/i.test(key) || (!/^(?:CN|LABEL|SORT-AS|TZID)$/i.test(key) && places.some(opensSomething)))
      findings.add('ics-unsafe-link', property);
  }
}

/** Properties that programs show and do not open. */
const READ = new Set(
  namesOf(
    'SUMMARY DESCRIPTION LOCATION COMMENT CONTACT CATEGORIES RESOURCES NAME X-WR-CALNAME X-WR-CALDESC NOTE FN N NICKNAME ADR LABEL TITLE ROLE ' +
      'ORG PRODID MAILER SORT-STRING X-ABLABEL X-PHONETIC-FIRST-NAME X-PHONETIC-LAST-NAME UID TZID TZNAME RELATED-TO CLASS STATUS BEGIN END',
  ),
);

/** Returns whether a value refers to anything but a person, a place on the map or the web. */
function opensSomething(value: string): boolean {
  const bare = value.replace(/^[\s<"']+/, '');
  if (/^[\\/]{2}/.test(bare)) return true;
  return (
    /^[a-z][a-z0-9+.-]+:\S/i.test(bare) &&
    !/^(?:mailto|tel|sms|sips?|xmpp|urn|uuid|invalid|skype|https?|geo):/i.test(bare)
  );
}
