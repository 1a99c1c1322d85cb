/** Rules for live links, formulas and field codes. They are written for the inspection alone and shared by its formats. */
import { oneOf, type ValueTest } from './fact.ts';

/** Characters that programs drop before they read a scheme. */
const IGNORED = /[\p{Cc}\p{Cf}\s\u00ad]/gu;

/** Returns whether a link leads to anything but the web, mail or a telephone. */
export function isLiveLink(untrustedTarget: string): boolean {
  const target = untrustedTarget.slice(0, 10_000).replace(IGNORED, '').toLowerCase();
  if (target === '' || target.startsWith('#')) return false;
  if (target.startsWith('mailto:') && /[?&;][^=]*attach/.test(target.replace(/%(?:25)*([0-9a-f]{2})/g, fromHex)))
    return true;
  return !['http://', 'https://', 'mailto:', 'tel:'].some((scheme) => target.startsWith(scheme));
}

const fromHex = (_: string, hex: string) => String.fromCharCode(Number.parseInt(hex, 16));

/** Returns whether a URL of a page acts when it is opened or loaded. A URL without a scheme does not. */
export function isActiveUrl(untrustedUrl: string): boolean {
  const url = untrustedUrl.slice(0, 4_096).replace(IGNORED, '').toLowerCase();
  if (/^data:image\/(?:png|jpe?g|gif|webp|bmp)[;,]/.test(url)) return false;
  if (/^\\[\\/]/.test(url)) return true;
  return /^(?:javascript|vbscript|livescript|jscript|data|file|smb|mhtml|its|mk|ms-[a-z-]+|search-ms|search|shell|script|x-usc|ldap|res|jar|view-source|blob|filesystem):/.test(
    url,
  );
}

/** Functions that reach outside of the workbook, write, start something, or send the content of cells to a service. */
const LIVE_NAMES = oneOf(String.raw`
  call register(?:\.id)? unregister exec execute evaluate run on\.time halt send\.keys vba\.insert\.file
  webservice filterxml rtd sql\.request image py copilot stockhistory importtext importcsv
  import(?:xml|html|data|feed|range) googlefinance (?:google)?translate detectlanguage
  dde ddeinitiate initiate request poke terminate
  fopen fclose fread(?:ln)? fwrite(?:ln)? fsize fpos files file\.delete directory save\.as get\.workspace
  cube(?:value|member|set|rankedmember|kpimember|memberproperty|setcount)
`);
const FUNCTION = new RegExp(String.raw`(?:^|[^\w.])(?:_xl[a-z]*\.)*${LIVE_NAMES}\s*\(`, 'i');
/** A function without a call, which another one gets and calls. */
const GIVEN_FUNCTION = new RegExp(String.raw`_xl(?:fn|ws|eta)\.${LIVE_NAMES}(?![\w.(])`, 'i');
/** A reference to another document, in a text or a piece of one. */
export const OUTSIDE_REFERENCE = /\\|\/\/|file:|'#|\][^[\]]*!/i;

/** Returns whether a spreadsheet formula reaches outside the workbook, or runs a command. */
export function isLiveFormula(formula: string): boolean {
  const code = formula.replace(/"(?:[^"]|"")*"?/g, '""');
  if (FUNCTION.test(code) || GIVEN_FUNCTION.test(code) || code.includes('|')) return true;
  if (/\\\\|file:/i.test(code) || /\[[^[\]]*\](?:[\w.:$\u0080-\uffff?\\]*|(?:[^'[\]]|'')*')!/.test(code)) return true;
  if (OUTSIDE_INDIRECT.test(formula)) return true;
  // Google Sheets calculates a text of an exported workbook again, as a formula.
  if (/dummyfunction\s*\(/i.test(code) && isLiveFormula(textsOf(formula).join('').replaceAll('""', '"'))) return true;
  // A target that is composed of parts could be anything.
  for (const [, target, isJoined] of formula.matchAll(/hyperlink\s*\(\s*(?:"((?:[^"]|"")*)"(\s*&)?)?/gi)) {
    if (target === undefined) return true;
    if (!target.startsWith('#') && (isJoined !== undefined || isLiveLink(target))) return true;
  }
  return false;
}

/** INDIRECT makes a reference of texts. */
export const OUTSIDE_INDIRECT: ValueTest = {
  test: (formula) => /\bindirect\s*\(/i.test(formula) && textsOf(formula).some((text) => OUTSIDE_REFERENCE.test(text)),
};

/** The texts of a formula, as they are written. */
const textsOf = (formula: string) => Array.from(formula.matchAll(/"((?:[^"]|"")*)"?/g), ([, text = '']) => text);

const FIELD = new RegExp(
  `^${oneOf(String.raw`
    PAGE NUMPAGES SECTION SECTIONPAGES DATE TIME CREATEDATE SAVEDATE PRINTDATE TOC TC REF PAGEREF NOTEREF SEQ STYLEREF
    HYPERLINK XE INDEX TA TOA CITATION BIBLIOGRAPHY FORMTEXT FORMCHECKBOX FORMDROPDOWN MERGEFIELD SYMBOL EQ ADVANCE
    LISTNUM AUTONUM\w* DOCPROPERTY AUTHOR TITLE SUBJECT KEYWORDS NUMWORDS NUMCHARS REVNUM EDITTIME
  `)}$`,
);

/** Returns whether a document may not hold this field code. An empty code does nothing. */
export function isLiveFieldCode(code: string): boolean {
  const text = code.replace(/[\p{Cf}\u00a0]/gu, ' ').trim();
  if (text === '' || text.startsWith('=')) return false;
  const keyword = /^[A-Za-z]+/.exec(text)?.[0]?.toUpperCase() ?? '';
  if (!FIELD.test(keyword)) return true;
  if (keyword !== 'HYPERLINK') return false;
  const target = /^HYPERLINK\s+(?:"([^"]*)"|([^\s\\"]\S*))/i.exec(text);
  return target !== null && isLiveLink((target[1] ?? target[2] ?? '').replaceAll('\\\\', '\\'));
}
