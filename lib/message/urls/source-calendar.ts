/** Appointments and address cards: iCalendar (RFC 5545) and vCard (RFC 6350, and 2.1 with quoted-printable). */
import { decodeText } from '../text.ts';
import { inTurns } from '../turns.ts';
import { isComplete, listUrlSteps } from './find.ts';
import { distinct, isOneOf, linksIn, type UrlExtractor } from './source.ts';

const TYPES = /^(?:text|application)\/(?:calendar|x-vcalendar|ics|v-?card|x-v-?card|directory|vnd\.[a-z.-]*vcard)$/;
const EXTENSIONS = /^(?:ics|ical|ifb|icalendar|vcs|vcf|vcard)$/;
const BEGINNING = /^[\s\ufeff]{0,100}BEGIN:V(?:CALENDAR|CARD|EVENT|TODO|FREEBUSY)/i;
/** A line goes on in the next when that begins with white space (RFC 5545 §3.1). */
const FOLD = /\r?\n[ \t]/g;
const QUOTED_PRINTABLE = /ENCODING=QUOTED-PRINTABLE/i;

export const calendar: UrlExtractor = {
  name: 'calendar',
  accepts: (source) =>
    isOneOf(source, TYPES, EXTENSIONS) || BEGINNING.test(Buffer.from(source.bytes.subarray(0, 200)).toString('latin1')),
  async find({ bytes, charset }, { limits }) {
    if (bytes.length > limits.textBytes)
      return { urls: [], notSearched: [`an appointment or card of ${bytes.length} bytes`] };
    const text = plainValues(decodeText(bytes, charset));
    const { urls } = await inTurns(listUrlSteps(text, { format: 'text' }, limits));
    // Descriptions in HTML, under whatever name a program gives them.
    const pages = text.includes('<') ? (await inTurns(listUrlSteps(text, { format: 'html' }, limits))).urls : [];
    const named = [...text.matchAll(LINK_PROPERTY)].flatMap((match) =>
      linksIn(match[1] ?? '', { where: 'text', rank: 0 }, limits),
    );
    // Asked here: without its repetitions a list looks shorter than what the search gave up on.
    const isWhole = isComplete(urls) && isComplete(pages);
    return { urls: distinct([...pages, ...named, ...urls]), notSearched: isWhole ? [] : [TOO_MANY] };
  },
};

const TOO_MANY = 'all of an appointment or card: it holds more URLs than are looked at';

const LINK_PROPERTY = /^(?:URL|ATTACH|CONFERENCE|SOURCE|X-[A-Z-]*URL)(?:;[^:\r\n]*)?:(.*)$/gim;

/** The text with its folds undone and `\,`, `\;` and `\n` resolved. */
function plainValues(text: string): string {
  const decoded = QUOTED_PRINTABLE.test(text)
    ? text
        .replace(/=\r?\n/g, '')
        .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text;
  return decoded
    .replace(FOLD, '')
    .replace(/\\([nN,;:\\])/g, (_, escaped: string) => (escaped.toLowerCase() === 'n' ? '\n' : escaped));
}
