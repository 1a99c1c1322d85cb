/** Properties and settings of an OpenDocument file, judged by name, type and value. */

export interface CheckedText {
  /** What to write; null when the element goes. */
  readonly value: string | null;
  /** Words for the report when it goes and somebody may miss it. */
  readonly kind: string | null;
}

const GONE: CheckedText = { value: null, kind: null };

/** Spreadsheets of an unknown program are recalculated on opening, which changes what they show. */
const GENERATOR = /^[A-Za-z]{2,30}\/[\w.$\-/ :()]{1,120}$/;
const PROPERTIES = new Set(
  (
    'dc:title dc:subject dc:description dc:creator dc:date dc:language meta:initial-creator meta:creation-date meta:keyword ' +
    'meta:editing-cycles meta:editing-duration meta:print-date meta:printed-by'
  ).split(' '),
);

/** Settings that fetch, bind or tell of the author's machine, whatever their type. */
const UNSAFE_SETTING =
  /Link|Database|DataSource|Macro|Script|Event|Print(?:er|Fax|Setup)|Template|Password|Rsid|Redline/i;
const NUMBER = /^-?\d{1,18}(?:\.\d{1,18})?$/;
/** Strings that only name a sheet, a view or a measure of the document itself. */
const SAFE_STRINGS = new Set('ActiveTable ViewId ScaleUnit'.split(' '));

/** Judges the text of an element of office:meta (`name` is its key) or of a setting (`name` is its type and name). */
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
