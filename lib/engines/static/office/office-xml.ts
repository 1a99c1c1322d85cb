/**
 * Documents of Office 2003 in one XML file: macros and objects in them, fields and formulas that reach out, and foreign templates and
 * pictures.
 */
import { decodeMarked, textEncoding } from '../../../formats/charsets/text-encoding.ts';
import { anyOf } from '../../../formats/patterns.ts';
import type { Finding } from '../../engine.ts';
import { type FindingId, finding } from '../findings/findings.ts';
import { isOwnFile } from '../findings/link-target.ts';
import type { Piece, StaticModule } from '../findings/module.ts';
import { judgeClickedLinks } from '../findings/target-findings.ts';
import { judgePartText } from './open-xml-text.ts';
import { plainXml } from './plain-xml.ts';
import { unescapeXml } from './xml-escapes.ts';

const TYPES = /^application\/x-(?:spreadsheetml|wordml)$/;
/** The most files in a document that are analysed by themselves. */
const MAX_PIECES = 60;

const SIGNS: readonly (readonly [RegExp, FindingId])[] = [
  // Word keeps the macros of a document as "ActiveMime" in base64, under the name of editdata.mso.
  [anyOf([/<(?:\w+:)?docSuppData[\s/>]/, /\smacrosPresent\s*=\s*["']yes/, /QWN0aXZlTWltZQ/]), 'office-macro'],
  [
    anyOf([/<(?:\w+:)?docOleData[\s/>]/, /<(?:\w+:)?OLEObject[\s/>]/, /\soleObject\w{0,20}Present\s*=\s*["']yes/]),
    'office-embedded-object',
  ],
  [/<(?:\w+:)?(?:ocx|control)[\s/>]/, 'office-activex'],
  [/<(?:\w+:)?(?:QueryTable|QuerySource|Connection|SupBook|MapInfo|mailMerge)[\s/>]/, 'office-data-connection'],
  // Names by which Excel starts a macro sheet when it opens the workbook.
  [
    /<(?:\w+:)?NamedRange\s[^<>]*?Name\s*=\s*["'](?:_xlnm\.)?auto_(?:open|close|activate|deactivate)/i,
    'office-xlm-macro',
  ],
  [/<!DOCTYPE/i, 'xml-doctype'],
];
const TEMPLATE = /<(?:\w+:)?attachedTemplate\s[^<>]*?val\s*=\s*(?:"([^"]*)"|'([^']*)')/gi;
const LINK = /\s(?:\w+:)?(?:HRef|dest)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
/** Formulas are values of attributes here. */
const FORMULA = /\s(?:\w+:)?(?:Formula|ArrayRange)\s*=\s*(?:"([^"<]+)"|'([^'<]+)')/g;
/** Files in a document, in base64. Pictures are not files that run. */
const FILE = /<(?:\w+:)?binData\s[^<>]*?name\s*=\s*["']([^"'<>]{1,300})["'][^<>]*>([^<]{8,})</g;
const PICTURE = /\.(?:png|jpe?g|gif|bmp|tiff?|emz|wmz|emf|wmf|pcz)$/i;
const PLACE = 'document';

export const officeXmlModule: StaticModule = {
  name: 'office-xml',
  accepts: (type) => TYPES.test(type),
  run: ({ bytes }) => {
    const { text, isUnderstood } = plainXml(decodeMarked(bytes));
    const signs = SIGNS.filter(([sign]) => sign.test(text)).map(([, id]) => finding(id, PLACE));
    return {
      findings: [
        ...signs,
        ...templatesIn(text),
        ...linksIn(text),
        ...judgePartText(PLACE, text),
        ...judgeFormulas(text),
      ],
      views: [],
      pieces: filesIn(text),
      understood: isUnderstood && textEncoding(bytes) !== null,
    };
  },
};

/** Returns the templates that Word loads with the document. A template on a drive belongs to the writer. */
function templatesIn(text: string): Finding[] {
  return Array.from(text.matchAll(TEMPLATE), ([, one, other]) => unescapeXml(one ?? other ?? ''))
    .filter((target) => !isOwnFile(target))
    .slice(0, 1)
    .map((target) => finding('office-external-template', PLACE, target));
}

/** Returns the links of cells and texts. Links of shapes are found in the text of the part. */
function linksIn(text: string): Finding[] {
  const links = Array.from(text.matchAll(LINK), ([, one, other]) => unescapeXml(one ?? other ?? ''));
  return judgeClickedLinks(links, PLACE);
}

/** Returns the formulas of cells, judged like those of a sheet of the newer format. */
function judgeFormulas(text: string): Finding[] {
  const formulas = Array.from(
    text.matchAll(FORMULA),
    ([, double, single]) => `<f>${(double ?? single ?? '').replace(/^=/, '')}</f>`,
  );
  return formulas.length === 0 ? [] : judgePartText(PLACE, formulas.join(''));
}

function filesIn(text: string): Piece[] {
  const pieces: Piece[] = [];
  for (const [, name = '', content = ''] of text.matchAll(FILE)) {
    if (PICTURE.test(name) || pieces.length >= MAX_PIECES) continue;
    const bytes = Buffer.from(content, 'base64');
    pieces.push({
      where: name,
      bytes,
      kind: 'extracted_file',
      untrustedName: name.slice(name.lastIndexOf('/') + 1),
      scope: 'file',
    });
  }
  return pieces;
}
