/**
 * Takes apart a style attribute that needs no tokenizer. Nearly all are like this, and a tokenizer takes some hundred times as long. The
 * grammar holds no escapes, no comments, no brackets but those of a plain colour, and no string with a semicolon, a line end or an escape.
 */

/** A name and a value. Group 1 is the name. */
const DECLARATION =
  /^\s*(-{0,2}[a-z]+(?:-[a-z]+)*)\s*:((?:[a-z0-9 .,#%!+-]|\/(?!\*)|'[^'\\\r\n\f]*'|"[^"\\\r\n\f]*"|(?<![\w-])rgba?\([0-9., %]*\))*)$/i;
/** Repeated groups use the stack, so a longer declaration is left to the tokenizer. */
const MAX_DECLARATION_LENGTH = 500;

/** A declaration. `text` is the whole of it, `name` is in lower case. */
export interface PlainDeclaration {
  readonly text: string;
  readonly name: string;
  readonly isEmpty: boolean;
}

/** Returns the declarations of a style attribute, or null when one of them is not plain. Linear in its length. */
export function plainDeclarations(style: string): readonly PlainDeclaration[] | null {
  const found: PlainDeclaration[] = [];
  for (const text of style.split(';')) {
    if (text.trim() === '') continue;
    const [, name, value] = (text.length <= MAX_DECLARATION_LENGTH ? DECLARATION.exec(text) : null) ?? [];
    if (name === undefined || value === undefined) return null;
    found.push({ text, name: name.toLowerCase(), isEmpty: value.trim() === '' });
  }
  return found;
}
