/** Whether a page of the desk is made of nothing but what we write. */
import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from 'parse5';

type Tree = DefaultTreeAdapterTypes.Node;

/** Every element of a page as a browser would see it. */
export function elementsOf(page: string): { name: string; attributes: readonly { name: string; value: string }[] }[] {
  const walk = (node: Tree): ReturnType<typeof elementsOf> => [
    ...(defaultTreeAdapter.isElementNode(node) ? [{ name: node.tagName, attributes: node.attrs }] : []),
    ...('childNodes' in node ? node.childNodes.flatMap(walk) : []),
  ];
  return walk(parse(page));
}

/** What pages of ours are made of. */
export const ELEMENTS = new Set(
  'html head meta title link body main article nav a b i span header p h1 h2 h3 br small code section table thead tbody tr th td ul li form label input select option button div textarea details summary svg rect'.split(
    ' ',
  ),
);
const ATTRIBUTES = new Set(
  'lang title charset name content rel href class scope value type method action required maxlength selected role rows spellcheck inputmode viewBox preserveAspectRatio aria-label aria-current x y width height'.split(
    ' ',
  ),
);
const ADDRESSES =
  /^\/(?:mails|policy|drop|drops|views|asks|audit|blocks|recall|overview|r\/[\w.-]+|selected|sign-out|style\.css|live\.js)(?:[/?]|$)/;

/** What one page has beside what all have. */
interface Also {
  readonly elements: readonly string[];
  readonly attributes: readonly string[];
}

/** Elements, attributes and addresses that no page of ours has. */
export function strangeIn(page: string, also: Also = { elements: [], attributes: [] }): string[] {
  const elements = elementsOf(page);
  const attributes = elements.flatMap((element) => element.attributes);
  const leading = attributes.filter((each) => ['href', 'action', 'src', 'formaction'].includes(each.name));
  return [
    ...elements.map(({ name }) => name).filter((name) => !ELEMENTS.has(name) && !also.elements.includes(name)),
    ...attributes.map(({ name }) => name).filter((name) => !ATTRIBUTES.has(name) && !also.attributes.includes(name)),
    ...leading.map(({ value }) => value).filter((value) => !ADDRESSES.test(value)),
  ];
}

/** The characters of a page as a browser shows them, and the values of its fields. */
export function readableText(page: string): string {
  const walk = (node: Tree): string => {
    if (defaultTreeAdapter.isTextNode(node)) return node.value;
    const value = defaultTreeAdapter.isElementNode(node) ? node.attrs.find(({ name }) => name === 'value')?.value : '';
    return [value ?? '', ...('childNodes' in node ? node.childNodes.map(walk) : [])].join('');
  };
  return walk(parse(page));
}
