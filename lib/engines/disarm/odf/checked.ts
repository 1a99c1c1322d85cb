/** Properties and settings of an OpenDocument file, judged by name, type and value. */

export interface CheckedText {
  /** The text to write; null when the element is removed. */
  readonly value: string | null;
  /** The kind for the report when a reader may miss the element; null when nothing is reported. */
  readonly kind: string | null;
}

const GONE: CheckedText = { value: null, kind: null };

/** The name of the program. Without one, programs recalculate a spreadsheet on opening, which changes what it shows. */
const GENERATOR = /^[A-Za-z]{2,30}\/[\w.$\-/ :()]{1,120}$/;
const PROPERTIES = new Set(
  (
    'dc:title dc:subject dc:description dc:creator dc:date dc:language meta:initial-creator meta:creation-date meta:keyword ' +
    'meta:editing-cycles meta:editing-duration meta:print-date meta:printed-by'
  ).split(' '),
);

/** Settings of any type that fetch, bind or reveal something about the author's machine. */
const UNSAFE_SETTING =
  /Link|Database|DataSource|Macro|Script|Event|Print(?:er|Fax|Setup)|Template|Password|Rsid|Redline(?!Changes$)/i;
const NUMBER = /^-?\d{1,18}(?:\.\d{1,18})?$/;
/** Settings whose text only names a sheet, a view or a measure of the document itself. */
const SAFE_STRINGS = new Set('ActiveTable ViewId ScaleUnit'.split(' '));

/** Judges the text of an element of office:meta (`name` is its key), or of a setting (`name` is its type and its name). */
export function checkedText(name: string, text: string, keepMetadata: boolean): CheckedText {
  const setting = /^(\w*) (.*)$/s.exec(name);
  if (setting !== null) return checkedSetting(setting[1] ?? '', setting[2] ?? '', text);
  if (name === 'meta:generator') return GENERATOR.test(text) ? { value: text, kind: null } : GONE;
  if (!PROPERTIES.has(name)) return { value: null, kind: 'document properties' };
  return keepMetadata ? { value: text, kind: null } : { value: null, kind: 'document properties' };
}

function checkedSetting(type: string, name: string, text: string): CheckedText {
  if (UNSAFE_SETTING.test(name))
    return { value: null, kind: /^Printer/.test(name) && text !== '' ? 'printer settings' : null };
  const value = text.trim();
  if (type === 'boolean') return /^(?:true|false)$/.test(value) ? { value, kind: null } : GONE;
  if (/^(?:short|int|long|double)$/.test(type)) return NUMBER.test(value) ? { value, kind: null } : GONE;
  const isName = type === 'string' && SAFE_STRINGS.has(name) && /^[^\p{Cc}]{0,255}$/u.test(text);
  return isName ? { value: text, kind: null } : GONE;
}
