/**
 * Disarm of XHTML. The result is HTML, which every program for either format opens. As XML, its name spaces, entities and style sheets
 * could have a meaning that no reading as HTML shows.
 */

import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import { describeType } from '../../../formats/file-types.ts';
import type { EngineLimits, FileInput } from '../../engine.ts';
import type { Disarm, Disarmed, DisarmStrategy, Nested } from '../disarm-module.ts';
import { decodeStrictXml } from '../text/decode-xml.ts';
import { disarm as disarmHtml, strategies as htmlStrategies } from './html.ts';
import { VOID_ELEMENTS } from './rules.ts';

/** The XML declaration and style sheets in front of the page, which HTML takes for comments. */
const PROLOG = /^\ufeff?\s*(?:<\?[^>]{0,1000}\?>\s*)*/;
const CHARACTER_DATA = /<!\[CDATA\[([\s\S]*?)\]\]>/g;
/** Elements that are empty in XML. In HTML, they would contain the rest of the page. */
const EMPTY_ELEMENT = /<([a-z][\w:.-]{0,40})((?:\s[^<>]{0,4000})?)\/>/gi;

/** A prefix of XHTML in other XML. Requirements in ReqIF are fragments in which its prefix is not declared. */
const PREFIX = /\sxmlns:([a-z_][\w.-]{0,40})\s{0,9}=\s{0,9}["']http:\/\/www\.w3\.org\/1999\/xhtml["']/gi;
const UNDECLARED_PREFIX = 'reqif-xhtml';
/** The most prefixes that are looked for. A page has one. */
const MAX_PREFIXES = 20;

/** Always `disarmed`. Throws EngineError `unreadable` for an encoding that hides markup, and what the disarm of HTML throws. */
export const disarm: Disarm = (input, type, limits, nested) => asHtml(disarmHtml, { input, type, limits, nested });

/** Prefixes of HTML itself. */
export const strategies: readonly DisarmStrategy[] = htmlStrategies.map((strategy) => ({
  ...strategy,
  disarm: (input, type, limits, nested) => asHtml(strategy.disarm, { input, type, limits, nested }),
}));

interface Arguments {
  readonly input: FileInput;
  readonly type: DetectedType;
  readonly limits: EngineLimits;
  readonly nested: Nested;
}

async function asHtml(work: Disarm, { input, limits, nested }: Arguments): Promise<Disarmed> {
  const bytes = new Uint8Array(Buffer.from(`\ufeff${htmlOfXhtml(decodeStrictXml(input.bytes))}`));
  const page = await work({ ...input, bytes, untrustedName: 'page.html' }, describeType('text/html'), limits, nested);
  const change = { kind: 'XHTML', action: 'sanitized', where: 'page' } as const;
  return { ...page, outcome: 'disarmed', details: [change, ...page.details] };
}

/** Returns the page in the syntax of HTML, in which elements have no prefixes. */
export function htmlOfXhtml(text: string): string {
  const plain = text
    .replace(PROLOG, '')
    .replace(CHARACTER_DATA, (_, data: string) => data.replaceAll('&', '&amp;').replaceAll('<', '&lt;'));
  const declared = [...plain.matchAll(PREFIX)].map((match) => match[1] ?? '');
  const prefixes = [...new Set([UNDECLARED_PREFIX, ...declared])].slice(0, MAX_PREFIXES);
  return plain
    .replace(
      new RegExp(`<(/?)(?:${prefixes.map((prefix) => prefix.replaceAll('.', '\\.')).join('|')}):(?=[a-z])`, 'gi'),
      '<$1',
    )
    .replace(EMPTY_ELEMENT, (tag, name: string, attributes: string) =>
      VOID_ELEMENTS.has(name.toLowerCase()) ? tag : `<${name}${attributes}></${name}>`,
    );
}
