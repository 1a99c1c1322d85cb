/**
 * The addresses of an OpenDocument part. Each element of the format with an address ([ODF 1.3] part 3, 19.910 xlink:href) is followed on a
 * click, or is loaded by itself. Elements outside of the first list belong to the second.
 */
import type { Finding } from '../../engine.ts';
import type { FindingId } from '../findings/findings.ts';
import { isNearFile, judgeClicked, judgeLoaded } from '../findings/link-target.ts';
import { findingsOfTargets, type JudgedTarget } from '../findings/target-findings.ts';
import { linksOfFormula } from './formula-links.ts';
import { unescapeXml } from './xml-escapes.ts';

/** Texts, frames, areas of pictures and buttons. */
const CLICKED = /^(?:text:a|draw:(?:a|area-\w+)|form:(?:form|button|image|image-frame))$/;
/** Tables, ranges and databases of another file. */
const DATA =
  /^(?:table:(?:table-source|cell-range-source)|text:database-[\w-]+|form:connection-resource|db:(?:connection-resource|file-based-database|component))$/;
/** The template of a document. Programs check it for changes, and most are on the machine of the author. */
const TEMPLATE = 'meta:template';

const ELEMENT = /^<([\w.-]+:[\w.-]+)\s[^>]*$/;
/**
 * Attributes with an address: links, the pictures, sources and targets of forms, and the data of XForms. Of those without a prefix (`src`,
 * `action`, `schema`), only XForms has any.
 */
const ADDRESS =
  /\s(?:xlink:(href)|form:(image-data|datasource|href)|(src|action|resource|schema))\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const XFORM = /^\w+:(?:model|instance|submission|load)$/;
const FORMULA = /\s\w+:(?:formula|condition|expression)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
/** `['file:///a.ods'#$Sheet.A1]`: a cell of another file. */
const OTHER_FILE = /'((?:[^']|'')+)'#/g;
/** Palettes that a drawing program loads with a presentation. */
const PALETTE = /<config:config-item\s[^<>]*config:name\s*=\s*["']\w+URL["'][^<>]*>([^<]+)</g;

/** Judges the addresses in one part, as `plainXml` spells it. */
export function judgeAddresses(where: string, text: string): Finding[] {
  const found: JudgedTarget[] = [];
  for (const attribute of text.matchAll(ADDRESS)) {
    const element = ELEMENT.exec(text.slice(text.lastIndexOf('<', attribute.index), attribute.index + 1))?.[1];
    if (element !== undefined) found.push(...addressOf(element, attribute));
  }
  for (const [, one, other] of text.matchAll(FORMULA)) found.push(...formulaAddresses(unescapeXml(one ?? other ?? '')));
  for (const [, address = ''] of text.matchAll(PALETTE)) found.push([remoteOnly(address), address]);
  return findingsOfTargets(found, where);
}

function addressOf(name: string, [, link, ofForm, ofXform, one, other]: RegExpExecArray): JudgedTarget[] {
  const address = unescapeXml(one ?? other ?? '');
  if (ofXform !== undefined) return XFORM.test(name) ? [[judgeLoaded(address), address]] : [];
  if (ofForm === 'datasource') return judgeLoaded(address) === null ? [] : [dataFrom(address)];
  if (ofForm === 'image-data') return [[judgeLoaded(address), address]];
  if (link === undefined && ofForm === undefined) return [];
  return [DATA.test(name) ? dataFrom(address) : [judgeLink(name, address), address]];
}

/**
 * Judges an address. Sheets and letters take values of another file of the same people. Programs ask for it again only when the reader
 * agrees.
 */
function dataFrom(address: string): JudgedTarget {
  return isNearFile(address) ? ['office-data-connection', address, 'fact'] : ['office-data-connection', address];
}

function judgeLink(name: string, address: string): FindingId | null {
  if (name === TEMPLATE) return remoteOnly(address) && 'office-external-template';
  return CLICKED.test(name) ? judgeClicked(address) : judgeLoaded(address);
}

/** Returns the finding for loaded content, unless it is on the machine of the author. */
function remoteOnly(address: string): FindingId | null {
  const id = judgeLoaded(address);
  return id === 'office-file-link' ? null : id;
}

function formulaAddresses(formula: string): JudgedTarget[] {
  const links = linksOfFormula(formula).map((link): JudgedTarget => [judgeClicked(link), link]);
  if (!formula.includes("'#")) return links;
  return [
    ...links,
    ...Array.from(formula.matchAll(OTHER_FILE), ([, file = '']): JudgedTarget => [judgeLoaded(file), file]),
  ];
}
