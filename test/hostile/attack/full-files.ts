/** A harmless file of every type that a disarm writes, and what is left of it when a disarm loses what it holds. */
import { gzipSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { disarmFile } from '../../../lib/engines/disarm/disarm.ts';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';
import { DISARMED_TYPES, type DisarmedType, describeType } from '../../../lib/formats/file-types.ts';
import { buildFlatOdf, buildOdf } from '../../engines/disarm/odf-fixture.ts';
import { buildDoc } from '../../fixtures/build-doc.ts';
import { buildEpub } from '../../fixtures/build-epub.ts';
import { buildAiff, buildAmr, buildAvi, buildWebm } from '../../fixtures/build-films.ts';
import { buildFlac } from '../../fixtures/build-flac.ts';
import { buildKml, buildKmz, placemark } from '../../fixtures/build-map.ts';
import { buildMovie, buildMp3, buildWave } from '../../fixtures/build-media.ts';
import { buildEmf, buildWmf } from '../../fixtures/build-metafile.ts';
import { buildZip } from '../../fixtures/build-office.ts';
import { buildOgg } from '../../fixtures/build-ogg.ts';
import { buildPpt, text as pptText, slide } from '../../fixtures/build-ppt.ts';
import { box, buildVisio } from '../../fixtures/build-visio.ts';
import { buildXls, label } from '../../fixtures/build-xls.ts';
import { buildXps, run } from '../../fixtures/build-xps.ts';
import { pdfStream, plainPdf } from '../../fixtures/pdf-file.ts';
import { ooxmlFile } from './ooxml-file.ts';

export interface FullFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface LosingFile extends FullFile {
  /** By what was lost of it: files that are sound, and hold less. */
  readonly less: Readonly<Record<string, Uint8Array>>;
}

type Maker = (words: readonly string[]) => Uint8Array | Promise<Uint8Array>;

const bytes = (text: string) => new Uint8Array(Buffer.from(text));
const sentence = (words: readonly string[]) => words.join(' ');
const image =
  (encode: (picture: Sharp) => Sharp): Maker =>
  async (words) => {
    const edge = Math.max(1, words.length);
    return new Uint8Array(
      await encode(sharp({ create: { width: edge, height: edge, channels: 3, background: 'teal' } })).toBuffer(),
    );
  };

/** A picture of 24-bit pixels, bottom up. */
const bitmap: Maker = (words) => {
  const edge = Math.max(1, words.length);
  const row = Math.ceil((edge * 3) / 4) * 4;
  const file = Buffer.alloc(54 + row * edge, 0x80);
  file.fill(0, 0, 54);
  file.write('BM');
  file.writeUInt32LE(file.length, 2);
  file.writeUInt32LE(54, 10);
  file.writeUInt32LE(40, 14);
  file.writeInt32LE(edge, 18);
  file.writeInt32LE(edge, 22);
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(24, 28);
  return new Uint8Array(file);
};

/** Ten words a page. */
const pdf: Maker = (words) => {
  const pages = Array.from({ length: Math.max(1, Math.ceil(words.length / 10)) }, (_, page) =>
    words.slice(page * 10, page * 10 + 10),
  );
  const kids = pages.map((_, page) => `${4 + page * 2} 0 R`).join(' ');
  const bodies = pages.flatMap((line, page) => [
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + page * 2} 0 R >>`,
    pdfStream(`BT /F1 12 Tf 40 700 Td (${sentence(line)}) Tj ET`),
  ]);
  return plainPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...bodies,
  ]);
};

const odf =
  (type: DisarmedType): Maker =>
  (words) => {
    const paragraph = words.length === 0 ? '' : `<text:p>${sentence(words)}</text:p>`;
    const frame = `<draw:page draw:name="p"><draw:frame><draw:text-box>${paragraph}</draw:text-box></draw:frame></draw:page>`;
    const sheet = `<table:table table:name="s"><table:table-row><table:table-cell office:value-type="string">${paragraph}</table:table-cell></table:table-row></table:table>`;
    const kind = type.slice(type.lastIndexOf('.') + 1).replace(/-.*$/, '');
    const body = kind === 'spreadsheet' ? sheet : kind === 'text' ? paragraph : frame;
    const isFlat = type.endsWith('-flat-xml');
    const options = { type: type.replace(/-flat-xml$/, ''), body };
    const rename = (xml: string) => (kind === 'graphics' ? xml.replaceAll('office:text>', 'office:drawing>') : xml);
    return isFlat ? bytes(rename(buildFlatOdf(options))) : buildOdf(options);
  };

/** Each word a file. */
const zip: Maker = (words) => buildZip(words.map((word) => [`${word}.txt`, `${word} is here`]));

/** Ten words a page. */
const drawnPages = (words: readonly string[]) =>
  Array.from({ length: Math.max(1, Math.ceil(words.length / 10)) }, (_, page) =>
    box(sentence(words.slice(page * 10, page * 10 + 10))),
  );

/** Each word a place. */
const sentenceMap = (words: readonly string[]) => buildKml(words.map((word) => placemark(word)).join(''));
const map: Maker = (words) => bytes(sentenceMap(words));

const mail: Maker = (words) =>
  bytes(
    `From: a@sender.example\r\nTo: b@recipient.example\r\nSubject: x\r\nDate: Fri, 20 Nov 2026 12:00:00 +0000\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 7bit\r\n\r\n${sentence(words)}\r\n`,
  );
const page = (words: readonly string[]) => `<p>${sentence(words)}</p>`;
const lines = (...all: readonly string[]) => bytes(`${all.join('\r\n')}\r\n`);
const OFFICE = 'application/vnd.openxmlformats-officedocument';
const ODF = 'application/vnd.oasis.opendocument';

/** By type, a file that holds the words. */
export const MAKERS: Readonly<Record<DisarmedType, Maker>> = {
  'text/plain': (words) => bytes(sentence(words)),
  'application/json': (words) => bytes(JSON.stringify(words)),
  'text/css': (words) => bytes(`/* ${sentence(words)} */ p { color: red }`),
  'text/html': (words) => bytes(`<!DOCTYPE html><html><head><title></title></head><body>${page(words)}</body></html>`),
  'application/xhtml+xml': (words) =>
    bytes(
      `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title></title></head><body>${page(words)}</body></html>`,
    ),
  'text/xml': (words) => bytes(`<?xml version="1.0" encoding="UTF-8"?>\n<list><row>${sentence(words)}</row></list>`),
  'text/csv': (words) => bytes(words.map((word) => `${word},1\r\n`).join('')),
  'text/calendar': (words) =>
    lines(
      ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:x', 'BEGIN:VEVENT', 'UID:1', 'DTSTAMP:20261120T120000Z'],
      ...[`SUMMARY:${sentence(words)}`, 'END:VEVENT', 'END:VCALENDAR'],
    ),
  'text/vcard': (words) => lines('BEGIN:VCARD', 'VERSION:3.0', `NOTE:${sentence(words)}`, 'END:VCARD'),
  'image/svg+xml': (words) =>
    bytes(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>${sentence(words)}</text></svg>`),
  'image/png': image((picture) => picture.png()),
  'image/jpeg': image((picture) => picture.jpeg()),
  'image/gif': image((picture) => picture.gif()),
  'image/webp': image((picture) => picture.webp()),
  'image/tiff': image((picture) => picture.tiff()),
  'image/bmp': bitmap,
  'image/emf': (words) => buildEmf(words),
  'image/wmf': (words) => buildWmf(words),
  'audio/mpeg': (words) => buildMp3({ frames: 6 + words.length }),
  'audio/wav': (words) => buildWave({ samples: 200 + words.length }),
  'audio/flac': (words) => buildFlac({ frames: 6 + words.length }),
  'audio/ogg': (words) => buildOgg({ packets: 3 + words.length }),
  'audio/mp4': (words) => buildMovie({ brand: 'M4A ', sampleBytes: 64 + words.length }),
  'video/mp4': (words) => buildMovie({ codec: 'avc1', handler: 'vide', sampleBytes: 64 + words.length }),
  'video/quicktime': (words) => buildMovie({ brand: 'qt  ', sampleBytes: 64 + words.length }),
  'audio/amr': (words) => buildAmr({ frames: 4 + words.length }),
  'audio/aiff': (words) => buildAiff({ samples: 100 + words.length }),
  'video/x-msvideo': (words) => buildAvi({ pictures: 4 + words.length }),
  'video/webm': (words) => buildWebm({ blocks: 4 + words.length }),
  'video/x-matroska': (words) => buildWebm({ kind: 'matroska', blocks: 4 + words.length }),
  'application/pdf': pdf,
  'application/rtf': (words) => bytes(`{\\rtf1\\ansi ${sentence(words)}}`),
  'application/msword': (words) => buildDoc({ text: `${sentence(words)}\r` }),
  'application/vnd.ms-excel': (words) =>
    buildXls({ sheets: [{ name: 'A', records: words.map((word, row) => label(row, 0, word)) }] }),
  'application/vnd.ms-powerpoint': (words) => buildPpt({ slides: [slide(sentence(words), pptText('', 0))] }),
  [`${OFFICE}.wordprocessingml.document`]: (words) => ooxmlFile('word', 'document', words),
  [`${OFFICE}.wordprocessingml.template`]: (words) => ooxmlFile('word', 'template', words),
  [`${OFFICE}.spreadsheetml.sheet`]: (words) => ooxmlFile('xl', 'sheet', words),
  [`${OFFICE}.spreadsheetml.template`]: (words) => ooxmlFile('xl', 'template', words),
  [`${OFFICE}.presentationml.presentation`]: (words) => ooxmlFile('ppt', 'presentation', words),
  [`${OFFICE}.presentationml.slideshow`]: (words) => ooxmlFile('ppt', 'slideshow', words),
  [`${OFFICE}.presentationml.template`]: (words) => ooxmlFile('ppt', 'template', words),
  [`${ODF}.text`]: odf(`${ODF}.text`),
  [`${ODF}.text-template`]: odf(`${ODF}.text-template`),
  [`${ODF}.text-master`]: odf(`${ODF}.text-master`),
  [`${ODF}.spreadsheet`]: odf(`${ODF}.spreadsheet`),
  [`${ODF}.spreadsheet-template`]: odf(`${ODF}.spreadsheet-template`),
  [`${ODF}.presentation`]: odf(`${ODF}.presentation`),
  [`${ODF}.presentation-template`]: odf(`${ODF}.presentation-template`),
  [`${ODF}.graphics`]: odf(`${ODF}.graphics`),
  [`${ODF}.graphics-template`]: odf(`${ODF}.graphics-template`),
  [`${ODF}.text-flat-xml`]: odf(`${ODF}.text-flat-xml`),
  [`${ODF}.spreadsheet-flat-xml`]: odf(`${ODF}.spreadsheet-flat-xml`),
  [`${ODF}.presentation-flat-xml`]: odf(`${ODF}.presentation-flat-xml`),
  [`${ODF}.graphics-flat-xml`]: odf(`${ODF}.graphics-flat-xml`),
  'application/vnd.ms-visio.drawing': (words) => buildVisio({ pages: drawnPages(words) }),
  'application/vnd.ms-visio.template': (words) =>
    buildVisio({ pages: drawnPages(words), mainType: 'application/vnd.ms-visio.template.main+xml' }),
  'application/vnd.google-earth.kml+xml': map,
  'application/vnd.google-earth.kmz': (words) => buildKmz(sentenceMap(words)),
  'application/vnd.ms-xpsdocument': (words) =>
    buildXps({
      pages: Array.from({ length: Math.max(1, Math.ceil(words.length / 10)) }, (_, page) =>
        run(sentence(words.slice(page * 10, page * 10 + 10))),
      ),
    }),
  'application/epub+zip': (words) => buildEpub({ chapters: words.map((word) => `<p>${word} is here</p>`) }),
  'message/rfc822': mail,
  'application/zip': zip,
  'application/gzip': (words) => gzipSync(words.map((word) => `${word},1\r\n`).join('')),
};

const WORDS = Array.from({ length: 60 }, (_, index) => `word${index}`);

/** What our own disarm makes of a file where it changes it, so that nothing but the loss can be at fault; else the file. */
async function settled(name: string, made: Uint8Array): Promise<Uint8Array> {
  const report = await disarmFile({ bytes: made, untrustedName: name, password: null }, DEFAULT_ENGINE_LIMITS);
  return report.outcome === 'failed' ? made : report.bytes;
}

/** One file of each type, with what is left of it without its words, pixels or members, and with half of them. */
export async function fullFiles(): Promise<LosingFile[]> {
  return Promise.all(
    DISARMED_TYPES.map(async (type) => {
      const name = `full.${type === 'application/gzip' ? 'csv.gz' : describeType(type).extension}`;
      const make = async (words: readonly string[]) => settled(name, await MAKERS[type](words));
      return {
        name: `${type.replace(/^.*[./]/, '')} ${name}`,
        bytes: await make(WORDS),
        less: { empty: await make([]), half: await make(WORDS.slice(0, 30)), tenth: await make(WORDS.slice(0, 6)) },
      };
    }),
  );
}
