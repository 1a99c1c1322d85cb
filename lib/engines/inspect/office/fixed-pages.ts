/** Inspects XPS documents: the pages, the parts that describe them, and the fonts and pictures that they show. */

import { type Findings, namesOf, type Units } from '../fact.ts';
import { fontFault } from '../font.ts';
import { isLiveLink } from '../live-values.ts';
import { inspectPicture } from '../picture/picture.ts';
import { tallyText, type WordTally } from '../word-tally.ts';
import { decodeXml } from '../xml/text.ts';
import { type InflateBudget, layoutFaults, openZip, readMember, type ZipArchive, type ZipMember } from '../zip-scan.ts';
import { type ClosedForms, searchClosed } from './closed-xml.ts';

/** The names of all members of a result. */
const OWN_NAME =
  /^(?:\[Content_Types\]\.xml|_rels\/\.rels|FixedDocSeq\.fdseq|FixedDoc\.fdoc|Pages\/\d{1,6}\.fpage|Pages\/_rels\/\d{1,6}\.fpage\.rels|Resources\/font-\d{1,6}\.ttf|Resources\/picture-\d{1,6}\.(?:png|jpg|tif))$/;
const SPACE = /^http:\/\/schemas\.microsoft\.com\/xps\/2005\/06$/;
/** No address, and no reference except to a resource of the page. */
const VALUE = /^(?:\{StaticResource [\w-]+\}|(?![\s\S]*(?::\/\/|\\\\))[^{}<>]*)$/;
const forms = (elements: string, attributes: readonly (readonly [string, RegExp])[]): ClosedForms => ({
  elements: new Set(namesOf(elements)),
  attributes: new Map([['xmlns', SPACE], ...attributes]),
});
const each = (list: string, form: RegExp) => namesOf(list).map((name): [string, RegExp] => [name, form]);

const PAGE = forms(
  `FixedPage FixedPage.Resources ResourceDictionary Canvas Canvas.Resources Canvas.RenderTransform Canvas.Clip Canvas.OpacityMask Path
   Path.RenderTransform Path.Clip Path.OpacityMask Path.Fill Path.Stroke Path.Data Glyphs Glyphs.RenderTransform Glyphs.Clip
   Glyphs.OpacityMask Glyphs.Fill PathGeometry PathGeometry.Transform PathFigure PolyLineSegment PolyBezierSegment
   PolyQuadraticBezierSegment ArcSegment SolidColorBrush ImageBrush ImageBrush.Transform VisualBrush VisualBrush.Transform
   VisualBrush.Visual LinearGradientBrush LinearGradientBrush.Transform LinearGradientBrush.GradientStops RadialGradientBrush
   RadialGradientBrush.Transform RadialGradientBrush.GradientStops GradientStop MatrixTransform`,
  [
    ['xmlns:x', /^http:\/\/schemas\.microsoft\.com\/xps\/2005\/06\/resourcedictionary-key$/],
    ['FontUri', /^\/Resources\/font-\d{1,6}\.ttf$/],
    ['ImageSource', /^\/Resources\/picture-\d{1,6}\.(?:png|jpg|tif)$/],
    ['FixedPage.NavigateUri', /^(?:https?:\/\/|mailto:|tel:)/i],
    ['UnicodeString', /^(?:\{\}|(?!\{))/],
    ...each(
      `Width Height ContentBox BleedBox Opacity OriginX OriginY FontRenderingEmSize BidiLevel StrokeDashOffset StrokeMiterLimit
       StrokeThickness StrokeDashArray Viewbox Viewport StartPoint EndPoint Center GradientOrigin RadiusX RadiusY Offset Points Point Size
       RotationAngle Matrix Data Clip RenderTransform Transform Figures Fill Stroke Color OpacityMask xml:lang RenderOptions.EdgeMode
       FillRule StrokeDashCap StrokeEndLineCap StrokeStartLineCap StrokeLineJoin StyleSimulations IsSideways CaretStops DeviceFontName
       ViewboxUnits ViewportUnits TileMode MappingMode SpreadMethod ColorInterpolationMode IsClosed IsFilled IsStroked IsLargeArc
       SweepDirection x:Key Name Indices`,
      VALUE,
    ),
    ...each('AutomationProperties.Name AutomationProperties.HelpText', /^[^{}<>]*$/),
  ],
);
const PARTS: readonly (readonly [RegExp, string, ClosedForms])[] = [
  [/\.fpage$/, 'FixedPage', PAGE],
  [/\.fdoc$/, 'FixedDocument', forms('FixedDocument PageContent', [['Source', /^\/Pages\/\d{1,6}\.fpage$/]])],
  [
    /\.fdseq$/,
    'FixedDocumentSequence',
    forms('FixedDocumentSequence DocumentReference', [['Source', /^\/FixedDoc\.fdoc$/]]),
  ],
  [
    /\.rels$/,
    'Relationships',
    {
      elements: new Set(['Relationships', 'Relationship']),
      attributes: new Map([
        ['xmlns', /^http:\/\/schemas\.openxmlformats\.org\/package\/2006\/relationships$/],
        ['Id', /^R\d{1,6}$/],
        ['Type', /^http:\/\/schemas\.microsoft\.com\/xps\/2005\/06\/(?:fixedrepresentation|required-resource)$/],
        ['Target', /^\/(?:FixedDocSeq\.fdseq|Resources\/(?:font|picture)-\d{1,6}\.\w{3})$/],
      ]),
    },
  ],
  [
    /^\[Content_Types\]\.xml$/,
    'Types',
    {
      elements: new Set(['Types', 'Default']),
      attributes: new Map([
        ['xmlns', /^http:\/\/schemas\.openxmlformats\.org\/package\/2006\/content-types$/],
        ['Extension', /^(?:rels|fdseq|fdoc|fpage|ttf|png|jpg|tif)$/],
        [
          'ContentType',
          /^(?:application\/vnd\.(?:openxmlformats-package\.relationships|ms-package\.xps-fixed(?:documentsequence|document|page))\+xml|application\/vnd\.ms-opentype|image\/(?:png|jpeg|tiff))$/,
        ],
      ]),
    },
  ],
];

/** Counts the words and pages of a document. With findings it also searches the document. Returns null when it cannot be read. */
export function readFixedPages(
  bytes: Uint8Array,
  tally: WordTally,
  budget: InflateBudget,
  findings: Findings | null,
): { readonly units: Units } | null {
  const archive = openZip(bytes);
  if (archive === null) {
    findings?.add('zip-unreadable', 'archive');
    return null;
  }
  const pages = pagesOf(archive, budget);
  for (const page of pages) tallyPage(readMember(archive, page, budget), tally, findings);
  if (findings !== null) {
    for (const id of layoutFaults(archive)) findings.add(id, 'archive');
    for (const member of archive.members) searchMember(member, readMember(archive, member, budget), findings);
  }
  return { units: { kind: 'pages', count: pages.length } };
}

const textOf = (bytes: Uint8Array) => {
  const [first, second] = bytes;
  const isLittle = (first === 0xff && second === 0xfe) || second === 0;
  return new TextDecoder(isLittle ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8').decode(
    bytes,
  );
};

/** Returns the pages that a document of the package names, each as often as it is named. */
function pagesOf(archive: ZipArchive, budget: InflateBudget): ZipMember[] {
  const members = new Map(archive.members.map((member) => [member.name.toLowerCase(), member]));
  return archive.members
    .filter(({ name }) => /\.fdoc$/i.test(name))
    .flatMap((document) => {
      const folder = document.name.slice(0, document.name.lastIndexOf('/') + 1);
      const xml = textOf(readMember(archive, document, budget)).replace(/<!--[\s\S]*?-->/g, '');
      return [...xml.matchAll(/<(?:[\w-]+:)?PageContent\s[^<>]*?\bSource\s*=\s*["']([^"'<>]{1,500})["']/g)].flatMap(
        ([, source = '']) => members.get(resolved(folder, decodeXml(source)).toLowerCase()) ?? [],
      );
    });
}

function resolved(folder: string, source: string): string {
  const steps: string[] = [];
  for (const step of (source.startsWith('/') ? source : `${folder}${source}`).split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '.' && step !== '') steps.push(step);
  }
  return steps.join('/');
}

function tallyPage(bytes: Uint8Array, tally: WordTally, findings: Findings | null): void {
  const xml = textOf(bytes).replace(/<!--[\s\S]*?-->/g, '');
  for (const [, one, other] of xml.matchAll(/\sUnicodeString\s*=\s*(?:"([^"]*)"|'([^']*)')/g))
    tallyText(tally, ` ${decodeXml(one ?? other ?? '')} `);
  if (findings === null) return;
  for (const [, address = ''] of xml.matchAll(/\sFixedPage\.NavigateUri="([^"]*)"/g))
    if (isLiveLink(decodeXml(address))) findings.add('page-unsafe-link', address);
}

function searchMember({ name }: ZipMember, content: Uint8Array, findings: Findings): void {
  if (!OWN_NAME.test(name)) findings.add('page-foreign-part', name);
  const part = PARTS.find(([pattern]) => pattern.test(name));
  if (part !== undefined) searchClosed(content, part[1], part[2], findings, name);
  else if (/\.ttf$/.test(name)) {
    const fault = fontFault(content);
    if (fault !== null) findings.add(fault, name);
  } else if (!inspectPicture(content, findings, name)) findings.add('page-foreign-part', name);
}
