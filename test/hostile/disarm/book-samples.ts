/** Books that run, load, or carry files of other programs. */
import { type BookOptions, buildEpub } from '../../fixtures/build-epub.ts';
import { type Draft, type Generator, KEEP, LIVE, LIVE_URL } from './sample.ts';

const kept = `<p>${KEEP} chapter</p>`;
const draft = async (encoding: string, options: BookOptions): Promise<Draft> => ({
  encoding,
  content: await buildEpub({ chapters: [kept], ...options }),
});

const ELEMENTS: Readonly<Record<string, string>> = {
  script: `<script>${LIVE}</script>`,
  iframe: `<iframe src="${LIVE_URL}"></iframe>`,
  object: `<object data="${LIVE_URL}" type="text/html"></object>`,
  embed: `<embed src="${LIVE_URL}"/>`,
  form: `<form action="${LIVE_URL}"><input name="a" value="b"/></form>`,
  video: `<video src="${LIVE_URL}" autoplay="autoplay"></video>`,
  audio: `<audio><source src="${LIVE_URL}"/></audio>`,
  svg: `<svg xmlns="http://www.w3.org/2000/svg"><script>${LIVE}</script><a href="javascript:${LIVE}"><text>x</text></a></svg>`,
  math: `<math xmlns="http://www.w3.org/1998/Math/MathML"><maction actiontype="statusline"><mtext>${LIVE}</mtext></maction></math>`,
  'epub:trigger': `<epub:trigger xmlns:ev="http://www.w3.org/2001/xml-events" ev:observer="${LIVE}" action="play" ref="x"/>`,
  'h:script': `<h:script xmlns:h="http://www.w3.org/1999/xhtml">${LIVE}</h:script>`,
  'xi:include': `<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="${LIVE_URL}"/>`,
};
const elements: Generator = async (line) => {
  const markup = ELEMENTS[line] ?? '';
  const cut = markup.replace(/^<([\w:]+)/, '<$1\n\t');
  return Promise.all([
    draft('plain', { chapters: [kept + markup] }),
    draft('in the second chapter', { chapters: [kept, `<div>${markup}</div>`] }),
    draft('over lines', { chapters: [`${kept}<div>${cut}</div>`] }),
    draft('in the head', { head: markup }),
    draft('in the table of contents', { navigation: `<li><span>x</span>${markup}</li>` }),
    draft('of an old book', { chapters: [kept + markup], isOld: true }),
    draft('in capitals', {
      chapters: [kept + markup.replace(/<(\/?)(\w+)/g, (_, end, name) => `<${end}${name.toUpperCase()}`)],
    }),
  ]);
};

const ATTRIBUTES: Readonly<Record<string, string>> = {
  onclick: `<p onclick="${LIVE}">x</p>`,
  style: `<p style="background:url(${LIVE_URL})">x</p>`,
  'remote-src': `<img src="${LIVE_URL}" alt=""/>`,
  srcset: `<img src="x.png" srcset="${LIVE_URL} 2x" alt=""/>`,
  poster: `<video poster="${LIVE_URL}"></video>`,
  'a-href': `<a href="javascript:${LIVE}">x</a>`,
  'a-file': `<a href="file:///${LIVE}">x</a>`,
  'svg-image': `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><image xlink:href="${LIVE_URL}"/></svg>`,
  'xml-base': `<div xml:base="${LIVE_URL}"><a href="x">x</a></div>`,
  'up-and-out': `<img src="../../../../${LIVE}.png" alt=""/>`,
};
const attributes: Generator = async (line) => {
  const markup = ATTRIBUTES[line] ?? '';
  return Promise.all([
    draft('plain', { chapters: [kept + markup] }),
    draft('with references', {
      chapters: [
        kept +
          markup
            .replaceAll(':', '&#58;')
            .replaceAll('xml&#58;', 'xml:')
            .replaceAll('xlink&#58;', 'xlink:')
            .replaceAll('xmlns&#58;', 'xmlns:'),
      ],
    }),
    draft('in a table', { chapters: [`${kept}<table><tr><td>${markup}</td></tr></table>`] }),
  ]);
};

const FRAMES: Readonly<Record<string, BookOptions>> = {
  doctype: { prolog: `<!DOCTYPE html SYSTEM "${LIVE_URL}">` },
  instruction: { prolog: `<?xml-stylesheet href="${LIVE_URL}"?>` },
  comment: { chapters: [`${kept}<!--${LIVE}-->`] },
  sheet: { head: `<link rel="stylesheet" href="${LIVE_URL}"/><style>@import url(${LIVE_URL});</style>` },
  refresh: { head: `<meta http-equiv="refresh" content="0;url=${LIVE_URL}"/>` },
  base: { head: `<base href="${LIVE_URL}"/>` },
  root: { root: ` onload="${LIVE}"` },
  metadata: {
    metadata: `<link rel="record" href="${LIVE_URL}"/><meta property="x">${LIVE}</meta><dc:source>${LIVE}</dc:source>`,
  },
  manifest: {
    manifest: `<item id="r" href="${LIVE_URL}" media-type="application/xhtml+xml"/>`,
    spine: '<itemref idref="r"/>',
  },
  guide: { spine: '', metadata: `<dc:rights>${LIVE}</dc:rights>` },
  'table of contents': { navigation: `<li><a href="${LIVE_URL}">x</a></li>` },
};
const frame: Generator = async (line) => [await draft('plain', FRAMES[line] ?? {})];

const FILES: Readonly<Record<string, readonly [path: string, type: string, content: string]>> = {
  program: ['setup.exe', 'application/octet-stream', `MZ\x90\0${LIVE}`],
  script: ['run.js', 'text/javascript', `// ${LIVE}`],
  page: ['more.html', 'text/html', `<script>${LIVE}</script>`],
  font: ['a.otf', 'application/vnd.ms-opentype', `OTTO${LIVE}`],
  film: ['a.mp4', 'video/mp4', `ftyp${LIVE}`],
  'false picture': ['a.png', 'image/png', `<html><script>${LIVE}</script>`],
  drawing: ['a.svg', 'image/svg+xml', `<svg xmlns="http://www.w3.org/2000/svg"><script>${LIVE}</script></svg>`],
  sheet: ['a.css', 'text/css', `p{background:url(${LIVE_URL})}@import "${LIVE_URL}";@font-face{src:url(${LIVE_URL})}`],
  archive: ['a.zip', 'application/zip', `PK\x03\x04${LIVE}`],
};
const files: Generator = async (line) => {
  const [file = ['', '', ''] as const] = [FILES[line]];
  const [path] = file;
  return Promise.all([
    draft('in the list', { files: [file] }),
    draft('outside of the list', { more: [[`OPS/${path}`, file[2]]] }),
    draft('in the order', { files: [file], spine: '<itemref idref="f0"/>' }),
    draft('shown', {
      files: [file],
      chapters: [`${kept}<p><img src="../${path}" alt=""/><a href="../${path}">x</a></p>`],
      head: `<link rel="stylesheet" href="../${path}"/><script src="../${path}"></script>`,
    }),
    draft('among the descriptions', { more: [[`META-INF/${path}`, file[2]]] }),
  ]);
};

export const bookSamples: Readonly<Record<string, Generator>> = {
  'book/element': elements,
  'book/attribute': attributes,
  'book/frame': frame,
  'book/file': files,
};
