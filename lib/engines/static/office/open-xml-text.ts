/** Finds danger in the text of an Office Open XML part: fields of Word, formulas and names of Excel, actions of PowerPoint. */

import { anyOf } from '../../../formats/patterns.ts';
import type { Finding } from '../../engine.ts';
import { asFact, type FindingId, finding } from '../findings/findings.ts';
import { judgeClickedLinks } from '../findings/target-findings.ts';
import { fieldAction, startsProgram } from './active-fields.ts';
import { hasComputedField } from './computed-fields.ts';
import { linksOfField } from './field-links.ts';
import { linksOfFormula } from './formula-links.ts';
import { judgeLoads } from './open-xml-loads.ts';
import { unescapeXml } from './xml-escapes.ts';

const FORMULA_STARTS_PROGRAM = /\b(?:cmd|powershell|mshta|wscript|cscript|rundll32|msexcel)\s*\|\s*'/i;
/** Functions that call programs or the network, and services in the form of DDE formulas. */
export const DANGEROUS_FUNCTION = anyOf(
  [
    /\b(?:CALL|REGISTER(?:\.ID)?|EXEC|WEBSERVICE|RTD|SQL\.REQUEST|IMAGE|IMPORTTEXT|IMPORTCSV|FOPEN|INITIATE|EXECUTE)\s*\(/,
    /\bFILTERXML\s*\([^)]{0,40}https?:/,
    /[\w.]{1,64}\|\s*'/,
  ],
  'i',
);
const AUTO_NAME = /^(?:_xlnm\.)?auto_(?:open|close|activate|deactivate)/i;
/** Actions of PowerPoint that move within the show or play its media. */
const SAFE_ACTION = /^ppaction:\/\/(?:hlinksldjump|hlinkshowjump|noaction|media|customshow|hlinkpres|hlinkfile)?/i;
const MACRO_ACTION = /^ppaction:\/\/macro\?name=[\p{L}\p{N}_.]{1,255}$/u;
const PROGRAM_ACTION = /^ppaction:\/\/(?:program|macro|ole)/i;

/** The macros that a package may hold: none, only macros that cannot act, or any. */
export type CodeInPackage = 'none' | 'plain' | 'any';

/** The entry of the package about a part. */
export interface TextContext {
  readonly code: CodeInPackage;
  /** The ids of controls of a form. Other controls are ActiveX. */
  readonly formControls: ReadonlySet<string>;
  /** The ids of links to elsewhere. */
  readonly links: ReadonlySet<string>;
}

/** A text without a package, in which everything is possible. */
const ALONE: TextContext = { code: 'any', formControls: new Set(), links: new Set() };

/**
 * Judges the text of one part, as `plainXml` spells it. The dangers of all three programs are searched in every part. The names of folders
 * and files are only customary, and a document can have its main part anywhere.
 */
export function judgePartText(name: string, text: string, context: TextContext = ALONE): Finding[] {
  const isInterface = name.startsWith('customui') || /<(?:\w+:)?customUI\b/.test(text.slice(0, 4_096));
  return [
    ...judgeWord(name, text, context.code),
    ...judgeExcel(name, text, context),
    ...judgePowerPoint(name, text, context),
    ...judgeLoads(name, text, context.links),
    ...(isInterface ? [finding('office-add-in', name)] : []),
  ];
}

/** The source of the data of a letter: a file, a database, or a connection ([ECMA-376] part 1, 17.14). */
const MERGE_SOURCES = ['dataSource', 'headerSource', 'connectString', 'odso', 'udl', 'src'];

function judgeWord(name: string, text: string, code: CodeInPackage): Finding[] {
  const instructions = fieldInstructions(text);
  const actions = new Set(instructions.map(fieldAction));
  // A field names a macro. Without macros in the document, it is a command of Word or nothing.
  const ofCode = (one: Finding) => (code === 'none' ? asFact(one) : one);
  return [
    ...when(instructions.some(startsProgram), 'dde-starts-program', name),
    ...when(actions.has('dde'), 'office-dde', name),
    ...when(actions.has('fetch') || hasComputedField(text), 'office-active-field', name),
    ...when(actions.has('macro'), 'office-active-field', name).map(ofCode),
    ...judgeClickedLinks(instructions.flatMap(linksOfField), name),
    ...when(
      actions.has('object') || actions.has('control') || hasElement(text, 'OLEObject', 'objectEmbed', 'objectLink'),
      'office-embedded-object',
      name,
    ),
    ...when(hasElement(text, 'altChunk'), 'office-alternative-content', name),
    ...when(hasElement(text, 'entryMacro', 'exitMacro'), 'office-macro', name).map(ofCode),
    // LibreOffice writes the settings of a letter without any source.
    ...when(hasElement(text, 'mailMerge') && hasElement(text, ...MERGE_SOURCES), 'office-data-connection', name),
  ];
}

const FIELD_PIECES =
  /\binstr\s*=\s*(?:"([^"<]*)"|'([^'<]*)')|<(?:(\w+):)?(?:fldChar\b[^<>]*?\bfldCharType\s*=\s*["'](begin|separate|end)|(?:instrText|delInstrText)\b[^<>]*>([^<]*)<|t\b[^<>]*>([^<]*)<)/g;
/** The most prefixes whose elements are also read by themselves. */
const MAX_PREFIXES = 9;

/**
 * Returns the instructions of fields. Each is joined from its runs, because attacks split it to hide it. Text in the code of a field is a
 * part of it, and so is text that a reader of the history of changes can restore. A nested field starts a new instruction. Elements of
 * another vocabulary, which Word skips, may be between. So the elements under each prefix are also read by themselves.
 */
function fieldInstructions(text: string): string[] {
  if (!includesOne(text, 'fldSimple', 'fldChar', 'instr')) return [];
  const pieces = [...text.matchAll(FIELD_PIECES)];
  const prefixes = [...new Set(pieces.map(([, , , prefix]) => prefix))].slice(0, MAX_PREFIXES);
  const readings = prefixes.length < 2 ? [] : prefixes.map((one) => pieces.filter(([, , , prefix]) => prefix === one));
  return [pieces, ...readings].flatMap(joined);
}

function joined(pieces: readonly RegExpExecArray[]): string[] {
  const instructions: string[] = [''];
  let isCode = false;
  for (const [, quoted, single, , boundary, part, words] of pieces) {
    const more = part ?? (isCode ? words : undefined);
    if (boundary !== undefined) {
      instructions.push('');
      isCode = boundary === 'begin';
    } else if (more !== undefined) instructions[instructions.length - 1] += unescapeXml(more);
    else if (words === undefined) instructions.push(unescapeXml(quoted ?? single ?? ''), '');
  }
  return instructions;
}

const FORMULA = /<(?:\w+:)?(?:f|formula[12]?|definedName)\b[^<>]*>([^<]+)</g;

/** The formulas of controls and shapes: the cell that shows a state, the cells of a list, the cell with the shown text. */
const CONTROL_FORMULA =
  /<(?:\w+:)?Fmla[A-Z]\w{0,20}\b[^<>]*>([^<]+)<|\s(?:fmla[A-Z]\w{0,20}|textlink)\s*=\s*(?:"([^"<]+)"|'([^'<]+)')/g;

function formulasIn(text: string): string[] {
  const ofCells = includesOne(text, '<f', ':f', 'definedName') ? text.matchAll(FORMULA) : [];
  const ofControls = includesOne(text, 'Fmla', 'fmla', 'textlink') ? text.matchAll(CONTROL_FORMULA) : [];
  return [...ofCells, ...ofControls].map(([, element, quoted, single]) => element ?? quoted ?? single ?? '');
}

function judgeExcel(name: string, text: string, { code, formControls }: TextContext): Finding[] {
  let isDangerous = false;
  let isProgram = false;
  const links: string[] = [];
  for (const formula of formulasIn(text)) {
    const plain = unescapeXml(formula);
    isProgram ||= FORMULA_STARTS_PROGRAM.test(plain);
    isDangerous ||= DANGEROUS_FUNCTION.test(plain);
    links.push(...linksOfFormula(plain));
  }
  return [
    ...judgeClickedLinks(links, name),
    ...when(isProgram || /\bddeService\s*=\s*["'](?:cmd|powershell|mshta)/i.test(text), 'dde-starts-program', name),
    ...when(isDangerous, 'office-dangerous-formula', name),
    ...when(hasAutomaticName(text), 'office-xlm-macro', name),
    ...when(
      name.startsWith('xl/macrosheets/') || hasElement(text, 'macrosheet', 'dialogsheet', 'MacroSheet'),
      'office-xlm-macro',
      name,
    ),
    ...when(hasElement(text, 'ddeLink', 'oleLink'), 'office-dde', name),
    ...when(hasElement(text, 'oleObject'), 'office-embedded-object', name),
    ...when(hasControl(text, formControls), 'office-activex', name),
    ...macrosOfShapes(name, text, code),
  ];
}

const CONTROL = /<(?:\w+:)?control\b[^<>]*?\w:id(?:\s*=\s*(?:"([^"]*)"|'([^']*)'))?/g;

function hasControl(text: string, formControls: ReadonlySet<string>): boolean {
  if (!text.includes('control')) return false;
  return [...text.matchAll(CONTROL)].some(([, one, other]) => !formControls.has(one ?? other ?? ''));
}

const MACRO_OF_SHAPE =
  /<(?:\w+:)?FmlaMacro\b[^<>]*>([^<]*)(?:<\/(?:\w+:)?FmlaMacro\s*>)?|<[^<>]+\smacro\s*=\s*(?:"([^"]+)"|'([^']+)')|FmlaMacro/g;
/**
 * A macro of the same workbook. Buttons keep it when a workbook is saved without its macros, and some programs write it beside each button.
 */
const OWN_MACRO = /^\s*\[0\]!'?[\p{L}\p{N}_.]{1,255}'?\s*$/u;

/**
 * Finds a shape that starts a macro that can exist. A check box or a list names the cell that shows its state (`FmlaLink`), as most forms
 * do. That starts nothing.
 */
function macrosOfShapes(where: string, text: string, code: CodeInPackage): Finding[] {
  if (!includesOne(text, 'FmlaMacro', 'macro')) return [];
  const names = [...text.matchAll(MACRO_OF_SHAPE)].map(([, element, one, other]) => element ?? one ?? other ?? '');
  const areOwn = code !== 'any' && names.every((name) => OWN_MACRO.test(unescapeXml(name)));
  if (names.length === 0 || (areOwn && code === 'none')) return [];
  return [areOwn ? asFact(finding('office-action', where)) : finding('office-action', where)];
}

function hasAutomaticName(text: string): boolean {
  if (!text.includes('definedName')) return false;
  for (const [, first, second] of text.matchAll(
    /<(?:\w+:)?definedName\b[^<>]*?\sname\s*=\s*(?:"([^"]*)"|'([^']*)')/g,
  )) {
    if (AUTO_NAME.test(unescapeXml(first ?? second ?? ''))) return true;
  }
  return Array.from(text.matchAll(PROCEDURE), ([, formula = '']) => formula).some((formula) => !DEAD.test(formula));
}

/** A name that was a procedure, and its formula. One that is a text, a number or an error, or nothing, leads to no macro. */
const PROCEDURE = /<(?:\w+:)?definedName\b[^<>]*\b(?:xlm|vbProcedure|function)\s*=\s*["'](?:1|true)[^<>]*>([^<]*)/g;
const DEAD = /^\s*(?:(?:"|&quot;)[^"&]*(?:"|&quot;)|[\d.]{1,30}|#(?:REF!|NAME\?|VALUE!|N\/A))?\s*$/;

/** A change of views, rows or columns in the history of a shared workbook ([ECMA-376] part 1, 18.11). */
const CHANGE = /<(?:\w+:)?(?:rcv|rrc)\s[^<>]*\saction="(?:add|delete|(?:insert|delete)(?:Row|Col))"[^<>]*>/g;
const ACTION = /<[^<>]+\saction\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

function judgePowerPoint(name: string, text: string, { code, formControls }: TextContext): Finding[] {
  const found = text.includes('action') ? [...text.replace(CHANGE, '').matchAll(ACTION)] : [];
  const actions = found.map(([, one, other]) => unescapeXml(one ?? other ?? ''));
  const isOrdinary = (action: string) => action === '' || (SAFE_ACTION.test(action) && !PROGRAM_ACTION.test(action));
  const bad = actions.filter((action) => !isOrdinary(action));
  const isPlain = code === 'plain' && bad.every((action) => MACRO_ACTION.test(action));
  return [
    ...when(bad.length > 0, 'office-action', name).map((one) => (isPlain ? asFact(one) : one)),
    ...when(hasElement(text, 'oleObj'), 'office-embedded-object', name),
    ...when(hasControl(text, formControls), 'office-activex', name),
    ...when(hasCommand(text), 'office-action', name),
  ];
}

/**
 * Returns whether an animation gives an object a command (ECMA-376 part 1, 19.5.17) other than those that play a film or sound of the
 * slide.
 */
function hasCommand(text: string): boolean {
  const commands = text.includes('cmd') ? [...text.matchAll(/<(?:\w+:)?cmd\b([^<>]*)/g)] : [];
  return commands.some(
    ([, attributes = '']) => /\btype\s*=\s*["'](?:verb|call)/.test(attributes) && !PLAYS.test(attributes),
  );
}

const PLAYS =
  /^(?:\s+(?:type="call"|cmd="(?:play|playFrom\(\d{1,9}(?:\.\d{1,9})?\)|pause|resume|stop|togglePause)"))+\s*\/?$/;

const ELEMENTS = new Map<string, RegExp>();

/**
 * Returns whether one of these elements begins somewhere. Most texts do not even hold the word, and the search for a word costs a tenth of
 * the pattern.
 */
function hasElement(text: string, ...names: readonly string[]): boolean {
  return names.some((name) => text.includes(name) && patternOf(name).test(text));
}

function patternOf(name: string): RegExp {
  const pattern = ELEMENTS.get(name) ?? new RegExp(`<(?:\\w+:)?${name}\\b`);
  ELEMENTS.set(name, pattern);
  return pattern;
}

function includesOne(text: string, ...words: readonly string[]): boolean {
  return words.some((word) => text.includes(word));
}

function when(isTrue: boolean, id: FindingId, name: string): Finding[] {
  return isTrue ? [finding(id, name)] : [];
}
