/** Quotes, dashes and euro signs of Western Windows stay the same, in UTF-8 or in the charset that the file names. */
import { expect, test } from 'vitest';
import { disarmed } from './run-disarm.ts';

const QUOTED = Buffer.from([0x93, 0x80, 0x96, 0x8a, 0x94]).toString('latin1');
const file = (text: string): Buffer => Buffer.from(text.replaceAll('QUOTED', QUOTED), 'latin1');

test.each([
  ['a.html', '<meta charset="windows-1252"><p>QUOTED</p><script>x()</script>', '“€–Š”'],
  [
    'a.ics',
    'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nSUMMARY:QUOTED\r\nATTACH:file:///x\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
    '“€–Š”',
  ],
  ['a.csv', 'a,b\r\nQUOTED,=cmd()\r\n', file('QUOTED')],
  ['a.xml', '<?xml version="1.0" encoding="windows-1252"?><!DOCTYPE a><a>QUOTED</a>', file('QUOTED')],
])('%s', async (name, text, kept) => {
  const { outcome, bytes } = await disarmed(file(text), name);
  expect(outcome).toBe('disarmed');
  expect(Buffer.from(bytes).includes(kept)).toBe(true);
});
