/** Writes a book as the parts of an xlsx package, which is then disarmed like any other. */
import { EngineError, type EngineLimits } from '../../engine.ts';
import type { Relationship } from '../office/package/relationships.ts';
import { serializeRelationships } from '../office/package/relationships.ts';
import type { PackagePart } from '../office-xml/parts-container.ts';
import { escapeValue } from '../xml-escape.ts';
import type { Book, Sheet, Styles } from './book.ts';
import { commentsMarkup, notesDrawing } from './write-comments.ts';
import {
  escapeString,
  plainText,
  REFERENCE_SPACE,
  SHEET_SPACE,
  type SheetReferences,
  sheetMarkup,
  type TextList,
  XML_HEAD,
} from './write-sheet.ts';
import { stylesMarkup } from './write-styles.ts';

const MAIN = 'application/vnd.openxmlformats-officedocument.spreadsheetml.';
const RELATIONSHIPS = 'application/vnd.openxmlformats-package.relationships+xml';

/** The parts of the original package to which a sheet also points: drawings with their pictures and charts. */
export interface SheetExtras {
  readonly relationships: readonly Relationship[];
  /** Identifier of the relationship of its drawing. */
  readonly drawing: string | null;
}

/** The most sheets of a workbook. Each becomes a part, and a package has no more parts than the disarm reads. */
const MAX_SHEETS = 5_000;
const NO_EXTRAS: SheetExtras = { relationships: [], drawing: null };

/**
 * Returns the parts of the workbook. `extras` belong to the sheets in their order, and `relationships` to the workbook. Throws EngineError
 * `unreadable` (no sheet) or `oversize`.
 */
export function bookParts(
  book: Book,
  limits: EngineLimits,
  extras: readonly SheetExtras[] = [],
  relationships: readonly Relationship[] = [],
): PackagePart[] {
  if (book.sheets.length === 0) throw new EngineError('unreadable', 'the workbook has no sheet');
  if (book.sheets.length > MAX_SHEETS)
    throw new EngineError('oversize', `the workbook has more than ${MAX_SHEETS} sheets`);
  const texts = textList();
  const collect = collector(limits);
  const sheets = book.sheets.flatMap((sheet, index) =>
    sheetParts(sheet, index, texts, extras[index] ?? NO_EXTRAS, collect),
  );
  const own = [
    ...book.sheets.map((_, index) => link(`sheet${index + 1}`, 'worksheet', `/xl/worksheets/sheet${index + 1}.xml`)),
    link('styles1', 'styles', '/xl/styles.xml'),
    link('strings1', 'sharedStrings', '/xl/sharedStrings.xml'),
  ];
  return [
    part('_rels/.rels', RELATIONSHIPS, serializeRelationships([link('book1', 'officeDocument', '/xl/workbook.xml')])),
    part('xl/workbook.xml', `${MAIN}sheet.main+xml`, Buffer.from(bookMarkup(book))),
    part('xl/_rels/workbook.xml.rels', RELATIONSHIPS, serializeRelationships([...own, ...renumbered(relationships)])),
    ...sheets,
    part('xl/styles.xml', `${MAIN}styles+xml`, Buffer.from(stylesMarkup(plainStyles(book.styles)))),
    part('xl/sharedStrings.xml', `${MAIN}sharedStrings+xml`, collect(texts.markup())),
  ];
}

/** Names and codes of other formats may contain any character. */
const plainStyles = (styles: Styles): Styles => ({
  ...styles,
  numberFormats: new Map([...styles.numberFormats].map(([id, code]) => [id, plainText(code)])),
  fonts: styles.fonts.map((font) => ({ ...font, name: plainText(font.name) })),
});

const part = (name: string, contentType: string, bytes: Uint8Array): PackagePart => ({ name, contentType, bytes });
const link = (id: string, type: string, target: string, external = false): Relationship => ({
  id,
  type: `${REFERENCE_SPACE}/${type}`,
  target,
  external,
});

/** Avoids identifiers of the original that equal those written here. */
const renumbered = (relationships: readonly Relationship[]): Relationship[] =>
  relationships.map((each, index) => ({ ...each, id: `other${index + 1}` }));

function bookMarkup({ sheets, is1904 }: Book): string {
  const rows = sheets.map(({ name, state }, index) => {
    const hidden = state === 'visible' ? '' : ` state="${state}"`;
    return `<sheet name="${escapeValue(plainText(name))}" sheetId="${index + 1}"${hidden} r:id="sheet${index + 1}"/>`;
  });
  const settings = is1904 ? '<workbookPr date1904="1"/>' : '<workbookPr/>';
  return `${XML_HEAD}<workbook xmlns="${SHEET_SPACE}" xmlns:r="${REFERENCE_SPACE}">${settings}<sheets>${rows.join('')}</sheets></workbook>`;
}

function sheetParts(
  sheet: Sheet,
  index: number,
  texts: TextList,
  extras: SheetExtras,
  collect: (pieces: Iterable<string>) => Buffer,
): PackagePart[] {
  const targets = sheet.links.flatMap(({ target }) => (target === null ? [] : [plainText(target)]));
  const links = targets.map((target, number) => link(`link${number + 1}`, 'hyperlink', target, true));
  const others = renumbered(extras.relationships);
  const drawing = others[extras.relationships.findIndex(({ id }) => id === extras.drawing)]?.id ?? null;
  const notes = sheet.comments.length === 0 ? null : 'notes1';
  const references: SheetReferences = { links: links.map(({ id }) => id), drawing, notes };
  const all = [...links, ...others, ...(notes === null ? [] : noteLinks(index))];
  const name = `sheet${index + 1}.xml`;
  const places = sheet.links.map((each) => ({
    ...each,
    location: each.location === null ? null : plainText(each.location),
  }));
  const markup = sheetMarkup({ ...sheet, links: places }, texts, references);
  return [
    part(`xl/worksheets/${name}`, `${MAIN}worksheet+xml`, collect(markup)),
    ...(notes === null ? [] : noteParts(sheet, index, collect)),
    ...(all.length === 0 ? [] : [part(`xl/worksheets/_rels/${name}.rels`, RELATIONSHIPS, serializeRelationships(all))]),
  ];
}

const noteLinks = (index: number): Relationship[] => [
  link('comments1', 'comments', `/xl/comments${index + 1}.xml`),
  link('notes1', 'vmlDrawing', `/xl/drawings/notes${index + 1}.vml`),
];

/** Excel shows a comment only if a drawing has a box for it. */
function noteParts({ comments }: Sheet, index: number, collect: (pieces: Iterable<string>) => Buffer): PackagePart[] {
  const listed = comments.map((comment) => ({ ...comment, text: plainText(comment.text) }));
  return [
    part(`xl/comments${index + 1}.xml`, `${MAIN}comments+xml`, collect([commentsMarkup(listed)])),
    part(
      `xl/drawings/notes${index + 1}.vml`,
      'application/vnd.openxmlformats-officedocument.vmlDrawing',
      collect([notesDrawing(listed)]),
    ),
  ];
}

/** Joins markup to bytes, under one limit for the whole workbook. */
function collector({ inflatedBytes }: EngineLimits): (pieces: Iterable<string>) => Buffer {
  let left = inflatedBytes;
  return (pieces) => {
    const chunks: Buffer[] = [];
    for (const piece of pieces) {
      const chunk = Buffer.from(piece, 'utf8');
      left -= chunk.length;
      if (left < 0) throw new EngineError('oversize', `the workbook expands to more than ${inflatedBytes} bytes`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  };
}

function textList(): TextList & { markup(): Generator<string> } {
  const numbers = new Map<string, number>();
  return {
    indexOf(text) {
      const plain = plainText(text);
      const known = numbers.get(plain);
      if (known !== undefined) return known;
      numbers.set(plain, numbers.size);
      return numbers.size - 1;
    },
    *markup() {
      yield `${XML_HEAD}<sst xmlns="${SHEET_SPACE}" uniqueCount="${numbers.size}">`;
      for (const text of numbers.keys()) yield `<si><t xml:space="preserve">${escapeString(text)}</t></si>`;
      yield '</sst>';
    },
  };
}
