/** XPS documents that load, lead elsewhere, or carry files and programs. */
import { buildFont } from '../../fixtures/build-font.ts';
import { buildPng } from '../../fixtures/build-image.ts';
import { buildXps, run, type XpsOptions } from '../../fixtures/build-xps.ts';
import { type Draft, type Generator, KEEP, LIVE, LIVE_URL } from './sample.ts';

const kept = run(`${KEEP} page`);
const OPEN = 'http://schemas.openxps.org/oxps/v1.0';
const draft = async (encoding: string, options: XpsOptions): Promise<Draft> => ({
  encoding,
  content: await buildXps({ pages: [kept], ...options }),
});
const onPage = (markup: string) =>
  Promise.all([
    draft('on the page', { pages: [kept + markup] }),
    draft('in a canvas', { pages: [`<Canvas>${kept}<Canvas>${markup}</Canvas></Canvas>`] }),
    draft('on the second page', { pages: [kept, markup] }),
    draft('of OpenXPS', { pages: [kept + markup], space: OPEN }),
  ]);

const ADDRESSES: Readonly<Record<string, string>> = {
  script: `javascript:${LIVE}`,
  file: `file:///c:/${LIVE}.exe`,
  share: `\\\\${LIVE}\\x`,
  program: `ms-officecmd:${LIVE}`,
  relative: `../../${LIVE}.exe`,
};
const links: Generator = (line) => {
  const address = ADDRESSES[line] ?? '';
  return onPage(
    `<Path Data="M0,0 L9,9" FixedPage.NavigateUri="${address}"/>${run('x', ` FixedPage.NavigateUri="&#32;${address}"`)}`,
  );
};

const ELEMENTS: Readonly<Record<string, string>> = {
  script: `<x:script xmlns:x="http://www.w3.org/1999/xhtml">${LIVE}</x:script>`,
  ObjectDataProvider: `<ObjectDataProvider MethodName="${LIVE}"/>`,
  'c:Process': `<c:Process xmlns:c="clr-namespace:System.Diagnostics" StartInfo="${LIVE}"/>`,
  Frame: `<Frame Source="${LIVE_URL}"/>`,
  Button: `<Button Click="${LIVE}">${LIVE}</Button>`,
  'mc:AlternateContent': `<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice Requires="x">${LIVE}</mc:Choice></mc:AlternateContent>`,
};
const elements: Generator = (line) => onPage(ELEMENTS[line] ?? '');

const VALUES: Readonly<Record<string, string>> = {
  'remote picture': `<Path Data="M0,0"><Path.Fill><ImageBrush ImageSource="${LIVE_URL}.png" Viewbox="0,0,1,1" Viewport="0,0,1,1"/></Path.Fill></Path>`,
  'colour profile': `<Path Data="M0,0"><Path.Fill><ImageBrush ImageSource="{ColorConvertedBitmap ${LIVE_URL}.png ${LIVE_URL}.icc}"/></Path.Fill></Path>`,
  'remote dictionary': `<Canvas><Canvas.Resources><ResourceDictionary Source="${LIVE_URL}.dict"/></Canvas.Resources></Canvas>`,
  'fill of a profile': `<Path Data="M0,0" Fill="ContextColor ${LIVE_URL}.icc 1,0,0"/>`,
  binding: `<Path Data="{Binding ${LIVE}}" Fill="{x:Static ${LIVE}}"/>`,
  event: `<Path Data="M0,0" Loaded="${LIVE}" x:Class="${LIVE}" xmlns:x="http://schemas.microsoft.com/winfx/2006/xaml"/>`,
};
const values: Generator = (line) => onPage(VALUES[line] ?? '');

const picture =
  '<Path Data="M0,0"><Path.Fill><ImageBrush ImageSource="/a.png" Viewbox="0,0,1,1" Viewport="0,0,1,1"/></Path.Fill></Path>';
const live = Buffer.from(LIVE);
const PARTS: Readonly<Record<string, XpsOptions>> = {
  ticket: { more: [['Metadata/Job_PT.xml', `<psf:PrintTicket xmlns:psf="x">${LIVE}</psf:PrintTicket>`]] },
  signature: {
    more: [['package/services/digital-signature/xml-signature/a.psdsxs', `<Signature>${LIVE}</Signature>`]],
  },
  properties: { more: [['docProps/core.xml', `<cp:coreProperties xmlns:cp="x">${LIVE}</cp:coreProperties>`]] },
  program: { more: [['setup.exe', `MZ\x90\0${LIVE}`]] },
  'page that nothing names': { more: [['Documents/1/Pages/9.fpage', `<FixedPage>${LIVE}</FixedPage>`]] },
  'picture with a comment': { pages: [kept + picture], more: [['a.png', buildPng({ comment: LIVE })]] },
  'false picture': { pages: [kept + picture], more: [['a.png', `<html><script>${LIVE}</script>`]] },
  'program of a glyph': { font: buildFont({ program: live }) },
  'programs of a font': { font: buildFont({ tables: { fpgm: live, prep: live, 'cvt ': live } }) },
  'table of a font': { font: buildFont({ tables: { 'SVG ': live, name: live, zzzz: live } }) },
  'end of a font': { font: buildFont({ tail: live }) },
  'external relationship': {
    relationships: `<Relationship Id="x" Type="http://schemas.microsoft.com/xps/2005/06/fixedrepresentation" TargetMode="External" Target="${LIVE_URL}"/>`,
  },
};
const parts: Generator = async (line) =>
  Promise.all([
    draft('in a document', PARTS[line] ?? {}),
    draft('with a plain font', { ...PARTS[line], isObfuscated: false }),
  ]);

const frame: Generator = async (line) => [
  await draft(
    line,
    {
      comment: { pages: [`${kept}<!--${LIVE}-->`] },
      text: { pages: [`${kept}${LIVE}`] },
      root: { root: ` Loaded="${LIVE}" xmlns:x="urn:${LIVE}" x:y="${LIVE}"` },
    }[line] ?? {},
  ),
];

export const xpsSamples: Readonly<Record<string, Generator>> = {
  'xps/link': links,
  'xps/element': elements,
  'xps/value': values,
  'xps/part': parts,
  'xps/frame': frame,
};
