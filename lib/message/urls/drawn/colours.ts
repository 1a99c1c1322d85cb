/** Tells whether the background of an element is dark. */

/** Backgrounds that the style sheets of a page give to a class (`.dark`) or to all elements of a name (`td`). */
export type Sheet = ReadonlyMap<string, string>;

/** Rules of one page that are read. A page that draws a code needs two. */
const MAX_RULES = 2_000;
const STYLE = /<style\b[^>]*>([^<]*)/gi;
/** The last simple selector of a rule. */
const SELECTOR = /(?:[.#][\w-]+|(?<![\w.#-])[a-z][a-z0-9]*)$/i;
const BACKGROUND = /(?:^|[;\s])background(?:-color)?\s*:\s*([^;!]{1,100})/i;

/** Reads the style sheets of a page, roughly. */
export function sheetOf(html: string): Sheet {
  const sheet = new Map<string, string>();
  for (const [, css = ''] of html.matchAll(STYLE))
    for (const rule of css.split('}')) {
      if (sheet.size >= MAX_RULES) return sheet;
      const [declarations = '', selectors = ''] = rule.split('{').reverse();
      const background = BACKGROUND.exec(declarations)?.[1];
      if (background === undefined) continue;
      for (const selector of selectors.split(',')) {
        const last = SELECTOR.exec(selector.trim())?.[0];
        if (last !== undefined) sheet.set(last.toLowerCase(), background);
      }
    }
  return sheet;
}

/** Returns the background of an element as it is written, or null when it has none of its own. */
export function backgroundOf(
  name: string,
  { style = '', class: classes = '', id, bgcolor }: Readonly<Record<string, string>>,
  sheet: Sheet,
): string | null {
  const own = BACKGROUND.exec(style)?.[1];
  if (own !== undefined) return own;
  if (sheet.size > 0) {
    const keys = [...(id === undefined ? [] : [`#${id}`]), ...classes.split(/\s+/).map((each) => `.${each}`), name];
    for (const key of keys) {
      const background = sheet.get(key.toLowerCase());
      if (background !== undefined) return background;
    }
  }
  return bgcolor ?? null;
}

const INK = /(?:^|[;\s])color\s*:\s*([^;!]{1,100})/i;

/** Returns the colour of the text of an element as it is written, or null when it has none of its own. */
export function inkOf({ style = '', color }: Readonly<Record<string, string>>): string | null {
  return INK.exec(style)?.[1] ?? color ?? null;
}

const LIGHT = new Set(
  (
    'white transparent none inherit initial unset snow ivory azure mintcream ghostwhite whitesmoke aliceblue floralwhite seashell beige ' +
    'lavender linen honeydew cornsilk oldlace yellow lightyellow lightgray lightgrey gainsboro silver pink currentcolor'
  ).split(' '),
);
/** Half of the light. */
const MIDDLE = 128;

/** Returns true for a dark colour, and for one whose name is not known to be light. */
export function isDark(colour: string): boolean {
  const plain = colour.trim().toLowerCase();
  const hex = /^#?([0-9a-f]{3,8})\b/.exec(plain)?.[1];
  if (hex !== undefined && hex.length !== 5 && hex.length !== 7) {
    const digits = hex.length < 6 ? [...hex].map((digit) => digit + digit).join('') : hex;
    if (digits.slice(6) === '00') return false;
    return isDarkLight([0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16)));
  }
  const parts = /^(rgb|hsl)a?\(([^)]*)/.exec(plain);
  if (parts === null) return !LIGHT.has(/^[a-z]+/.exec(plain)?.[0] ?? 'none');
  const numbers = (parts[2] ?? '').match(/[\d.]+/g)?.map(Number) ?? [];
  if (numbers[3] === 0) return false;
  return parts[1] === 'hsl' ? (numbers[2] ?? 100) < 50 : isDarkLight(numbers);
}

const isDarkLight = ([red = 0, green = 0, blue = 0]: readonly number[]) =>
  0.299 * red + 0.587 * green + 0.114 * blue < MIDDLE;
