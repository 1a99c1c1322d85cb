/** Searches appointments and address cards: iCalendar (RFC 5545) and vCard (RFC 6350, and 2.1 with quoted-printable). */
import { decodeText } from '../../../formats/charsets/decode-text.ts';
import { runAsync } from '../../../formats/steps.ts';
import { listUrlSteps } from '../find.ts';
import { createLinkSet, type LinkSet } from '../link-set.ts';
import { findInBinary, linksWritten } from './binary.ts';
import { type ContentLine, contentLines } from './content-lines.ts';
import { distinct, isOneOf, type UrlExtractor } from './source.ts';

const TYPES = /^(?:text|application)\/(?:calendar|x-vcalendar|ics|v-?card|x-v-?card|directory|vnd\.[a-z.-]*vcard)$/;
const EXTENSIONS = /^(?:ics|ical|ifb|icalendar|vcs|vcf|vcard)$/;
const BEGINNING = /^[\s\ufeff]{0,100}BEGIN:V(?:CALENDAR|CARD|EVENT|TODO|FREEBUSY)/i;
/** Properties of prose and names. Only a text that programs link is a link in them. All other properties may be a reference. */
// biome-ignore format: one property a line makes the list hard to read
const PROSE = new Set([
  'SUMMARY', 'DESCRIPTION', 'COMMENT', 'LOCATION', 'CONTACT', 'CATEGORIES', 'RESOURCES', 'NOTE', 'FN', 'N', 'NICKNAME',
  'ORG', 'TITLE', 'ROLE', 'ADR', 'LABEL', 'X-WR-CALNAME', 'X-WR-CALDESC', 'PRODID', 'VERSION', 'UID', 'TZID', 'TZNAME',
  'X-WR-RELCALID', 'RELATED-TO', 'RECURRENCE-ID', 'REV', 'X-ABLABEL', 'SORT-STRING', 'MAILER', 'BEGIN', 'END',
]);
/** A value that is one reference as a whole: with a scheme of two letters or more, a share, or a web site without its scheme. */
const REFERENCE = /^[\s<"']*(?:[a-z][a-z0-9+.-]+:(?=[^\s])|[\\/]{2}|(?:www|ftp)\.)\S*\s*$/i;

export const calendar: UrlExtractor = {
  name: 'calendar',
  accepts: (source) =>
    isOneOf(source, TYPES, EXTENSIONS) || BEGINNING.test(Buffer.from(source.bytes.subarray(0, 200)).toString('latin1')),
  async find({ bytes, charset }, { limits }) {
    if (bytes.length > limits.textBytes)
      return { urls: [], notSearched: [`an appointment or card of ${bytes.length} bytes`] };
    const raw = decodeText(bytes, charset);
    const lines = contentLines(raw);
    const references = createLinkSet(limits);
    const inside = linksWritten(limits);
    for (const line of lines) addLinks(line, references, inside);
    const text = lines.map(({ value, parameters }) => [value, ...parameters].join('\n')).join('\n');
    const plain = await runAsync(listUrlSteps(text, { format: 'text' }, limits));
    // Programs give descriptions in HTML different names, so the whole text is read as a page.
    const page = text.includes('<') ? await runAsync(listUrlSteps(text, { format: 'html' }, limits)) : null;
    const isWhole = plain.isComplete && page?.isComplete !== false && !references.isFull() && !inside.isFull();
    const found = distinct([...references.list(), ...inside.list(), ...(page?.urls ?? []), ...plain.urls]);
    return { urls: found, notSearched: isWhole ? [] : [TOO_MANY] };
  },
};

const TOO_MANY = 'all of an appointment or card: it holds more URLs than are looked at';

function addLinks({ name, parameters, value, bytes }: ContentLine, references: LinkSet, inside: LinkSet): void {
  const place = { where: 'text', rank: 0 } as const;
  if (bytes !== null) {
    findInBinary(bytes, place, inside);
    if (REFERENCE.test(bytes.toString('latin1'))) references.add(bytes.toString('latin1'), place);
  }
  for (const parameter of parameters) if (REFERENCE.test(parameter)) references.add(parameter, place);
  if (!PROSE.has(name) && REFERENCE.test(value)) references.add(value, place);
}
