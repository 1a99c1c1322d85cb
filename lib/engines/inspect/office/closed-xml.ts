/**
 * Reads an XML part that our disarm wrote, tag by tag. Each element and each attribute must be on a list of its own. It reads only the
 * plain form in which such parts are written; anything else is a finding.
 */
import type { Findings } from '../fact.ts';
import { decodeXml } from '../xml/text.ts';

/** The form of the value of an attribute, or of the text of an element. */
export interface ClosedForms {
  /** Elements by name. A name with a prefix is written with it. */
  readonly elements: ReadonlySet<string>;
  /** Attributes by name, with their allowed values. */
  readonly attributes: ReadonlyMap<string, RegExp>;
  /** Elements whose text must have a form. */
  readonly texts?: ReadonlyMap<string, RegExp>;
}

const DECLARATION = /^(?:\ufeff)?<\?xml version="1\.0" encoding="UTF-8"\?>\s*/i;
const TAG = /<(\/?)([A-Za-z_][\w.:-]{0,100})((?:\s+[A-Za-z_][\w.:-]{0,100}="[^"<]*")*)\s*(\/?)>/y;
const ATTRIBUTE = /([A-Za-z_][\w.:-]{0,100})="([^"<]*)"/g;

interface Reading {
  readonly forms: ClosedForms;
  readonly findings: Findings;
  readonly where: string;
  readonly open: string[];
  text: string;
}

/** Searches one part. `root` is the element that it must have. */
export function searchClosed(
  bytes: Uint8Array,
  root: string,
  forms: ClosedForms,
  findings: Findings,
  where: string,
): void {
  const xml = new TextDecoder().decode(bytes).replace(DECLARATION, '');
  const reading: Reading = { forms, findings, where, open: [], text: '' };
  let at = 0;
  for (let next = xml.indexOf('<'); next !== -1; next = xml.indexOf('<', at)) {
    TAG.lastIndex = next;
    const tag = TAG.exec(xml);
    if (tag === null) {
      findings.add('xml-unlisted-form', `${where} ${xml.slice(next, next + 20)}`);
      return;
    }
    reading.text += xml.slice(at, next);
    if (at === 0 && tag[2] !== root) findings.add('xml-other-root', where);
    at = TAG.lastIndex;
    takeTag(reading, tag);
  }
  if (at === 0 || reading.open.length > 0) findings.add('xml-unlisted-form', `${where} end`);
}

function takeTag(reading: Reading, [, closing, name = '', list = '', empty]: RegExpExecArray): void {
  const { forms, findings, where, open } = reading;
  if (closing === '/') {
    if (open.pop() !== name) findings.add('xml-unlisted-form', `${where} </${name}>`);
    if (forms.texts?.get(name)?.test(decodeXml(reading.text)) === false)
      findings.add('xml-unlisted-text', `${where} <${name}>`);
  } else {
    // An element whose text must have a form has no text before its first child.
    if (forms.texts?.has(open.at(-1) ?? '') === true && /\S/.test(reading.text))
      findings.add('xml-unlisted-text', `${where} <${open.at(-1)}>`);
    if (!forms.elements.has(name)) findings.add('xml-unlisted-element', `${where} <${name}>`);
    for (const [, attribute = '', value = ''] of list.matchAll(ATTRIBUTE))
      if (forms.attributes.get(attribute)?.test(decodeXml(value)) !== true)
        findings.add('xml-unlisted-attribute', `${where} ${attribute}`);
    if (empty !== '/') open.push(name);
  }
  reading.text = '';
}
