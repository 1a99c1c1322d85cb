/**
 * The elements of a page or a drawing as an XML parser reads them. An HTML parser reads the same characters differently. For it, all text
 * behind `<title/>` is the title, and `<é:script>` is text.
 */
import { readXml } from '../xml-events.ts';

export interface XmlElement {
  /** Without its prefix. */
  readonly tagName: string;
  readonly attrs: readonly { readonly name: string; readonly value: string }[];
  /** The characters directly in it. */
  text: string;
}

const MAX_DEPTH = 5_000;

/** The entities of XML. All others stay unchanged. Their values may be very long, and depend on a DTD that is not loaded. */
const OWN: Readonly<Record<string, string>> = { amp: '&', gt: '>', lt: '<', quot: '"', apos: "'" };
const KEPT_ENTITIES = new Proxy(OWN, {
  get: (own, name) => (Object.hasOwn(own, name) ? own[String(name)] : `&${String(name)};`),
});

/** Returns the elements up to the place where the text is no XML any more: a browser runs the part before. Never throws. */
export function xmlElements(untrustedXml: string): readonly XmlElement[] {
  const elements: XmlElement[] = [];
  const open: XmlElement[] = [];
  readXml(
    untrustedXml,
    {
      open(name, attributes) {
        const attrs = attributes.map(([key, value]) => ({ name: linkName(key), value }));
        const element = { tagName: name.slice(name.indexOf(':') + 1), attrs, text: '' };
        elements.push(element);
        open.push(element);
      },
      close: () => void open.pop(),
      text(text) {
        const element = open.at(-1);
        if (element !== undefined) element.text += text;
      },
    },
    { depth: MAX_DEPTH, entities: KEPT_ENTITIES },
  );
  return elements;
}

/** Returns whether a value names an entity in the place of the scheme of a link, so that nobody can tell the target. */
export function hidesScheme(value: string): boolean {
  return /^[^:/?#]*&[^\s&;]+;/.test(value);
}

/** Returns the name of an attribute. A link has one name under any prefix for the name space of links. */
function linkName(name: string): string {
  return name.endsWith(':href') ? 'xlink:href' : name;
}
