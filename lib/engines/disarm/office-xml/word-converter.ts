/** Converts elements of Word 2003, one by one, to elements of docx. */
import type { EngineLimits } from '../../engine.ts';
import type { RemovalLog } from '../removals.ts';
import { childrenOf, textOf, type XmlElement, type XmlNode } from '../xml/tree.ts';
import type { PackagePart } from './parts-container.ts';
import { attributeOf, elementName } from './word-names.ts';
import { element, Pictures, Story } from './word-parts.ts';

/** Elements with their own text. Text anywhere else is white space between elements. */
const TEXTS = new Set(['w:t', 'w:delText', 'w:instrText']);
/** Elements that are left out with their content: check marks of the speller, hints for other programs, settings. */
const DROPPED = new Set([
  ...[
    'w:proofErr',
    'w:permStart',
    'w:permEnd',
    'w:fldData',
    'w:rsid',
    'w:cfChunk',
    'w:scriptAnchor',
    'w:applet',
    'w:msAccessHTML',
  ],
  ...[
    'w:movie',
    'w:bgsound',
    'w:ignoreElements',
    'w:ignoreSubtree',
    'w:divId',
    'w:placeholder',
    'w:lvlPicBulletId',
    'w:listPicBullet',
  ],
]);
const DROPPED_KINDS: ReadonlyMap<string, string> = new Map([
  ['o:OLEObject', 'embedded object'],
  ['w:ocx', 'ActiveX control'],
  ['w:control', 'ActiveX control'],
  ['w:subDoc', 'linked document'],
  ['w:altChunk', 'embedded foreign document'],
]);
/** The kinds of headers and footers. */
const PAGES: Readonly<Record<string, string>> = { odd: 'default', even: 'even', first: 'first' };
const NOTES: Readonly<Record<string, 'footnote' | 'endnote'>> = { 'w:footnote': 'footnote', 'w:endnote': 'endnote' };
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ?$/;

type Beside = 'footnotes' | 'endnotes' | 'comments';

export class WordConverter {
  readonly pictures: Pictures;
  private readonly beside = new Map<Beside, { readonly story: Story; readonly rows: XmlElement[] }>();
  private readonly margins: PackagePart[] = [];
  private marginCount = 0;
  private story: Story;

  constructor(
    private readonly log: RemovalLog,
    limits: EngineLimits,
    private readonly main: Story,
  ) {
    this.pictures = new Pictures(limits);
    this.story = main;
  }

  /** Takes the files of a document, at any place. A file that is no picture is removed. */
  collectPictures(root: XmlElement): void {
    for (const child of childrenOf(root)) {
      if (child.key !== 'w:binData' && child.key !== 'o:binData') this.collectPictures(child);
      else if (!this.pictures.take(nameOf(child), textOf(child)))
        this.log.note(/editdata/i.test(nameOf(child)) ? 'macro' : 'embedded object', 'document');
    }
  }

  /** Returns the whole text. */
  document(body: XmlElement): XmlElement {
    return element('w:document', {}, [element('w:body', {}, this.all(body.children))]);
  }

  /** Returns the notes, comments, headers and footers that occurred. */
  stories(): PackagePart[] {
    const beside = [...this.beside].flatMap(([name, { story, rows }]) => story.parts(element(`w:${name}`, {}, rows)));
    return [...this.margins, ...beside];
  }

  all(nodes: readonly XmlNode[]): XmlNode[] {
    return nodes.flatMap((node) => (typeof node === 'string' ? [] : this.one(node)));
  }

  private one(node: XmlElement): readonly XmlNode[] {
    const { key, children } = node;
    const dropped = DROPPED_KINDS.get(key ?? '');
    if (dropped !== undefined) this.log.note(dropped, 'document');
    if (dropped !== undefined || (key !== null && (DROPPED.has(key) || key.endsWith(':binData')))) return [];
    if (key === null || key.startsWith('wx:')) return this.all(children);
    if (key.startsWith('aml:')) return this.annotation(node);
    if (key.startsWith('v:') || key.startsWith('o:') || key.startsWith('w10:')) return [this.drawing(node)];
    if (TEXTS.has(key)) return [element(key, { 'xml:space': 'preserve' }, [ownText(node)])];
    switch (key) {
      case 'w:r':
        return this.runs(node, null);
      case 'w:hlink':
        return [this.link(node)];
      case 'w:listPr':
        return [this.listPlace(node)];
      case 'w:sectPr':
        return [this.section(node)];
      case 'w:footnote':
      case 'w:endnote':
        return [this.note(node, NOTES[key] ?? 'footnote')];
      default:
        return [element(elementName(key), this.attributes(node), this.all(children))];
    }
  }

  /**
   * Flattens nested runs, which some programs write and which Word 2007 and later call damaged. They follow each other, with the look of
   * the outer run.
   */
  private runs(node: XmlElement, outer: XmlElement | null): readonly XmlNode[] {
    const look = childrenOf(node, 'w:rPr')[0] ?? outer;
    if (childrenOf(node, 'w:r').length === 0 && outer === null)
      return [element('w:r', this.attributes(node), this.all(node.children))];
    const found: XmlNode[] = [];
    let open: XmlNode[] = [];
    const end = () => {
      if (open.length > 0) found.push(element('w:r', {}, [...(look === null ? [] : this.one(look)), ...open]));
      open = [];
    };
    for (const child of childrenOf(node)) {
      if (child.key === 'w:r') {
        end();
        found.push(...this.runs(child, look));
      } else if (child.key !== 'w:rPr') open.push(...this.one(child));
    }
    end();
    return found;
  }

  attributes({ key, attributes }: XmlElement): Record<string, string> {
    const pairs = [...attributes]
      .filter(([name]) => name.startsWith('w:'))
      .map(([name, value]) => attributeOf(key ?? '', name, value));
    return Object.fromEntries(pairs);
  }

  /** Keeps a drawing, except for the addresses of its pictures in the document. */
  private drawing({ key, attributes, children }: XmlElement): XmlElement {
    const kept = [...attributes].filter(([name]) => !/^(?:wx|aml):/.test(name) && name !== 'src' && name !== 'o:src');
    const source = attributes.get('src');
    const target = source === undefined ? null : this.pictures.targetOf(source);
    const picture = target === null ? [] : [['r:id', this.story.refer('image', target)] as const];
    if (source !== undefined && target === null) this.log.note('external picture', 'document');
    return element(key ?? '', Object.fromEntries([...kept, ...picture]), this.all(children));
  }

  /** Bookmarks, changes and comments are annotations of one kind of element. */
  private annotation(node: XmlElement): readonly XmlNode[] {
    const { attributes } = node;
    const id = attributes.get('aml:id') ?? '0';
    const content = childrenOf(node, 'aml:content').flatMap((child) => this.all(child.children));
    switch (attributes.get('w:type')) {
      case 'Word.Bookmark.Start':
        return [element('w:bookmarkStart', { 'w:id': id, 'w:name': attributes.get('w:name') ?? '' })];
      case 'Word.Bookmark.End':
        return [element('w:bookmarkEnd', { 'w:id': id })];
      case 'Word.Comment.Start':
        return [element('w:commentRangeStart', { 'w:id': id })];
      case 'Word.Comment.End':
        return [element('w:commentRangeEnd', { 'w:id': id })];
      case 'Word.Comment':
        return this.comment(node, id);
      case 'Word.Insertion':
        return content.length === 0 ? [] : [element('w:ins', changeOf(node, id), content)];
      case 'Word.Deletion':
        return content.length === 0 ? [] : [element('w:del', changeOf(node, id), content)];
      default:
        // The earlier format or numbering of a text.
        return [];
    }
  }

  private comment(node: XmlElement, id: string): readonly XmlNode[] {
    this.inStory('comments', (rows) => {
      const text = childrenOf(node, 'aml:content').flatMap((child) => this.all(child.children));
      rows.push(element('w:comment', changeOf(node, id), text));
    });
    return [element('w:commentReference', { 'w:id': id })];
  }

  /** Puts notes at the place of their number. */
  private note(node: XmlElement, kind: 'footnote' | 'endnote'): XmlElement {
    // Word takes the first two for the lines above notes.
    let id = 0;
    this.inStory(`${kind}s`, (rows) => {
      id = rows.length + 1;
      rows.push(element(`w:${kind}`, { 'w:id': String(id) }, this.all(node.children)));
    });
    return element(`w:${kind}Reference`, { 'w:id': String(id) });
  }

  /** Fills a story beside the text. The targets of its references belong to it. */
  private inStory(name: Beside, fill: (rows: XmlElement[]) => void): void {
    const found = this.beside.get(name) ?? { story: new Story(name, name), rows: separatorsOf(name) };
    this.beside.set(name, found);
    this.main.refer(name, `/word/${name}.xml`);
    const outer = this.story;
    this.story = found.story;
    fill(found.rows);
    this.story = outer;
  }

  private link(node: XmlElement): XmlElement {
    const target = node.attributes.get('w:dest');
    const place = node.attributes.get('w:bookmark');
    const attributes = {
      ...(target !== undefined && target !== '' && { 'r:id': this.story.refer('hyperlink', target, true) }),
      ...(place !== undefined && { 'w:anchor': place }),
    };
    return element('w:hyperlink', attributes, this.all(node.children));
  }

  private listPlace(node: XmlElement): XmlElement {
    const value = (key: string) => childrenOf(node, key)[0]?.attributes.get('w:val') ?? '0';
    return element('w:numPr', {}, [
      element('w:ilvl', { 'w:val': value('w:ilvl') }),
      element('w:numId', { 'w:val': value('w:ilfo') }),
    ]);
  }

  /** Makes headers and footers separate parts. In the original they are in the settings of their section. */
  private section(node: XmlElement): XmlElement {
    const margins = childrenOf(node).flatMap((child) => {
      const kind = child.key === 'w:hdr' ? 'header' : child.key === 'w:ftr' ? 'footer' : null;
      if (kind === null) return [];
      this.marginCount += 1;
      const story = new Story(`${kind}${this.marginCount}`, kind);
      const outer = this.story;
      this.story = story;
      this.margins.push(...story.parts(element(kind === 'header' ? 'w:hdr' : 'w:ftr', {}, this.all(child.children))));
      this.story = outer;
      const id = this.main.refer(kind, `/word/${story.name}.xml`);
      return [
        element(`w:${kind}Reference`, {
          'w:type': PAGES[child.attributes.get('w:type') ?? 'odd'] ?? 'default',
          'r:id': id,
        }),
      ];
    });
    const rest = childrenOf(node).filter(({ key }) => key !== 'w:hdr' && key !== 'w:ftr');
    return element('w:sectPr', {}, [...margins, ...this.all(rest)]);
  }
}

const nameOf = ({ attributes }: XmlElement) => attributes.get('w:name') ?? attributes.get('o:name') ?? '';

/** Returns the text directly in an element. */
const ownText = ({ children }: XmlElement) => children.filter((child) => typeof child === 'string').join('');

/** Returns the author of a change or comment, and the time. Word needs a name. */
function changeOf({ attributes }: XmlElement, id: string): Record<string, string> {
  const time = attributes.get('aml:createdate') ?? '';
  return { 'w:id': id, 'w:author': attributes.get('aml:author') ?? '', ...(TIME.test(time) && { 'w:date': time }) };
}

/** Writes the lines above notes, which Word looks for before them. */
function separatorsOf(name: Beside): XmlElement[] {
  if (name === 'comments') return [];
  const kind = name.slice(0, -1);
  const line = (type: string, id: string) =>
    element(`w:${kind}`, { 'w:type': type, 'w:id': id }, [
      element('w:p', {}, [element('w:r', {}, [element(`w:${type}`)])]),
    ]);
  return [line('separator', '-1'), line('continuationSeparator', '0')];
}
