/** Inspects books (EPUB): the list of parts, the table of contents, and each chapter as a page. */

import { type Findings, namesOf, type Units } from '../fact.ts';
import { decodePage, readPage } from '../html.ts';
import { readSvg } from '../markup.ts';
import { inspectPicture } from '../picture/picture.ts';
import { openTally, type WordTally } from '../word-tally.ts';
import { decodeXml } from '../xml/text.ts';
import { type InflateBudget, layoutFaults, openZip, readMember, type ZipArchive, type ZipMember } from '../zip-scan.ts';
import { type ClosedForms, searchClosed } from './closed-xml.ts';

/** The names of all members of a result. */
const OWN_NAME =
  /^(?:mimetype|META-INF\/container\.xml|OEBPS\/(?:content\.opf|nav\.xhtml|toc\.ncx|chapter-\d{1,6}\.xhtml|images\/picture-\d{1,6}\.(?:png|jpe?g|gif|svg)))$/;
const CHAPTER = /^chapter-\d{1,6}\.xhtml(?:#[^\s<>"\\]*)?$/;
const LINK = /^(?:https?:\/\/|mailto:|tel:|#)/i;
const ANY = /^/;
const attributes = (list: string, form: RegExp) => namesOf(list).map((name): [string, RegExp] => [name, form]);
const xmlns = (address: RegExp): [string, RegExp] => ['xmlns', address];

const PAGE: ClosedForms = {
  elements: new Set(
    namesOf(`
      html head title style meta body h1 h2 h3 h4 h5 h6 p div span br hr wbr pre blockquote address center article aside section header
      footer main nav figure figcaption details summary hgroup b strong i em u s strike del ins small big sub sup tt code kbd samp var
      cite dfn abbr acronym q mark time font bdi bdo ruby rt rp data nobr ul ol li dl dt dd dir menu table caption colgroup col thead
      tbody tfoot tr td th a img map area
    `),
  ),
  attributes: new Map([
    xmlns(/^http:\/\/www\.w3\.org\/1999\/xhtml$/),
    ['src', /^images\/picture-\d{1,6}\.(?:png|jpe?g|gif|svg)$/],
    ['href', new RegExp(`${CHAPTER.source}|${LINK.source}`, 'i')],
    ['charset', /^utf-8$/i],
    ['usemap', /^#/],
    ...attributes(
      `id dir lang title align valign width height bgcolor color face size border bordercolor cellpadding cellspacing colspan rowspan alt
       summary nowrap start type value reversed datetime abbr scope headers span char charoff hspace vspace clear compact noshade frame
       rules open name shape coords text link vlink alink topmargin leftmargin marginwidth marginheight class role rel target style`,
      ANY,
    ),
  ]),
};
const CONTAINER: ClosedForms = {
  elements: new Set(['container', 'rootfiles', 'rootfile']),
  attributes: new Map([
    xmlns(/^urn:oasis:names:tc:opendocument:xmlns:container$/),
    ['version', /^1\.0$/],
    ['full-path', /^OEBPS\/content\.opf$/],
    ['media-type', /^application\/oebps-package\+xml$/],
  ]),
};
const LIST: ClosedForms = {
  elements: new Set(
    namesOf('package metadata dc:identifier dc:title dc:language dc:creator meta manifest item spine itemref'),
  ),
  attributes: new Map([
    xmlns(/^http:\/\/www\.idpf\.org\/2007\/opf$/),
    ['xmlns:dc', /^http:\/\/purl\.org\/dc\/elements\/1\.1\/$/],
    ['href', /^(?:nav\.xhtml|toc\.ncx|chapter-\d{1,6}\.xhtml|images\/picture-\d{1,6}\.\w{1,4})$/],
    ['media-type', /^(?:application\/(?:xhtml\+xml|x-dtbncx\+xml)|image\/(?:png|jpeg|gif|svg\+xml))$/],
    ['properties', /^(?:nav|cover-image)$/],
    ['property', /^dcterms:modified$/],
    ...attributes(
      'version unique-identifier id idref linear toc name content page-progression-direction',
      /^[\w.-]{1,40}$/,
    ),
  ]),
};
const NCX: ClosedForms = {
  elements: new Set(namesOf('ncx head meta docTitle text navMap navPoint navLabel content')),
  attributes: new Map([
    xmlns(/^http:\/\/www\.daisy\.org\/z3986\/2005\/ncx\/$/),
    ['src', CHAPTER],
    ['content', /^urn:sha256:[0-9a-f]{64}$/],
    ...attributes('version id playOrder name', /^[\w:.-]{1,40}$/),
  ]),
};
const NAVIGATION: ClosedForms = {
  elements: new Set(namesOf('html head title body nav ol li a span')),
  attributes: new Map([
    xmlns(/^http:\/\/www\.w3\.org\/1999\/xhtml$/),
    ['xmlns:epub', /^http:\/\/www\.idpf\.org\/2007\/ops$/],
    ['epub:type', /^toc$/],
    ['href', CHAPTER],
  ]),
};
const DESCRIPTIONS: ReadonlyMap<string, readonly [root: string, forms: ClosedForms]> = new Map([
  ['META-INF/container.xml', ['container', CONTAINER]],
  ['OEBPS/content.opf', ['package', LIST]],
  ['OEBPS/toc.ncx', ['ncx', NCX]],
  ['OEBPS/nav.xhtml', ['html', NAVIGATION]],
]);

/** Counts the words, chapters and pictures of a book. With findings it also searches the book. Returns null when it cannot be read. */
export function readBook(
  bytes: Uint8Array,
  tally: WordTally,
  budget: InflateBudget,
  findings: Findings | null,
): { readonly units: Units; readonly pictures: number } | null {
  const archive = openZip(bytes);
  if (archive === null) {
    findings?.add('zip-unreadable', 'archive');
    return null;
  }
  const chapters = chaptersOf(archive, budget);
  let pictures = 0;
  for (const member of chapters) {
    const page = decodePage(readMember(archive, member, budget)).replace(/^\ufeff?<\?xml[^>]{0,200}\?>/, '');
    pictures += page.match(/<(?:img|(?:[\w-]+:)?image)\s/gi)?.length ?? 0;
    readPage(findings === null ? page : withoutOwnAddresses(page), tally, findings);
  }
  if (findings !== null) searchMembers(archive, budget, findings);
  return { units: { kind: 'chapters', count: chapters.length }, pictures };
}

/** Rewrites addresses inside of the book, which the closed list of the chapter knows, in the form of addresses inside of a message. */
const withoutOwnAddresses = (page: string) =>
  page
    .replace(/(\ssrc=")images\/picture-\d{1,6}\.[a-z]{3,4}"/g, '$1cid:picture"')
    .replace(/(\shref=")chapter-\d{1,6}\.xhtml(?:#[^\s<>"\\]*)?"/g, '$1#chapter"');

function chaptersOf(archive: ZipArchive, budget: InflateBudget): ZipMember[] {
  const members = new Map(archive.members.map((member) => [member.name.toLowerCase(), member]));
  const text = (path: string) => {
    const member = members.get(path.toLowerCase());
    return member === undefined ? '' : decodePage(readMember(archive, member, budget));
  };
  const path = /\sfull-path\s*=\s*["']([^"']{1,500})["']/.exec(text('META-INF/container.xml'))?.[1] ?? '';
  const list = text(decodeXml(path)).replace(/<!--[\s\S]*?-->/g, '');
  const items = new Map(tagsOf(list, 'item').map((tag) => [tag.get('id'), tag] as const));
  const order = new Set(tagsOf(list, 'itemref').map((tag) => tag.get('idref')));
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  return [...order].flatMap((id) => {
    const item = items.get(id);
    if (!/^(?:application\/xhtml\+xml|text\/html)$/i.test(item?.get('media-type')?.trim() ?? '')) return [];
    const href = item?.get('href') ?? '';
    return members.get(resolved(folder, href).toLowerCase()) ?? [];
  });
}

function tagsOf(xml: string, name: string): ReadonlyMap<string, string>[] {
  const tags = xml.matchAll(new RegExp(`<(?:[\\w-]+:)?${name}\\s([^<>]*)>`, 'g'));
  return [...tags].map(
    ([, list = '']) =>
      new Map(
        [...list.matchAll(/([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map(([, key = '', one, other]) => [
          key,
          decodeXml(one ?? other ?? ''),
        ]),
      ),
  );
}

function resolved(folder: string, href: string): string {
  let path = href.split('#')[0] ?? '';
  try {
    path = decodeURIComponent(path);
  } catch {
    // A percent sign that starts no escape belongs to the name.
  }
  const steps: string[] = [];
  for (const step of `${folder}${path}`.split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '.' && step !== '') steps.push(step);
  }
  return steps.join('/');
}

function searchMembers(archive: ZipArchive, budget: InflateBudget, findings: Findings): void {
  for (const id of layoutFaults(archive)) findings.add(id, 'archive');
  const [first] = archive.members;
  const type = first === undefined ? '' : Buffer.from(readMember(archive, first, budget)).toString('latin1');
  if (first?.name !== 'mimetype' || first.method !== 0 || type !== 'application/epub+zip')
    findings.add('book-type', 'mimetype');
  for (const member of archive.members) {
    if (!OWN_NAME.test(member.name)) findings.add('book-foreign-part', member.name);
    if (member !== first) searchMember(member, readMember(archive, member, budget), findings);
  }
}

function searchMember({ name }: ZipMember, content: Uint8Array, findings: Findings): void {
  const description = DESCRIPTIONS.get(name);
  if (description !== undefined) searchClosed(content, ...description, findings, name);
  else if (/\.xhtml$/.test(name)) searchClosed(content, 'html', PAGE, findings, name);
  else if (/\.svg$/.test(name)) readSvg(content, openTally(), findings);
  else if (!inspectPicture(content, findings, name)) findings.add('book-foreign-part', name);
}
