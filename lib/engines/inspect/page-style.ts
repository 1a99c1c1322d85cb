/**
 * Reads the style of a disarmed page by a closed grammar of its own: rules of known properties with plain values, and conditions on the
 * medium around them. Anything else is a finding. It builds nothing, and trusts no code that wrote the page.
 */
import { namesOf, oneOf } from './fact.ts';

/** Properties by their families. No member of a family loads, moves, covers, draws text or changes over time. */
const FAMILIES = new RegExp(
  `^${oneOf(`
    (?:background|border|font|margin|padding|outline|list-style|flex|text-decoration)(?:-[a-z]+){0,3}
    (?:min-|max-)?(?:width|height) text-(?:align|indent|transform|overflow|shadow|underline-offset|size-adjust)
    -(?:webkit|moz|ms)-text-size-adjust (?:page-)?break-(?:after|before|inside) overflow(?:-[xy]|-wrap)?
    align-(?:content|items|self) word-(?:break|wrap|spacing) (?:row-|column-)?gap
  `)}$`,
);
const SINGLE = new Set(
  namesOf(`
    color opacity visibility line-height letter-spacing vertical-align white-space hyphens direction line-break table-layout
    caption-side empty-cells display float clear box-sizing box-shadow orphans widows cursor object-fit aspect-ratio order
    justify-content color-scheme supported-color-schemes -ms-interpolation-mode -webkit-font-smoothing -webkit-text-fill-color
    -webkit-border-radius -moz-osx-font-smoothing mso-line-height-rule mso-table-lspace mso-table-rspace mso-padding-alt
    mso-margin-top-alt mso-margin-bottom-alt mso-text-raise mso-border-alt
  `),
);
/**
 * One word, number, colour, string, sign or listed function at a time. No two alternatives can match the same part, so there is only one
 * way to read a value.
 */
const VALUE = new RegExp(
  String.raw`^${oneOf(String.raw`
    -?[\p{L}_][\p{L}\p{N}_-]*(?![\p{L}\p{N}_(-])
    -?(?:\d+\.?\d*|\.\d+)(?:%|[a-z]{1,5})?(?![\w(.%])
    #[0-9a-f]{3,8}(?![\w(-])
    "[\p{L}\p{N}\x20._-]*" '[\p{L}\p{N}\x20._-]*'
    (?:rgba?|hsla?|calc|min|max|clamp|(?:linear|radial)-gradient)\(
    [\x20,/()] (?<=\x20)[+*-](?=\x20) !\x20?important$
  `)}+$`,
  'iu',
);
const SELECTOR = new RegExp(
  String.raw`^${oneOf(String.raw`
    [a-z_-][\w-]*(?![\w-]) \* [.#][a-z_-][\w-]*(?![\w-])
    :(?:link|visited|hover|active|focus|root|empty|checked|target|(?:first|last|only)-child|(?:first|last)-of-type)(?![\w-])
    :nth-(?:child|of-type)\((?:odd|even|\d{1,3}|\d{0,3}n)\)
    \[[a-z_-][\w-]*(?:[~|^$*]?="[\w\x20.:-]*")?\]
    ,\x20 \x20[>+~]\x20 \x20
  `)}+$`,
  'i',
);
const MEDIUM =
  /^@media (?:(?:all|screen|print|handheld|projection|only|and|not|or)(?![\w(-])|\([a-z-]+(?:: [\w./-]+)?\)|, | )+$/;

/** A picture of the message, or one inside the page itself. A value may have several. */
const OWN_PICTURE =
  /(?<![\p{L}\p{N}_-])url\("(?:cid:[\w.@$%=-]+|data:image\/(?:png|jpe?g|gif|webp|bmp);base64,[a-z0-9/=%]*)"\)/giu;
/** Represents such a picture until the property is known. No value and no page may have this sign. */
const PICTURE = '\0';

/** Returns the first text of a style attribute or a rule that the grammar does not allow, or null. */
export function strangeStyle(style: string): string | null {
  if (style.includes(PICTURE)) return style;
  const plain = style.replace(/[\t\n\r\f ]+/g, ' ').replace(OWN_PICTURE, PICTURE);
  for (const untrimmed of plain.split(';')) {
    const declaration = untrimmed.trim();
    if (declaration === '') continue;
    const [, name = '', written = ''] = /^([a-z-]+) ?:([^:]*)$/i.exec(declaration) ?? [];
    const property = name.toLowerCase();
    if (!FAMILIES.test(property) && !SINGLE.has(property)) return declaration;
    const value = /^background(?:-image)?$/.test(property) ? written.replaceAll(PICTURE, 'none') : written;
    if (!VALUE.test(value.trim()) || !isBalanced(value)) return declaration;
    if (/^margin(?:-top|-bottom)?$/.test(property) && /-[\d.]|\(/.test(value)) return declaration;
  }
  return null;
}

function isBalanced(value: string): boolean {
  let open = 0;
  for (const sign of value) {
    if (sign === '(') open++;
    if (sign === ')') open--;
    if (open < 0) return false;
  }
  return open === 0;
}

/**
 * Returns the first text of a style sheet that the grammar does not allow, or null. Each rule has a line of its own. In a mail, lines end
 * with CRLF.
 */
export function strangeSheet(sheet: string): string | null {
  let isInCondition = false;
  for (const line of sheet.split(/\r?\n/)) {
    if (line === '}' && isInCondition) isInCondition = false;
    else if (line.startsWith('@')) {
      if (isInCondition || !line.endsWith(' {') || !MEDIUM.test(line.slice(0, -2))) return line;
      isInCondition = true;
    } else {
      const strange = strangeRule(line);
      if (strange !== null) return strange;
    }
  }
  return isInCondition ? '@media' : null;
}

function strangeRule(line: string): string | null {
  const [, selectors = '', declarations = ''] = /^([^{}@<]+) \{ ([^{}<]+) \}$/.exec(line) ?? [];
  return SELECTOR.test(selectors) ? strangeStyle(declarations) : line;
}
