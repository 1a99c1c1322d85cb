/** What Windows metafiles can hold besides what they draw. */
import { buildEmf, buildWmf, emfRecord, wmfRecord } from '../../fixtures/build-metafile.ts';
import { type Draft, type Generator, KEEP, LIVE, LIVE_URL } from './sample.ts';

const wide = (text: string) => Buffer.from(`${text}\0`, 'utf16le');
const long = (value: number) => {
  const out = Buffer.alloc(4);
  out.writeUInt32LE(value);
  return out;
};
const counted = (text: string) => Buffer.concat([long(text.length), Buffer.from(text)]);
const short = (value: number) => long(value).subarray(0, 2);
const escapeOf = (number: number) =>
  wmfRecord(0x0626, Buffer.concat([short(number), short(LIVE.length), Buffer.from(LIVE)]));

/** A record each; the number stands in [MS-EMF] 2.1.1. */
const EMF: Readonly<Record<string, () => Buffer>> = {
  comment: () => emfRecord(70, counted(LIVE)),
  'EMF+': () => emfRecord(70, counted(`EMF+${LIVE}`)),
  'group of another program': () => emfRecord(70, counted(`GDIC\x02\0\0\0${LIVE}`)),
  OpenGL: () => emfRecord(102, Buffer.from(LIVE)),
  'escape of a driver': () => emfRecord(105, Buffer.concat([long(9), counted(LIVE)])),
  'escape by name': () => emfRecord(110, Buffer.concat([long(9), long(LIVE.length), counted(LIVE), wide(LIVE)])),
  'colour profile': () => emfRecord(113, Buffer.concat([long(0), long(LIVE.length * 2 + 2), long(0), wide(LIVE)])),
  'colour space': () => emfRecord(122, Buffer.concat([Buffer.alloc(72), wide(`\\\\${LIVE}\\x.icm`)])),
  'font links': () => emfRecord(119, Buffer.concat([long(1), wide(LIVE)])),
  palette: () => emfRecord(49, Buffer.concat([long(1), Buffer.from([0, 3, 3, 0]), Buffer.from(LIVE)])),
};
const WMF: Readonly<Record<string, () => Buffer>> = {
  comment: () => escapeOf(15),
  'EMF+': () => wmfRecord(0x0626, Buffer.concat([short(15), short(LIVE.length + 4), Buffer.from(`WMFC${LIVE}`)])),
  'escape of a driver': () => escapeOf(9),
  PostScript: () => escapeOf(4115),
  palette: () => wmfRecord(0x00f7, Buffer.concat([short(0x300), short(3), Buffer.from(LIVE)])),
};

const record: Generator = (line, format): Draft[] => {
  const make = (format === 'emf' ? EMF : WMF)[line];
  if (make === undefined) return [];
  const build = format === 'emf' ? buildEmf : buildWmf;
  return [{ encoding: 'plain', content: build([KEEP], { before: [make()] }) }];
};

/** SETABORTPROC hands code to the printer (CVE-2005-4560). */
const abort: Generator = () => [{ encoding: 'plain', content: buildWmf([KEEP], { before: [escapeOf(9)] }) }];

const frame: Generator = (line, format): Draft[] => {
  const build = format === 'emf' ? buildEmf : buildWmf;
  const plain = build([KEEP]);
  if (line === 'appended')
    return [{ encoding: 'plain', content: build([KEEP], { appended: `<script>${LIVE}</script>` }) }];
  if (line === 'description')
    return format === 'emf'
      ? [{ encoding: 'plain', content: buildEmf([KEEP], { description: `Alice\0${LIVE_URL}` }) }]
      : [];
  // In an unknown record, and behind the numbers of a known one.
  const unknown = format === 'emf' ? emfRecord(200, Buffer.from(LIVE)) : wmfRecord(0x7777, Buffer.from(LIVE));
  const longer =
    format === 'emf'
      ? emfRecord(17, Buffer.concat([long(8), Buffer.from(LIVE)]))
      : wmfRecord(0x0103, Buffer.concat([short(8), Buffer.from(LIVE)]));
  if (line === 'unknown') return [{ encoding: 'plain', content: build([KEEP], { before: [unknown] }) }];
  if (line === 'longer') return [{ encoding: 'plain', content: build([KEEP], { before: [longer] }) }];
  // Behind the record that ends the drawing, and counted by the header.
  const more = Buffer.concat([
    plain,
    format === 'emf' ? emfRecord(70, counted(LIVE)) : wmfRecord(0x0626, Buffer.from(LIVE)),
  ]);
  if (format === 'emf') more.writeUInt32LE(more.length, 48);
  else more.writeUInt32LE((more.length - 22) / 2, 22 + 6);
  return [{ encoding: 'plain', content: more }];
};

export const metafileSamples: Readonly<Record<string, Generator>> = {
  'metafile/record': record,
  'metafile/emf-record': record,
  'metafile/wmf-record': (line, format) => (line === 'SETABORTPROC' ? abort(line, format) : record(line, format)),
  'metafile/frame': frame,
  'metafile/description': (_, format) => frame('description', format),
};
