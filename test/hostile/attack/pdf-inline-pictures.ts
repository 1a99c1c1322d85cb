/** Pictures within the content of a PDF that ask for JBIG2 or JPEG 2000, in streams of every kind that readers draw. */
import { deflateSync, inflateSync } from 'node:zlib';
import { disarmFile } from '../../../lib/engines/disarm/disarm.ts';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';
import { pdfStream, plainPdf } from '../../fixtures/pdf-file.ts';
import type { AttackClass, Attempt } from './attack-class.ts';

const DECODERS = ['JBIG2Decode', 'JPXDecode', 'JPX'];
const escaped = (name: string, every: number) =>
  name.replace(/./g, (each, at: number) => (at % every === 0 ? `#${each.charCodeAt(0).toString(16)}` : each));
const SPELLINGS: Readonly<Record<string, (name: string) => string>> = {
  plain: (name) => name,
  'first escaped': (name) => escaped(name, 99),
  'all escaped': (name) => escaped(name, 1).toUpperCase(),
};
/** The words of the picture; `@` is the decoder. */
const PICTURES: Readonly<Record<string, string>> = {
  short: 'BI /W 8 /H 8 /F /@ ID xxxxxxxx EI',
  'in a list': 'BI /W 8 /H 8 /Filter[/Fl/@]ID xxxxxxxx EI',
  'before a string': 'BI /F/@ /X (a(b)\\)c) /Y <28> ID xxxxxxxx EI',
  'behind a closed bracket': '(a) Tj ) BI /F /@%)\n ID xxxxxxxx EI',
  cut: 'BI /W 8 /H 8 /F /@',
};
/** How the content is packed: the bytes, and the entries of the stream. */
const PACKINGS: Readonly<Record<string, (content: string) => readonly [data: string | Uint8Array, entries: string]>> = {
  plain: (content) => [content, ''],
  flate: (content) => [deflateSync(content), '/Filter /FlateDecode'],
  hex: (content) => [`${Buffer.from(content).toString('hex')}>`, '/Filter [/AHx]'],
  'hex of flate behind a reference': (content) => [
    `${deflateSync(content).toString('hex')}>`,
    '/Filter [/ASCIIHexDecode 8 0 R]',
  ],
  'rows of a picture': (content) => [
    deflateSync(Buffer.concat([Buffer.from([0]), Buffer.from(content)])),
    `/Filter /FlateDecode /DecodeParms << /Predictor 15 /Columns ${content.length} >>`,
  ],
};
/** Which stream holds it: the page's own, or what its content draws. */
const HOSTS: Readonly<Record<string, string>> = {
  page: '',
  form: '/Type /XObject /Subtype /Form /BBox [0 0 9 9] ',
  pattern: '/PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 9 9] /XStep 9 /YStep 9 ',
  'picture used as content':
    '/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray ',
};
const WORDS = 'BT /F1 12 Tf 20 100 Td (kept words) Tj ET';

function pdfWith(content: string, packing: string, host: string, first = WORDS): Uint8Array {
  const [data, entries] = PACKINGS[packing]?.(content) ?? ['', ''];
  const stream = pdfStream(data, `${HOSTS[host]}${entries} `);
  const contents = host === 'page' || host === 'picture used as content' ? '[5 0 R 6 0 R]' : '5 0 R';
  return plainPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents ${contents} /Resources 4 0 R >>`,
    `<< /Font << /F1 7 0 R >> /XObject << /X 6 0 R >> /Pattern << /P ${host === 'pattern' ? '6 0 R' : 'null'} >> >>`,
    pdfStream(first),
    stream,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    '/FlateDecode',
  ]);
}

/** Every stream of the output, inflated. The output is ours: its objects stand in it one after the other. */
function streamsOf(bytes: Uint8Array): string[] {
  const raw = Buffer.from(bytes).toString('latin1');
  return [...raw.matchAll(/\/Length (\d+) >>\nstream\n/g)].map((match) => {
    const start = match.index + match[0].length;
    const data = Buffer.from(raw.slice(start, start + Number(match[1])), 'latin1');
    const isFlate = /\/FlateDecode[^/]*$|\/FlateDecode \/DecodeParms/.test(
      raw.slice(Math.max(0, match.index - 200), match.index),
    );
    const hex = /\/(?:AHx|ASCIIHexDecode)/.test(raw.slice(Math.max(0, match.index - 200), match.index));
    const isHexOfFlate = hex && /^78/.test(data.toString('latin1'));
    const bytes = hex ? Buffer.from(data.toString('latin1').replace('>', ''), 'hex') : data;
    return ((isFlate && !hex) || isHexOfFlate ? inflateSync(bytes) : bytes).toString('latin1');
  });
}

const unescaped = (text: string) =>
  text.replace(/#([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

async function disarmed(bytes: Uint8Array) {
  return await disarmFile({ bytes, untrustedName: 'a.pdf', password: null }, DEFAULT_ENGINE_LIMITS);
}

async function hostile(id: string, bytes: Uint8Array): Promise<Attempt> {
  const report = await disarmed(bytes);
  if (report.outcome === 'failed') return { id, ended: report.failure.code, won: null };
  // Streams of a page that some readers join without a blank are joined here.
  const text = unescaped(streamsOf(report.bytes).join(''));
  const found = /\/(?:JBIG2Decode|JPX(?:Decode)?)(?![A-Za-z])/.exec(text)?.[0];
  return { id, ended: report.outcome, won: found === undefined ? null : `${found} is in the output` };
}

async function ordinary(id: string, content: string): Promise<Attempt> {
  const report = await disarmed(pdfWith(content, 'flate', 'page'));
  if (report.outcome === 'failed') return { id, ended: 'refused', won: `refused: ${report.failure.message}` };
  const isWhole = streamsOf(report.bytes).some((text) => text === content);
  return { id, ended: report.outcome, won: isWhole ? null : 'its content was changed' };
}

const ORDINARY: Readonly<Record<string, string>> = {
  'ordinary words about decoders':
    'BT /F1 9 Tf [(see /JBIG2Decode and)-3( \\(or /JPX\\) )] TJ (/JPXDecode) Tj ET BI /W 1 /H 1 /BPC 8 /CS /G ID x EI',
  'ordinary picture in content': 'q 9 0 0 9 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G /F /AHx ID 7f> EI Q',
  'ordinary marks': '/JPG gs /J1 gs /Span << /ActualText (x) >> BDC EMC /JPXImage Do',
};

export const pdfInlinePictures: AttackClass = {
  name: 'pdf-inline-pictures',
  title: 'a picture within the content of a PDF that asks for a decoder that has been attacked',
  async *attempts() {
    for (const decoder of DECODERS)
      for (const [spelling, spell] of Object.entries(SPELLINGS))
        for (const [picture, words] of Object.entries(PICTURES))
          for (const packing of Object.keys(PACKINGS))
            for (const host of Object.keys(HOSTS)) {
              const content = words.replace('@', spell(decoder));
              yield await hostile(
                `${decoder} ${spelling} ${picture} ${packing} ${host}`,
                pdfWith(content, packing, host),
              );
            }
    for (const name of ['JBIG2Decode', 'JPX', 'J#42IG2#44ecode'])
      for (let at = 0; at < name.length; at++) {
        const bytes = pdfWith(`${name.slice(at)} ID x EI`, 'flate', 'page', `${WORDS} BI /F /${name.slice(0, at)}`);
        yield await hostile(`/${name} on two streams, cut at ${at}`, bytes);
      }
    for (const [id, content] of Object.entries(ORDINARY)) yield await ordinary(id, content);
  },
};
