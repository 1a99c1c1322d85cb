/**
 * XML as data. It is delivered unchanged when a strict reading finds nothing on which a program would act, and refused otherwise. It is not
 * rewritten, because XML in mail (invoices, orders) is often signed. Only the style sheet and the address of a document type before it are
 * removed.
 */
import { SaxesParser } from 'saxes';
import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import { anyOf } from '../../../formats/patterns.ts';
import { EngineError, type EngineLimits, type FileInput } from '../../engine.ts';
import type { Disarmed } from '../disarm-module.ts';
import { decodeStrictXml } from './decode-xml.ts';
import { withoutProlog } from './xml-prolog.ts';

/** Elements of one document; each costs the parser time. */
const MAX_ELEMENTS = 5_000_000;

/** Name spaces with elements on which a browser or Office acts, anywhere in a document. */
const ACTIVE_NAMESPACES = anyOf(
  [
    /^http:\/\/www\.w3\.org\/(?:1999\/xhtml|2000\/svg|1998\/Math\/MathML|1999\/XSL\/|TR\/|2001\/XInclude|2002\/xforms)/,
    /^urn:schemas-microsoft-com:/,
    /schemas\.microsoft\.com\/|openxmlformats|mozilla\.org|adobe\.com|oasis:names:tc:opendocument/,
  ],
  'i',
);
/** Roots that name a program's project, task, script or shortcut. Names are compared without case. */
const ACTIVE_ROOTS = new Set(
  [
    'html',
    'svg',
    'job',
    'package',
    'scriptlet',
    'component',
    'project',
    'task',
    'unattend',
    'assembly',
    'stylesheet',
    'transform',
    'plist',
    'jnlp',
    'worksheet',
    'workbook',
    'wordDocument',
    'librarydescription',
    'grammar',
    'searchconnectordescription',
    'persistedquery',
    'mmc_configurationfile',
    'powershellmetadata',
    'xdp',
    'wsdl',
    'xbap',
  ].map((name) => name.toLowerCase()),
);

/**
 * Returns the document, unchanged except for its prolog. Throws EngineError: `unsupported` when it holds a document type declaration, a
 * processing instruction or elements that programs act on, `unreadable` when it is not well-formed, `oversize` when it breaks a limit.
 */
export async function disarm(input: FileInput, type: DetectedType, limits: EngineLimits): Promise<Disarmed> {
  const { bytes, details } = withoutProlog(input.bytes);
  checkData(bytes, limits);
  if (details.length === 0) return { outcome: 'already_safe', bytes: input.bytes, type, details };
  return { outcome: 'disarmed', bytes, type, details };
}

function checkData(bytes: Uint8Array, limits: EngineLimits): void {
  const parser = new SaxesParser({ xmlns: true, position: false });
  let depth = 0;
  let elements = 0;
  parser.on('error', () => {
    throw new EngineError('unreadable', 'the XML document is not well-formed');
  });
  parser.on('doctype', () => refuse('a document type declaration'));
  parser.on('processinginstruction', () => refuse('a processing instruction, such as a style sheet'));
  parser.on('opentag', (tag) => {
    depth += 1;
    elements += 1;
    if (depth > limits.depth) throw new EngineError('oversize', `elements are nested more than ${limits.depth} deep`);
    if (elements > MAX_ELEMENTS) throw new EngineError('oversize', 'the document has too many elements');
    if (depth === 1 && ACTIVE_ROOTS.has(tag.local.toLowerCase()))
      refuse(`a root element (${tag.local.slice(0, 30)}) of a program`);
    const attributes = Object.values(tag.attributes);
    const spaces = [tag.uri, ...attributes.flatMap(({ name, value }) => (name.startsWith('xmlns') ? [value] : []))];
    if (spaces.some((uri) => ACTIVE_NAMESPACES.test(uri.trim()))) refuse('elements that browsers or Office act on');
  });
  parser.on('closetag', () => {
    depth -= 1;
  });
  parser.write(decodeStrictXml(bytes)).close();
  if (elements === 0) throw new EngineError('unreadable', 'the XML document is empty');
}

function refuse(what: string): never {
  throw new EngineError('unsupported', `the XML document holds ${what}, and only plain data is let through`);
}
