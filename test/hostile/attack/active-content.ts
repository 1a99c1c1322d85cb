/** What a program would act on in the bytes of a file, whatever the file is called: read by parse5, which none of the readers is. */
import { type DefaultTreeAdapterMap, parse } from 'parse5';

type Node = DefaultTreeAdapterMap['node'];

const ACTIVE_ELEMENTS = new Set(
  'script iframe frame object embed applet base form button portal svg math template'.split(' '),
);
const SCRIPT_ADDRESS = /^[\s\0-\x20]*(?:javascript|vbscript|data|file|ms-[\w-]+):/i;

/** Every reading of bytes as text that some program makes. */
export function readingsOf(bytes: Uint8Array): string[] {
  return ['utf-8', 'windows-1252', 'utf-16le', 'utf-16be'].map((charset) => new TextDecoder(charset).decode(bytes));
}

/** What a browser would run or load from the bytes if it took them for a page, in words; null when there is nothing. */
export function activeAsPage(bytes: Uint8Array): string | null {
  for (const text of readingsOf(bytes)) {
    const found = activeIn(parse(text));
    if (found !== null) return found;
  }
  return null;
}

function activeIn(node: Node): string | null {
  const found = 'tagName' in node ? activeElement(node) : null;
  if (found !== null) return found;
  for (const child of 'childNodes' in node ? node.childNodes : []) {
    const below = activeIn(child);
    if (below !== null) return below;
  }
  return null;
}

function activeElement({ tagName, attrs }: DefaultTreeAdapterMap['element']): string | null {
  if (ACTIVE_ELEMENTS.has(tagName)) return `<${tagName}>`;
  const active = attrs.find(
    ({ name, value }) =>
      name.startsWith('on') ||
      (/^(?:href|src|action|formaction|data)$/.test(name) && SCRIPT_ADDRESS.test(value)) ||
      (name === 'http-equiv' && /refresh/i.test(value)),
  );
  return active === undefined ? null : `<${tagName} ${active.name}="${active.value}">`;
}

/** A cell that a spreadsheet program would calculate, as it stands; null when there is none. */
export function formulaIn(table: Uint8Array): string | null {
  for (const text of readingsOf(table)) {
    const cell = text.split(/[\r\n,;\t]+/).find((each) => /^[\s"\ufeff]*[=+@-].*[(!|]/.test(each));
    if (cell !== undefined) return cell;
  }
  return null;
}
