/** Reads the cells of a workbook of 2007 and later (SpreadsheetML) whose sheets hold macros. */
import { Parser } from 'htmlparser2';
import { decodeMarked } from '../../../../formats/charsets/text-encoding.ts';
import type { OpenPackage } from '../package-parts.ts';
import { type Expression, parseCell, parseFormula } from './expression.ts';
import { type Cell, keyOf, MAX_CELLS, type MacroBook, type Sheet, type Value } from './macro-book.ts';

/** Returns the sheets, cells and names of the workbook, as far as they can be read. */
export function readPackageCells({ parts, relationships }: OpenPackage): MacroBook {
  const book = readBook(decodeMarked(parts.get('xl/workbook.xml') ?? new Uint8Array()));
  const texts = readTexts(decodeMarked(parts.get('xl/sharedstrings.xml') ?? new Uint8Array()));
  const targets = new Map(
    relationships
      .filter(({ from }) => from === 'xl/_rels/workbook.xml.rels')
      .map(({ id, kind, untrustedTarget }) => [id, { kind, untrustedTarget }]),
  );
  const budget = { left: MAX_CELLS };
  const named = new Set<string>();
  const sheets = book.sheets.flatMap(({ name, relation }): Sheet[] => {
    const target = targets.get(relation);
    const part = target?.untrustedTarget.toLowerCase().replace(/^\/?(?:xl\/)?/, 'xl/') ?? '';
    const content = parts.get(part);
    if (target === undefined || content === undefined) return [];
    named.add(part);
    return [{ name, isMacro: /macrosheet/.test(target.kind), cells: readSheet(decodeMarked(content), texts, budget) }];
  });
  // A sheet of macros to which no relationship leads is read, too. It gets the name of a listed sheet that has no part.
  const unused = book.sheets.map(({ name }) => name).filter((name) => !sheets.some((sheet) => sheet.name === name));
  const lost = [...parts]
    .filter(([part]) => part.startsWith('xl/macrosheets/') && part.endsWith('.xml') && !named.has(part))
    .map(([part, content]) => {
      const cells = readSheet(decodeMarked(content), texts, budget);
      return { name: unused.shift() ?? part, isMacro: true, cells };
    });
  return { sheets: [...sheets, ...lost], names: book.names };
}

const OPTIONS = { xmlMode: true, decodeEntities: true, recognizeCDATA: true } as const;
const localName = (tag: string) => tag.slice(tag.indexOf(':') + 1).toLowerCase();

function readBook(xml: string): { sheets: { name: string; relation: string }[]; names: Map<string, Expression> } {
  const sheets: { name: string; relation: string }[] = [];
  const names = new Map<string, Expression>();
  let name: string | null = null;
  let text = '';
  const parser = new Parser(
    {
      onopentag: (tag, attributes) => {
        if (localName(tag) === 'sheet')
          sheets.push({ name: attributes.name ?? '', relation: attributes['r:id'] ?? relationOf(attributes) });
        if (localName(tag) === 'definedname') [name, text] = [attributes.name ?? '', ''];
      },
      ontext: (piece) => {
        if (name !== null) text += piece;
      },
      onclosetag: (tag) => {
        if (localName(tag) !== 'definedname' || name === null) return;
        const expression = parseFormula(text);
        if (expression !== null) names.set(name.toLowerCase(), expression);
        name = null;
      },
    },
    OPTIONS,
  );
  parser.end(xml);
  return { sheets, names };
}

/** Returns the relationship of a sheet, where the namespace has another prefix. */
const relationOf = (attributes: Readonly<Record<string, string>>): string =>
  Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? '';

function readTexts(xml: string): string[] {
  const texts: string[] = [];
  let isText = false;
  const parser = new Parser(
    {
      onopentag: (tag) => {
        if (localName(tag) === 'si' && texts.length < MAX_CELLS) texts.push('');
        isText = localName(tag) === 't';
      },
      ontext: (piece) => {
        if (isText && texts.length > 0) texts[texts.length - 1] += piece;
      },
      onclosetag: () => {
        isText = false;
      },
    },
    OPTIONS,
  );
  parser.end(xml);
  return texts;
}

function readSheet(xml: string, texts: readonly string[], budget: { left: number }): Map<number, Cell> {
  const cells = new Map<number, Cell>();
  let cell = { place: '', type: '', formula: '', value: '' };
  let [row, column, inside] = [-1, -1, ''];
  const parser = new Parser(
    {
      onopentag: (tag, attributes) => {
        const name = localName(tag);
        inside = name;
        if (name === 'row') [row, column] = [attributes.r === undefined ? row + 1 : Number(attributes.r) - 1, -1];
        if (name === 'c') cell = { place: attributes.r ?? '', type: attributes.t ?? '', formula: '', value: '' };
      },
      ontext: (piece) => {
        if (inside === 'f') cell.formula += piece;
        else if (inside === 'v' || inside === 't') cell.value += piece;
      },
      onclosetag: (tag) => {
        inside = '';
        if (localName(tag) !== 'c') return;
        const place = parseCell(cell.place) ?? { row: Math.max(0, row), column: column + 1 };
        column = place.column;
        if (budget.left-- <= 0) return;
        const formula = cell.formula === '' ? null : parseFormula(cell.formula);
        cells.set(keyOf(place), { formula, value: valueIn(cell.type, cell.value, texts) });
      },
    },
    OPTIONS,
  );
  parser.end(xml);
  return cells;
}

function valueIn(type: string, value: string, texts: readonly string[]): Value {
  if (type === 's') return texts[Number(value)] ?? null;
  if (type === 'b') return value === '1';
  if (type === 'str' || type === 'inlineStr') return value;
  return value === '' || type === 'e' ? null : Number(value);
}
