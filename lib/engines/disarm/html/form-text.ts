/** The text of the fields of a form as a reader sees it. A form sends the typed text to another place, so only its words stay. */
import { descendants, HTML_NAMESPACE, type HtmlElement, isElement } from './tree.ts';

/** The most characters of the words of one field. */
const LENGTH = 200;

const attributeOf = ({ attrs }: HtmlElement, wanted: string) => attrs.find(({ name }) => name === wanted)?.value ?? '';

/** Returns the words on a button or in a field, in brackets; empty for fields without any, and for every other element. */
export function formText(element: HtmlElement): string {
  if (element.namespaceURI !== HTML_NAMESPACE) return '';
  const words = wordsOf(element).replace(/\s+/g, ' ').trim().slice(0, LENGTH);
  return words === '' ? '' : `[${words}]`;
}

function wordsOf(element: HtmlElement): string {
  switch (element.tagName) {
    case 'input':
      return wordsOfInput(element);
    case 'textarea':
      return attributeOf(element, 'placeholder');
    case 'select':
      return wordsOfChoice(element);
    default:
      return '';
  }
}

/**
 * Returns the words that a form field shows: the label of a button, or the hint in an empty field. Its preset value is left out, because it
 * may be meant for the server alone.
 */
function wordsOfInput(element: HtmlElement): string {
  const type = attributeOf(element, 'type').trim().toLowerCase();
  if (/^(?:submit|button|reset)$/.test(type)) return attributeOf(element, 'value');
  if (type === 'image') return attributeOf(element, 'alt');
  return /^(?:hidden|checkbox|radio|file|range|color)$/.test(type) ? '' : attributeOf(element, 'placeholder');
}

/** Returns the shown choice: the selected one, otherwise the first. */
function wordsOfChoice({ childNodes }: HtmlElement): string {
  const options: HtmlElement[] = [];
  for (const node of descendants(childNodes)) if (isElement(node) && node.tagName === 'option') options.push(node);
  const shown = options.find(({ attrs }) => attrs.some(({ name }) => name === 'selected')) ?? options[0];
  return (shown?.childNodes ?? []).map((child) => ('value' in child ? child.value : '')).join('');
}
