/**
 * The names of LibreOffice's interface (UNO) by which a macro makes values and parts of its own document: structures, constants, parts, and
 * recorded commands. Everything else of `com.sun.star` may be a service, which can do anything.
 */
import { isSheetFunction } from '../../findings/sheet-functions.ts';
import { isMember } from './harmless-names.ts';
import type { Statement, Word } from './statements.ts';

const listOf = (names: string): ReadonlySet<string> => new Set(names.trim().split(/\s+/));

/** Structures, which hold values and have no methods. */
const STRUCTURES = listOf(`
  awt.fontdescriptor awt.gradient awt.point awt.rectangle awt.size beans.propertyvalue drawing.hatch drawing.linedash drawing.polypolygonbeziercoords
  lang.locale sheet.tablefilterfield style.linespacing style.tabstop table.borderline table.borderline2 table.celladdress table.cellrangeaddress
  table.shadowformat table.tableborder table.tableborder2 table.tablesortfield util.date util.datetime util.time
`);

/** Lists of constants. */
const CONSTANTS = listOf(`
  awt.fontslant awt.fontstrikeout awt.fontunderline awt.fontweight awt.gradientstyle drawing.circlekind drawing.connectortype drawing.fillstyle
  drawing.linestyle drawing.texthorizontaladjust drawing.textverticaladjust sheet.celldeletemode sheet.cellflags sheet.cellinsertmode
  sheet.conditionoperator sheet.filldatemode sheet.filldirection sheet.fillmode sheet.filteroperator sheet.formularesult sheet.generalfunction
  style.breaktype style.casemap style.linespacingmode style.numberingtype style.pagestylelayout style.paragraphadjust style.tabalign
  table.borderlinestyle table.cellhorijustify table.cellorientation table.cellvertjustify table.cellvertjustify2 text.controlcharacter
  text.horiorientation text.pagenumbertype text.referencefieldpart text.relorientation text.textcontentanchortype text.vertorientation
  text.wraptextmode util.numberformat
`);

/** Parts that a document makes of itself. Objects, pictures, sections, links, and fields that load or run are not on the list. */
const PARTS = listOf(`
  drawing.ellipseshape drawing.groupshape drawing.lineshape drawing.polylineshape drawing.polypolygonshape drawing.rectangleshape drawing.textshape
  sheet.sheetcellranges style.cellstyle style.characterstyle style.pagestyle style.paragraphstyle text.bookmark text.endnote text.footnote
  text.paragraph text.textfield.datetime text.textfield.pagecount text.textfield.pagenumber text.texttable
`);

/** Services that reach nothing by themselves. The calls of both are judged where they are. */
const SERVICES = listOf('frame.dispatchhelper sheet.functionaccess');

/** Commands of menus that select, write and format. Those that open, save, insert from files, send, print and run are not on the list. */
const COMMANDS = listOf(`
  aligncenter alignhorizontalcenter alignleft alignright alignbottom aligntop alignverticalcenter backgroundcolor bold centerpara charfontname
  clearcontents color columnwidth commonalignhorizontal commonalignjustified commonalignleft commonalignright commonalignvertical deletecell
  deletecolumns deleterows enterstring fontheight godown godowntoendofdata goleft gorighttoendofdata goright goup gotocell gotoendofdata
  gotoendofdoc gotoendofline gotostartofdoc gotostartofline hidecolumn hiderow horizontaljustification insertcellsdown insertcellsright
  insertcolumns insertcolumnsafter insertcolumnsbefore insertpara insertrows insertrowsafter insertrowsbefore inserttext italic jumptonexttable
  jumptoprevtable jumptotable justifypara leftpara numberformatcurrency numberformatdate numberformatdecimal numberformatpercent
  numberformatscientific numberformatstandard numberformatvalue redo resetattributes rightpara rowheight selectall selectcolumn selectrow
  setborderstyle setoptimalcolumnwidth setoptimalrowheight showcolumn showrow strikeout underline undo verticaljustification wraptext
`);

const ROOT = ['com', '.', 'sun', '.', 'star', '.'];

/**
 * Judges the name at this place when it belongs to `com.sun.star.…`. Returns null for any other name. A method behind it would make a
 * service: `com.sun.star.frame.Desktop.create`.
 */
export function isHarmlessUnoName(statement: Statement, at: number): boolean | null {
  let first = at;
  while (statement[first - 1]?.value === '.' && statement[first - 2]?.kind === 'name') first -= 2;
  if (!ROOT.every((word, index) => statement[first + index]?.value === word)) return null;
  let end = first + ROOT.length;
  while (statement[end + 1]?.value === '.') end += 2;
  const name = valuesOf(statement.slice(first + ROOT.length, end + 1));
  const isMade = /^(?:as|new)$/.test(statement[first - 1]?.value ?? '');
  return isMade
    ? STRUCTURES.has(name)
    : statement[end + 1]?.value !== '(' && CONSTANTS.has(name.slice(0, Math.max(0, name.lastIndexOf('.'))));
}

const valuesOf = (words: readonly Word[]) => words.map(({ value }) => value).join('');

/** The calls whose first text says what they do. */
const BY_TEXT: Readonly<Record<string, (text: string) => boolean>> = {
  createunostruct: (text) => STRUCTURES.has(unoName(text)),
  createunoservice: (text) => SERVICES.has(unoName(text)),
  createinstance: (text) => PARTS.has(unoName(text)),
  callfunction: isSheetFunction,
  setpropertyvalue: isOrdinaryProperty,
  getpropertyvalue: isOrdinaryProperty,
};

/** A formula is judged where it is set as a member. */
function isOrdinaryProperty(text: string): boolean {
  return isMember(text) && !text.startsWith('formula');
}

const unoName = (text: string) => (text.startsWith('com.sun.star.') ? text.slice('com.sun.star.'.length) : '');

/** Judges a call by its text. Returns null for a name that is no such call. */
export function isHarmlessUnoCall(statement: Statement, at: number): boolean | null {
  const name = statement[at]?.value ?? '';
  if (name === 'executedispatch') return isHarmlessDispatch(statement.slice(at + 1));
  const judge = Object.hasOwn(BY_TEXT, name) ? BY_TEXT[name] : undefined;
  if (judge === undefined) return null;
  const [open, text, behind] = statement.slice(at + 1, at + 4);
  return (
    open?.value === '(' &&
    text?.kind === 'text' &&
    /^[,)]$/.test(behind?.value ?? '') &&
    judge(text.value.toLowerCase())
  );
}

/** `executeDispatch(frame, ".uno:GoToCell", "", 0, arguments())`: the second argument is the command, and the third a window. */
function isHarmlessDispatch([open, frame, comma, command, behind, window, last]: readonly Word[]): boolean {
  return (
    open?.value === '(' &&
    frame?.kind === 'name' &&
    [comma, behind, last].every((sign) => sign?.kind === 'sign' && sign.value === ',') &&
    command?.kind === 'text' &&
    command.value.startsWith('.uno:') &&
    COMMANDS.has(command.value.slice('.uno:'.length).toLowerCase()) &&
    window?.kind === 'text' &&
    window.value === ''
  );
}
