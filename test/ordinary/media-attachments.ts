/** Recordings, films, appointments and cards, as telephones and calendars attach them. */
import sharp from 'sharp';
import { buildFlatOdf, PRESENTATION, SPREADSHEET, TEXT } from '../engines/disarm/odf-fixture.ts';
import { buildEpub } from '../fixtures/build-epub.ts';
import { buildAiff, buildAmr, buildAvi, buildWebm, riffChunk } from '../fixtures/build-films.ts';
import { buildFlac } from '../fixtures/build-flac.ts';
import { buildHeic } from '../fixtures/build-heic.ts';
import { buildJpeg2000, COLOURS } from '../fixtures/build-jpeg2000.ts';
import { buildJxl } from '../fixtures/build-jxl.ts';
import { buildKml, buildKmz, placemark } from '../fixtures/build-map.ts';
import { box, buildMovie, buildMp3, buildWave, id3 } from '../fixtures/build-media.ts';
import { buildZip } from '../fixtures/build-office.ts';
import { buildOgg } from '../fixtures/build-ogg.ts';
import { buildPdf } from '../fixtures/build-pdf.ts';
import { buildPhotoshop } from '../fixtures/build-photoshop.ts';
import { buildVisio, box as shape } from '../fixtures/build-visio.ts';
import { chromeArchive, explorerArchive, wordArchive } from '../fixtures/build-web-archive.ts';
import { buildXps } from '../fixtures/build-xps.ts';
import { lines } from './ordinary-mail.ts';
import type { Attachment } from './text-attachments.ts';

const OCTETS = 'application/octet-stream';
const place = { more: { moov: box('udta', box('\xa9xyz', '+50.7+7.1/')) } };

const photo = (alpha: number) =>
  sharp({ create: { width: 64, height: 48, channels: 4, background: { r: 9, g: 99, b: 160, alpha } } });
const AVIF = await photo(1).removeAlpha().avif().toBuffer();
const TRANSPARENT_AVIF = await photo(0.5).avif().toBuffer();
const PHOTO = await photo(1).removeAlpha().jpeg().toBuffer();
const PDF = buildPdf({ text: 'Minutes of Tuesday' });
const apple = (name: string, preview: Uint8Array) =>
  buildZip([
    ['Index/Document.iwa', 'x'],
    [name, preview],
  ]);
const flat = (type: string, body: string) => buildFlatOdf({ type, body });
const SHEET =
  '<table:table table:name="s"><table:table-row><table:table-cell office:value-type="string"><text:p>a</text:p></table:table-cell></table:table-row></table:table>';
const GPX = lines(
  '<?xml version="1.0" encoding="UTF-8"?>',
  '<gpx version="1.1" creator="a watch" xmlns="http://www.topografix.com/GPX/1/1" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">',
  '<trk><name>A run</name><trkseg><trkpt lat="50.7" lon="7.1"><ele>60</ele></trkpt></trkseg></trk></gpx>',
);

export const MEDIA_ATTACHMENTS: readonly Attachment[] = [
  ['photo.avif', 'image/avif', AVIF, 'photo.jpg'],
  ['IMG_0815.HEIC', 'image/heic', buildHeic({ turns: 1, grid: [2, 1] }), 'IMG_0815.jpg'],
  ['photo.heif', 'image/heif', buildHeic({ brand: 'mif1' }), 'photo.jpg'],
  ['logo.heic', OCTETS, buildHeic({ hasAlpha: true }), 'logo.png'],
  ['scan.jp2', 'image/jp2', buildJpeg2000(), 'scan.png'],
  ['x-ray.j2k', OCTETS, COLOURS, 'x-ray.png'],
  ['photo.jxl', 'image/jxl', buildJxl(), 'photo.png'],
  ['logo.avif', OCTETS, TRANSPARENT_AVIF, 'logo.png'],
  ['poster.psd', 'image/vnd.adobe.photoshop', buildPhotoshop({ mode: 'cmyk', layers: 'text' }), 'poster.png'],
  ['button.psd', OCTETS, buildPhotoshop({ hasAlpha: true }), 'button.png'],
  ['run.gpx', 'application/gpx+xml', GPX, 'run.gpx'],
  ['places.kml', 'application/vnd.google-earth.kml+xml', buildKml(placemark('Office', 'Room 2')), 'places.kml'],
  ['trip.kmz', 'application/vnd.google-earth.kmz', await buildKmz(buildKml(placemark('Hotel'))), 'trip.kmz'],
  ['walk.kmz', OCTETS, await buildKmz(buildKml(placemark('A walk'))), 'walk.kmz'],
  ['offers.mhtml', 'multipart/related', chromeArchive(), 'offers.html'],
  ['timetable.mht', 'message/rfc822', explorerArchive(), 'timetable.html'],
  ['report.mht', OCTETS, wordArchive(), 'report.html'],
  ['novel.epub', 'application/epub+zip', await buildEpub(), 'novel.epub'],
  ['thesis.epub', OCTETS, await buildEpub({ isOld: true }), 'thesis.epub'],
  ['plan.vsdx', 'application/vnd.ms-visio.drawing', await buildVisio(), 'plan.vsdx'],
  ['network.vsdx', OCTETS, await buildVisio({ pages: [shape('Server'), shape('Client')] }), 'network.vsdx'],
  [
    'flow.vsdm',
    OCTETS,
    await buildVisio({ mainType: 'application/vnd.ms-visio.drawing.macroEnabled.main+xml' }),
    'flow.vsdx',
  ],
  [
    'letter.fodt',
    'application/vnd.oasis.opendocument.text-flat-xml',
    flat(TEXT, '<text:p>Hello</text:p>'),
    'letter.fodt',
  ],
  ['table.fods', OCTETS, flat(SPREADSHEET, SHEET), 'table.fods'],
  ['talk.fodp', OCTETS, flat(PRESENTATION, '<draw:page draw:name="a"/>'), 'talk.fodp'],
  [
    'plan.fodg',
    OCTETS,
    flat('application/vnd.oasis.opendocument.graphics', '<draw:page draw:name="a"/>').replaceAll(
      'office:text>',
      'office:drawing>',
    ),
    'plan.fodg',
  ],
  ['report.pages', 'application/vnd.apple.pages', await apple('QuickLook/Preview.pdf', PDF), 'report.pages.pdf'],
  ['budget.numbers', OCTETS, await apple('preview.jpg', PHOTO), 'budget.numbers.jpg'],
  ['talk.key', OCTETS, await apple('preview.jpg', PHOTO), 'talk.key.jpg'],
  ['logo.ai', 'application/postscript', PDF, 'logo.pdf'],
  ['logo.ai', OCTETS, PDF, 'logo.pdf'],
  ['invoice.xps', 'application/vnd.ms-xpsdocument', await buildXps(), 'invoice.xps'],
  ['invoice.oxps', OCTETS, await buildXps({ space: 'http://schemas.openxps.org/oxps/v1.0' }), 'invoice.xps'],
  ['voicemail.wav', 'audio/wav', buildWave({ chunks: [['LIST', 'INFOISFTLavf']] }), 'voicemail.wav'],
  ['song.flac', 'audio/flac', buildFlac({ blocks: [[4, 'TITLE=A song']] }), 'song.flac'],
  ['PTT.opus', 'audio/ogg; codecs=opus', buildOgg({ comments: 'TITLE=A message' }), 'PTT.opus'],
  ['song.ogg', 'audio/ogg', buildOgg({ codec: 'vorbis', comments: 'TITLE=A song' }), 'song.ogg'],
  ['note.amr', 'audio/amr', buildAmr(), 'note.amr'],
  ['call.awb', OCTETS, buildAmr({ isWide: true }), 'call.awb'],
  ['take.aiff', 'audio/aiff', buildAiff({ chunks: [['NAME', 'A take']] }), 'take.aiff'],
  ['take.aif', OCTETS, buildAiff({ coding: 'sowt' }), 'take.aif'],
  ['MVI_0815.AVI', 'video/x-msvideo', buildAvi({ more: { file: riffChunk('IDIT', 'MON NOV 23') } }), 'MVI_0815.avi'],
  ['screen.webm', 'video/webm', buildWebm({ isLive: true, program: 'Chrome' }), 'screen.webm'],
  ['talk.mkv', 'video/x-matroska', buildWebm({ kind: 'matroska', program: 'Lavf' }), 'talk.mkv'],
  ['song.mp3', 'audio/mpeg', buildMp3({ front: id3('TIT2', 'A song') }), 'song.mp3'],
  ['memo.m4a', 'audio/x-m4a', buildMovie({ brand: 'M4A ', ...place }), 'memo.m4a'],
  ['clip.mp4', 'video/mp4', buildMovie({ brand: 'mp42', codec: 'avc1', handler: 'vide', ...place }), 'clip.mp4'],
  [
    'IMG_0815.MOV',
    'video/quicktime',
    buildMovie({ brand: 'qt  ', codec: 'hvc1', handler: 'vide', ...place }),
    'IMG_0815.mov',
  ],
  ['VID.3gp', 'video/3gpp', buildMovie({ brand: '3gp5', codec: 'samr' }), 'VID.3gp'],
];

const calendar = (version: string, ...content: readonly string[]) =>
  lines('BEGIN:VCALENDAR', `VERSION:${version}`, 'PRODID:-//a//b//EN', ...content, 'END:VCALENDAR', '');
const card = (version: string, ...content: readonly string[]) =>
  lines('BEGIN:VCARD', `VERSION:${version}`, ...content, 'END:VCARD', '');
const STAMP = ['UID:1@sender.example', 'DTSTAMP:20261120T120000Z'];

export const RECORD_ATTACHMENTS: readonly Attachment[] = [
  ['task.ics', 'text/calendar', calendar('2.0', 'BEGIN:VTODO', ...STAMP, 'SUMMARY:Call Bob', 'END:VTODO'), 'task.ics'],
  ['day.ics', 'text/calendar', calendar('2.0', 'BEGIN:VJOURNAL', ...STAMP, 'SUMMARY:A day', 'END:VJOURNAL'), 'day.ics'],
  [
    'invite.ics',
    'text/calendar; method=REQUEST',
    calendar(
      '2.0',
      'METHOD:REQUEST',
      'BEGIN:VEVENT',
      ...STAMP,
      'SUMMARY:Lunch',
      'DTSTART:20261121T120000Z',
      'END:VEVENT',
    ),
    'invite.ics',
  ],
  [
    'busy.ifb',
    OCTETS,
    calendar('2.0', 'BEGIN:VFREEBUSY', ...STAMP, 'FREEBUSY:20261121T120000Z/PT1H', 'END:VFREEBUSY'),
    'busy.ifb',
  ],
  [
    'old.vcs',
    'text/x-vcalendar',
    calendar('1.0', 'BEGIN:VEVENT', 'SUMMARY:Lunch', 'DTSTART:20261121T120000Z', 'END:VEVENT'),
    'old.vcs',
  ],
  [
    'old.vcf',
    'text/x-vcard',
    card('2.1', 'N:Smith;Ann', 'FN;ENCODING=QUOTED-PRINTABLE:Ann=20Smith', 'TEL;WORK;VOICE:+49 30 1'),
    'old.vcf',
  ],
  [
    'ann.vcf',
    'text/vcard',
    card('3.0', 'N:Smith;Ann;;;', 'FN:Ann Smith', 'EMAIL;TYPE=INTERNET:ann@sender.example'),
    'ann.vcf',
  ],
  [
    'new.vcf',
    'text/vcard',
    card('4.0', 'FN:Ann Smith', 'N:Smith;Ann;;;', 'TEL;VALUE=uri;TYPE="voice,home":tel:+49-30-1'),
    'new.vcf',
  ],
];
