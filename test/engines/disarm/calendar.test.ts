import { describe, expect, test } from 'vitest';
import { buildPng } from '../../fixtures/build-image.ts';
import { isLinear } from '../../growth.ts';
import { disarmed, refusalCode } from './run-disarm.ts';

const event = (...lines: string[]) =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'BEGIN:VEVENT',
    'UID:1',
    'SUMMARY:Lunch',
    ...lines,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n');
const card = (...lines: string[]) => ['BEGIN:VCARD', 'VERSION:3.0', 'FN:Ann', ...lines, 'END:VCARD', ''].join('\r\n');

describe('removed from a calendar', () => {
  test.each([
    ['an attachment', 'ATTACH:https://LIVE.example/a', 'attachment'],
    ['a binary attachment', 'ATTACH;VALUE=BINARY;ENCODING=BASE64:TElWRQ==LIVE', 'attachment'],
    ['a folded attachment', 'ATT\r\n ACH:LIVE', 'attachment'],
    ['an attachment in odd case with a group', 'x.aTTach:LIVE', 'attachment'],
    ['an HTML description', 'X-ALT-DESC;FMTTYPE=text/html:LIVE', 'HTML description'],
    ['a private property', 'X-ANYTHING:LIVE', 'private property'],
    ['an unsafe link', 'URL:file://LIVE/a', 'unsafe link'],
    ['an unsafe organizer', 'ORGANIZER:javascript:LIVE', 'unsafe link'],
    ['a picture', 'IMAGE;VALUE=URI:https://LIVE.example/a', 'embedded or remote data'],
    ['data where text belongs', 'DESCRIPTION;ENCODING=BASE64;VALUE=BINARY:LIVE', 'embedded or remote data'],
    ['an unknown component', 'BEGIN:X-APP\r\nSUMMARY:LIVE\r\nEND:X-APP', 'unknown component'],
    [
      'an alarm that runs a program',
      'BEGIN:VALARM\r\nACTION:PROCEDURE\r\nDESCRIPTION:LIVE\r\nEND:VALARM',
      'alarm that acts',
    ],
    ['an alarm that mails', 'BEGIN:VALARM\r\nACTION:EMAIL\r\nDESCRIPTION:LIVE\r\nEND:VALARM', 'alarm that acts'],
    [
      'an alarm with two actions',
      'BEGIN:VALARM\r\nACTION:DISPLAY\r\nACTION:PROCEDURE\r\nDESCRIPTION:LIVE\r\nEND:VALARM',
      'alarm that acts',
    ],
    ['a link to the description', 'DESCRIPTION;ALTREP="cid:LIVE":x', 'unknown parameter'],
    ['a property behind a bare carriage return', 'COMMENT:x\rATTACH:LIVE', 'attachment'],
  ])('%s', async (_, line, kind) => {
    const { text, kinds, outcome } = await disarmed(event(line), 'a.ics');
    expect({ outcome, kinds }).toEqual({ outcome: 'disarmed', kinds: expect.arrayContaining([kind]) });
    expect(text).not.toContain('LIVE');
    expect(text).toContain('SUMMARY:Lunch\r\n');
    expect(await disarmed(text, 'a.ics')).toMatchObject({ outcome: 'already_safe' });
  });
});

test('an ordinary invitation is already safe', async () => {
  const lines = [
    'DTSTART;TZID=Europe/Berlin:20261120T120000',
    'RRULE:FREQ=WEEKLY;COUNT=4',
    'ORGANIZER;CN="Ann, Head":mailto:ann@a.example',
    'ATTENDEE;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:bob@a.example',
    'DESCRIPTION:Soup\\, salad\\nhttps://a.example/',
    'BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT15M\r\nDESCRIPTION:soon\r\nEND:VALARM',
    'X-MICROSOFT-CDO-BUSYSTATUS:BUSY',
  ];
  expect(await disarmed(event(...lines), 'a.ics')).toMatchObject({ outcome: 'already_safe' });
});

test('long lines and other scripts stay the same when lines are folded', async () => {
  const summary = `ä${'long text '.repeat(30)}日本`;
  const { text } = await disarmed(event(`DESCRIPTION:${summary}`, 'ATTACH:x'), 'a.ics');
  expect(text.replaceAll('\r\n ', '')).toContain(summary);
  for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
});

test('an address is never cut by a fold, because some programs keep the blank of the fold', async () => {
  const [meet, learn] = [
    'https://meet.example/abc-defg-hij',
    `https://support.example/${'a-long-path/'.repeat(12)}end`,
  ];
  const words = `Join here: ${meet}\\nOr dial: +49 30 1234 PIN: 1234#\\n\\nLearn more about it at: ${learn}\\n${'x'.repeat(200)}=`;
  const { text } = await disarmed(event(`DESCRIPTION:${words} = and so on ${'y'.repeat(90)}`, 'ATTACH:x'), 'a.ics');
  for (const address of [meet, learn]) expect(text).toContain(address);
  expect(text.replaceAll('\r\n ', '')).toContain(words);
  expect(text).not.toMatch(/=\r\n/);
});

test('folding takes time in proportion to the length', async () => {
  const flood = (size: number) => event(`DESCRIPTION:${'= a='.repeat(size / 4)}`, 'ATTACH:x');
  expect(await isLinear(20_000, (size) => disarmed(flood(size), 'a.ics'))).toBe(true);
});

describe('lines that only some programs join', () => {
  test.each([
    [
      'an attachment',
      'DESCRIPTION;ENCODING=QUOTED-PRINTABLE:hello=\r\nATTACH;ENCODING=BASE64;VALUE=BINARY;X-FILENAME=a.exe:LIVE',
      'attachment',
    ],
    [
      'behind a parameter that holds the words',
      'DESCRIPTION;LANGUAGE=QUOTED-PRINTABLE:hello=\r\nATTACH:LIVE',
      'attachment',
    ],
    ['an HTML description', 'COMMENT;QUOTED-PRINTABLE:hello=\r\nX-ALT-DESC:LIVE', 'HTML description'],
    [
      'an alarm',
      'DESCRIPTION;ENCODING=QUOTED-PRINTABLE:hello=\r\nBEGIN:VALARM\r\nACTION:PROCEDURE\r\nDESCRIPTION:LIVE\r\nEND:VALARM',
      'alarm that acts',
    ],
  ])('%s', async (_, lines, kind) => {
    const { text, kinds } = await disarmed(event(lines), 'a.ics');
    expect(kinds).toContain(kind);
    expect(text).not.toContain('LIVE');
    expect(text).not.toMatch(/=\r\n/);
    expect(await disarmed(text, 'a.ics')).toMatchObject({ outcome: 'already_safe' });
  });

  test.each([
    ['a photo', 'NOTE;ENCODING=QUOTED-PRINTABLE:hello=\r\nPHOTO;VALUE=URI:https://LIVE.example/'],
    ['a key', 'NOTE;ENCODING=QUOTED-PRINTABLE:hello=\r\nKEY;ENCODING=b:LIVE'],
  ])('%s of a card', async (_, lines) => {
    expect((await disarmed(card(lines), 'a.vcf')).text).not.toContain('LIVE');
  });

  test.each([
    [
      'soft line ends of an old card',
      'a.vcf',
      'BEGIN:VCARD\r\nVERSION:2.1\r\nFN:Ann\r\nNOTE;QUOTED-PRINTABLE:one=\r\nKEY:two\r\nEND:VCARD\r\n',
    ],
    [
      'soft line ends of an old calendar',
      'a.vcs',
      event('DESCRIPTION;ENCODING=QUOTED-PRINTABLE:one=\r\nATTACH:two').replace('VERSION:2.0', 'VERSION:1.0'),
    ],
    ['a line separator', 'a.ics', event('DESCRIPTION:a\u2028LOCATION:b')],
    ['a boundary with parameters', 'a.ics', event().replace('BEGIN:VEVENT', 'BEGIN;X-A=b:VEVENT')],
  ])('%s: written anew', async (_, name, text) => {
    const anew = await disarmed(text, name);
    expect(anew.outcome).toBe('disarmed');
    expect(anew.text).not.toMatch(/^(?:ATTACH|KEY)/m);
    expect(await disarmed(anew.text, name)).toMatchObject({ outcome: 'already_safe' });
  });
});

test.each([
  ['Teams', 'X-MICROSOFT-SKYPETEAMSMEETINGURL'],
  ['Meet', 'X-GOOGLE-CONFERENCE'],
  ['Skype', 'X-MICROSOFT-ONLINEMEETINGCONFLINK'],
])('the link that joins a %s meeting stays when it leads to the web', async (_, name) => {
  expect(await disarmed(event(`${name}:https://meet.example/a`), 'a.ics')).toMatchObject({ outcome: 'already_safe' });
  for (const link of ['conf:sip:LIVE', 'http://LIVE.example', 'file://LIVE']) {
    expect((await disarmed(event(`${name}:${link}`), 'a.ics')).text).not.toContain('LIVE');
  }
});

describe('cards', () => {
  test.each([
    ['a link to a file', 'URL:file:///LIVE', 'unsafe link'],
    ['a remote photo', 'PHOTO;VALUE=uri:https://LIVE.example/a', 'remote picture'],
    [
      'a photo that is none',
      `PHOTO;ENCODING=b;TYPE=JPEG:${Buffer.from('MZ LIVE').toString('base64')}`,
      'picture that cannot be made safe',
    ],
    ['a sound', 'SOUND;ENCODING=b:LIVE', 'embedded or remote data'],
    ['a key', 'KEY;ENCODING=b:LIVE', 'embedded or remote data'],
    ['an agent', 'AGENT:LIVE', 'unknown property'],
  ])('%s goes', async (_, line, kind) => {
    const { text, kinds } = await disarmed(card(line), 'a.vcf');
    expect(kinds).toContain(kind);
    expect(text).not.toContain('LIVE');
    expect(text).toContain('FN:Ann\r\n');
  });

  test('names, numbers, addresses and an inline photo stay', async () => {
    const photo = Buffer.concat([buildPng(), Buffer.from('LIVE')]).toString('base64');
    const { text } = await disarmed(
      card('TEL;TYPE=CELL:+44 20 7946 0000', 'item1.EMAIL:ann@a.example', `PHOTO;ENCODING=b;TYPE=PNG:${photo}`),
      'a.vcf',
    );
    expect(text).toContain('TEL;TYPE=CELL:+44 20 7946 0000\r\n');
    expect(text).toContain('ann@a.example');
    const kept = Buffer.from(/PHOTO[^:]*:([\s\S]*?)\r\n(?! )/.exec(text)?.[1]?.replaceAll('\r\n ', '') ?? '', 'base64');
    expect(kept.subarray(0, 4).toString('latin1')).toBe('\x89PNG');
    expect(kept.toString('latin1')).not.toContain('LIVE');
  });

  test('an old card with quoted-printable lines keeps its text', async () => {
    const old =
      'BEGIN:VCARD\r\nVERSION:2.1\r\nFN:Ann\r\nNOTE;ENCODING=QUOTED-PRINTABLE:one=0D=0A=\r\ntwo\r\nAGENT:x\r\nEND:VCARD\r\n';
    expect((await disarmed(old, 'a.vcf')).text.replaceAll('\r\n ', '')).toContain('one=0D=0Atwo');
  });
});

test.each([
  ['a component that does not end', 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nEND:VCALENDAR\r\n'],
  ['nothing that is data', 'BEGIN:VCALENDAR\r\nX-A:1\r\nEND:VCALENDAR\r\n'],
])('refused: %s', async (_, text) => {
  expect(await refusalCode(text, 'a.ics')).toBe('unreadable');
});

test('thousands of alarms cost what their number says', async () => {
  const alarm = 'BEGIN:VALARM\r\nACTION:PROCEDURE\r\nEND:VALARM\r\n';
  expect(await isLinear(2_500, (n) => disarmed(event(alarm.repeat(n).trimEnd()), 'a.ics'))).toBe(true);
});
