/** Invitations, answers and cancellations of four programs, as an alternative of the text and as a file. */
import { base64, lines, mailOf, multipart, type OrdinaryMail, textPart } from './ordinary-mail.ts';

const PROGRAMS: Readonly<Record<string, string>> = {
  Outlook: '-//Microsoft Corporation//Outlook 16.0 MIMEDIR//EN',
  Google: '-//Google Inc//Google Calendar 70.9054//EN',
  Apple: '-//Apple Inc.//macOS 14.5//EN',
  Zoom: '-//zoom.us//iCalendar Event//EN',
};
const METHODS = ['REQUEST', 'REPLY', 'CANCEL'] as const;

function calendarOf(program: string, method: string): string {
  return lines(
    'BEGIN:VCALENDAR',
    `PRODID:${program}`,
    'VERSION:2.0',
    'CALSCALE:GREGORIAN',
    `METHOD:${method}`,
    'BEGIN:VTIMEZONE',
    'TZID:Europe/Berlin',
    'BEGIN:STANDARD',
    'DTSTART:16010101T030000',
    'TZOFFSETFROM:+0200',
    'TZOFFSETTO:+0100',
    'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10',
    'END:STANDARD',
    'BEGIN:DAYLIGHT',
    'DTSTART:16010101T020000',
    'TZOFFSETFROM:+0100',
    'TZOFFSETTO:+0200',
    'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3',
    'END:DAYLIGHT',
    'END:VTIMEZONE',
    'BEGIN:VEVENT',
    'DTSTART;TZID=Europe/Berlin:20261201T170000',
    'DTEND;TZID=Europe/Berlin:20261201T180000',
    'DTSTAMP:20261120T100000Z',
    'ORGANIZER;CN=Ann:mailto:ann@sender.example',
    'UID:0a1b2c3d4e5f@sender.example',
    'ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE;CN=Bob:mailto:bob@recipient.example',
    'DESCRIPTION:Budget and holidays\\nDial +49 30 123456',
    'LOCATION:Room 4',
    'SEQUENCE:0',
    `STATUS:${method === 'CANCEL' ? 'CANCELLED' : 'CONFIRMED'}`,
    'SUMMARY:Budget',
    'TRANSP:OPAQUE',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  );
}

/** Every program and method, as an alternative; requests as a file, too. */
export function* calendars(): Generator<OrdinaryMail> {
  for (const [name, program] of Object.entries(PROGRAMS))
    for (const method of METHODS) {
      const calendar = calendarOf(program, method);
      const head = { from: 'Ann <ann@sender.example>', subject: `${method}: Budget` };
      const text = textPart(lines('Budget', 'Tuesday, 1 December 2026, 17:00 to 18:00', 'Room 4', ''));
      const alternative = lines(
        `Content-Type: text/calendar; charset="UTF-8"; method=${method}`,
        'Content-Transfer-Encoding: base64',
        '',
        base64(calendar),
      );
      const parts = multipart('alternative', '_000_calendar_', [text, alternative]);
      yield { id: `calendar ${name} ${method}`, group: 'calendar', bytes: mailOf(head, parts) };
      const file = lines(
        'Content-Type: application/ics; name="invite.ics"',
        'Content-Disposition: attachment; filename="invite.ics"',
        'Content-Transfer-Encoding: base64',
        '',
        base64(calendar),
      );
      yield {
        id: `calendar ${name} ${method}, file`,
        group: 'calendar',
        bytes: mailOf(head, multipart('mixed', '_001_calendar_', [parts, file])),
      };
    }
}
