/**
 * The markup of Visio drawings that may stay ([MS-VSDX]): a closed list of elements, formulas that only calculate, and links that are safe.
 * A cell without its formula keeps the value that it shows.
 */
import { isSafeLink } from '../safe-links.ts';
import { attribute, isElement, type XmlElement, type XmlNode } from './xml/element.ts';

const names = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** Elements of pages, masters, styles and settings. Elements that name files, programs, data sources or people are not among them. */
const ELEMENTS = names(`
  VisioDocument DocumentSettings GlueSettings SnapSettings SnapExtensions SnapAngles SnapAngle DynamicGridEnabled ProtectStyles
  ProtectShapes ProtectMasters ProtectBkgnds Colors ColorEntry FaceNames FaceName StyleSheets StyleSheet DocumentSheet HeaderFooter
  HeaderMargin FooterMargin HeaderLeft HeaderCenter HeaderRight FooterLeft FooterCenter FooterRight HeaderFooterFont
  Pages Page PageSheet PageContents Masters Master MasterContents Rel Shapes Shape Text cp pp tp fld ForeignData Connects Connect
  Cell Section Row Data1 Data2 Data3 RefBy
`);
/** Their formulas name an address. Only a formula that is the judged value stays. */
const ADDRESSES = names('address subaddress extrainfo helptopic');
/** Formulas of these cells run when something happens to a shape. */
const EVENTS = /^(?:event|thedata$|thetext$)/;
/** These open the text of the shape for editing, or do what a shape without a formula does. Visio writes them into most drawings. */
const QUIET_EVENT = /^(?:OPENTEXTWIN|DEFAULTEVENT)\(\)$/i;
/** The formula of the master or style, which is judged there, or none. */
const INHERITED = /^(?:Inh|No Formula)?$/;

/** Functions that calculate with the content of the drawing ([MS-VSDX] 2.5.3). */
const FUNCTIONS = names(`
  INH GUARD IF AND OR NOT ABS SIGN INT INTUP TRUNC ROUND CEILING FLOOR MODULUS MAGNITUDE POW SQRT EXP LN LOG10 SUM MIN MAX BOUND
  BITAND BITOR BITXOR BITNOT PI RAD DEG ANG360 SIN COS TAN ASIN ACOS ATAN ATAN2 SINH COSH TANH RAND
  LOC PNT PNTX PNTY PAR LOCTOLOC LOCTOPAR ANGLETOLOC ANGLETOPAR INTERSECTX INTERSECTY POLYLINE NURBS PATHLENGTH PATHSEGMENT
  POINTALONGPATH ANGLEALONGPATH NEARESTPOINTONPATH SEGMENTCOUNT DISTTOPATH BKGPAGENAME
  RGB HSL RED GREEN BLUE HUE SAT LUM TINT SHADE TONE BLEND LUMDIFF HUEDIFF SATDIFF MSOTINT MSOSHADE
  THEMEVAL THEMEGUARD THEMERESTORE THEMEPROP THEME THEMECBV
  STRSAME STRSAMEEX LEFT RIGHT MID LEN FIND UPPER LOWER TRIM REPLACE SUBSTITUTE REPT CHAR UNICHAR INDEX LOOKUP FORMAT FORMATEX
  SHAPETEXT TEXTWIDTH TEXTHEIGHT FIELDPICTURE FIELD EVALCELL
  PAGENAME PAGENUMBER PAGECOUNT MASTERNAME NAME ID TYPE DATA1 DATA2 DATA3 NOW DATE TIME DATEVALUE TIMEVALUE DATETIME DAY MONTH YEAR
  HOUR MINUTE SECOND WEEKDAY DAYOFYEAR CY
  DEPENDSON DL USE USERUI ISERR ISERROR ISERRNA ISERRVALUE NA SETATREF SETATREFEXPR SETATREFEVAL LISTORDER LISTMEMBERCOUNT LISTSHEETREF
  CONTAINERSHEETREF CONTAINERCOUNT CONTAINERMEMBERCOUNT CALLOUTTARGETREF CALLOUTCOUNT SHEETREF HASCATEGORY
  _WALKGLUE _UFMT _ELLIPSE_THETA _ELLIPSE_ECC _XFTRIGGER
`);
/** A longer one would attack the regular expressions. */
const MAX_FORMULA_LENGTH = 8_192;

/** Returns whether a formula only calculates: listed functions, and no cell of another file. */
export function isSafeDrawingFormula(formula: string): boolean {
  if (formula.length > MAX_FORMULA_LENGTH) return false;
  const code = formula.replace(/"(?:[^"]|"")*"/g, '""');
  // A page may have a name with a double quote, and code between two such names would look like a text.
  const quoted = formula.matchAll(/"(?:[^"]|"")*"|'[^']*'/g);
  if ([...quoted].some(([token]) => token.startsWith("'") && token.includes('"'))) return false;
  if (/["[\]\\|]/.test(code.replaceAll('""', '')) || /:\/\//.test(code)) return false;
  const calls = [...code.matchAll(/([\p{L}_][\p{L}\p{N}_.]*)\s*\(/gu)];
  return calls.every(([, name = '']) => FUNCTIONS.has(name.toUpperCase()));
}

interface Reporting {
  readonly report: (kind: string, action?: 'removed' | 'sanitized') => void;
}

/** Returns the kind under which an element is left out; null for one that may stay. */
export function droppedDrawingElement(key: string): string | null {
  const local = key.slice('vis:'.length);
  if (ELEMENTS.has(local)) return null;
  if (/^(?:EventList|EventItem|VBProject)/.test(local)) return 'macro';
  return /^(?:SolutionXML|DataConnection|DataRecordSet)/.test(local) ? 'data connection' : 'unknown markup';
}

/** Judges the formula, the value and the content of a cell in place. */
export function judgeCell(cell: XmlElement, { report }: Reporting): void {
  const name = (attribute(cell, 'N') ?? '').toLowerCase();
  const value = attribute(cell, 'V') ?? '';
  const isUnsafe = name === 'address' ? value !== '' && !isSafeLink(value) : name === 'helptopic' && value !== '';
  if (isUnsafe) {
    report(name === 'address' ? 'unsafe link' : 'linked content');
    cell.attributes = cell.attributes.map((each) => (each.key === 'V' ? { ...each, value: '' } : each));
  }
  const formula = attribute(cell, 'F');
  if (formula !== null && !mayStay(name, formula, isUnsafe ? '' : value)) {
    report('live formula', 'sanitized');
    cell.attributes = cell.attributes.filter(({ key }) => key !== 'F');
  }
  cell.children = elementsOf(cell, () => report('unknown markup'));
}

function mayStay(name: string, formula: string, value: string): boolean {
  if (INHERITED.test(formula)) return true;
  if (ADDRESSES.has(name)) return formula === `"${value}"`;
  return EVENTS.test(name) ? QUIET_EVENT.test(formula) : isSafeDrawingFormula(formula);
}

/** Returns the elements in an element that has no text. Old programs find a file in base64 there. */
function elementsOf({ children }: XmlElement, report: () => void): XmlNode[] {
  const isText = (node: XmlNode) =>
    !isElement(node) && /\S/.test(typeof node === 'string' ? node : node.bytes.toString('latin1', node.from, node.to));
  if (!children.some(isText)) return children;
  report();
  return children.filter(isElement);
}

/** Keeps the picture of an object, as a picture. */
export function judgeForeignData(data: XmlElement, { report }: Reporting): void {
  data.children = elementsOf(data, () => report('embedded object'));
  if (attribute(data, 'ForeignType') !== 'Object') return;
  report('embedded object');
  data.attributes = data.attributes.flatMap((each) => {
    if (each.key === 'ForeignType') return [{ ...each, value: 'EnhMetaFile' }];
    return each.key?.startsWith('Object') ? [] : [each];
  });
}
