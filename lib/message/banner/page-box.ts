/**
 * The boxes of a page and of its body, which contain the banner. A large padding, border or margin could move the banner out of the window,
 * and the content could flow back into view. So a page with a banner sets all of these boxes itself: the sender's values where they are
 * small, otherwise nothing. CSS 2.2 §8 and §10. Pure.
 */
import { declarationsOf, plainRules } from './still-style.ts';

/** The parts of the page's or the body's tag that concern its box. */
export interface BoxTag {
  readonly style: string;
  /** Values by the name of their attribute, in small letters. */
  readonly attributes: ReadonlyMap<string, string>;
}

/** These override every style sheet on the page and its body. Otherwise a style sheet could hide or move the whole page. */
const SHOWN = [
  'display:block',
  'visibility:visible',
  'opacity:1',
  'overflow:visible',
  'position:static',
  'float:none',
  'align-content:normal',
  'justify-items:normal',
  'width:auto',
  'min-width:0',
  'max-height:none',
];
/** Style sheets can show the head above the body. */
export const HEAD_STYLE = 'display:none!important';

/** Pixels of a padding or margin, and of a border, that leave a banner in view. Newsletters ask for up to 40. */
const SMALL = { margin: 40, padding: 40, border: 20 } as const;
/** The largest padding or margin, in percent of the window. */
const SMALL_PERCENT = 10;
/** The smallest width of a body, in pixels. A narrower body has no room for a banner. */
const NARROWEST = 260;
/** The margin that browsers give a body that names none. */
const ORDINARY_MARGIN = { html: '0', body: '8px' } as const;
/** The selectors without names that style the two in ordinary pages. */
const SELECTORS = { html: ['html', ':root'], body: ['body', 'html body'] } as const;

const SIDES = ['top', 'right', 'bottom', 'left'] as const;
type Side = (typeof SIDES)[number];
type Kind = keyof typeof SMALL;

/** Returns the style that gives the page or its body its box. `sheets` are the style sheets of the page in order. */
export function boxStyle(name: 'html' | 'body', tag: BoxTag, sheets: readonly string[]): string {
  const box = new Map<string, string>(SIDES.map((side) => [`margin-${side}`, ORDINARY_MARGIN[name]]));
  for (const [attribute, sides] of MARGIN_ATTRIBUTES) {
    const value = tag.attributes.get(attribute);
    if (value !== undefined) for (const side of sides) box.set(`margin-${side}`, smallLength(value, 'margin'));
  }
  for (const [property, value] of declaredFor(name, tag, sheets)) take(box, property, value);
  const sides = (kind: Kind) => SIDES.map((side) => box.get(`${kind}-${side}`) ?? '0').join(' ');
  const own = [`margin:${sides('margin')}`, `padding:${sides('padding')}`, `border-width:${sides('border')}`];
  // Outlook for Windows takes no declaration with `!important`.
  return [...own, important([...SHOWN, ...own, `max-width:${narrowed(box)}`])].join(';');
}

/** Returns whether an attribute of the body stays. Margins in attributes stay only where they are small. */
export function isSmallAttribute(name: string, value: string): boolean {
  return !MARGIN_ATTRIBUTES.has(name) || (/^\d{1,2}$/.test(value) && Number(value) <= SMALL.margin);
}

const MARGIN_ATTRIBUTES: ReadonlyMap<string, readonly Side[]> = new Map([
  ['marginwidth', ['left', 'right']],
  ['marginheight', ['top', 'bottom']],
  ['leftmargin', ['left']],
  ['rightmargin', ['right']],
  ['topmargin', ['top']],
  ['bottommargin', ['bottom']],
] satisfies [string, Side[]][]);

function important(declarations: readonly string[]): string {
  return declarations.map((declaration) => `${declaration}!important`).join(';');
}

/**
 * Returns the declarations of the plain rules for an element and of its own style, the strongest last. Rules with conditions or other
 * selectors are not read, because the style of the box overrides them.
 */
function declaredFor(
  tag: 'html' | 'body',
  { style, attributes }: BoxTag,
  sheets: readonly string[],
): [string, string][] {
  const classes = (attributes.get('class') ?? '').split(/\s+/).filter((name) => name !== '');
  const names = [...classes.map((name) => `.${name}`), ...(attributes.has('id') ? [`#${attributes.get('id')}`] : [])];
  // Later rules are stronger: everything, the element, the element by its name (CSS Selectors Level 4 §17, in short).
  const strength: readonly ReadonlySet<string>[] = [
    new Set(['*']),
    new Set<string>(SELECTORS[tag]),
    new Set([...names, ...names.map((name) => `${tag}${name}`)]),
  ];
  const known = sheets.flatMap((sheet) => plainRules(sheet)).map((rule) => ({ ...rule, selectors: plain(rule.head) }));
  const rules = strength.flatMap((level) => known.filter(({ selectors }) => selectors.some((one) => level.has(one))));
  const all = [...rules.flatMap(({ declarations }) => declarations), ...declarationsOf(style)].map(
    ({ property, value }) => ({ property, value: value.trim().toLowerCase() }),
  );
  const isStrong = ({ value }: { readonly value: string }) => /!\s*important$/.test(value);
  return [...all.filter((one) => !isStrong(one)), ...all.filter(isStrong)].map(({ property, value }) => [
    property,
    value.replace(/\s*!\s*important$/, ''),
  ]);
}

function plain(head: string): string[] {
  return head.split(',').map((one) =>
    one
      .trim()
      .replace(/^(?:html|body)\b/i, (word) => word.toLowerCase())
      .replace(/\s*>\s*|\s+/g, ' '),
  );
}

function take(box: Map<string, string>, property: string, value: string): void {
  const [, kind, side] = /^(margin|padding|border)(?:-(top|right|bottom|left))?(?:-width)?$/.exec(property) ?? [];
  if (kind === 'margin' || kind === 'padding' || kind === 'border') {
    const words = value.split(/\s+/);
    const isOneBorder = kind === 'border' && !property.endsWith('width');
    const given = isOneBorder ? [words.find((word) => /^[\d.]/.test(word)) ?? '0'] : words.slice(0, 4);
    for (const [index, one] of SIDES.entries()) {
      if (side !== undefined && side !== one) continue;
      const length = given[index] ?? given[index - 2] ?? given[0] ?? '0';
      box.set(`${kind}-${one}`, smallLength(length, kind));
    }
  } else if (property === 'width' || property === 'max-width') box.set(property, value);
}

/** Returns the length if it is small, otherwise `0`. Letters can have any size, so lengths in letters become pixels of ordinary letters. */
function smallLength(value: string, kind: Kind): string {
  if (kind === 'margin' && value === 'auto') return value;
  const [, digits = '', unit = 'px'] = /^(\d{1,4}(?:\.\d{1,4})?|\.\d{1,4})(px|pt|em|rem|%)?$/.exec(value) ?? [];
  if (digits === '') return '0';
  if (unit === '%') return kind !== 'border' && Number(digits) <= SMALL_PERCENT ? value : '0';
  const pixels = Number(digits) * PIXELS[unit as keyof typeof PIXELS];
  return pixels <= SMALL[kind] ? `${Number(pixels.toFixed(2))}px` : '0';
}

const PIXELS = { px: 1, pt: 4 / 3, em: 16, rem: 16 } as const;

/** Turns a width in pixels into the greatest width of the body, so that it is never wider than the window. */
function narrowed(box: ReadonlyMap<string, string>): string {
  const widths = ['width', 'max-width'].flatMap((property) => {
    const [, digits] = /^(\d{1,4})(?:\.\d+)?px$/.exec(box.get(property) ?? '') ?? [];
    return digits === undefined ? [] : [Number(digits)];
  });
  const least = Math.min(...widths.filter((width) => width >= NARROWEST));
  return Number.isFinite(least) ? `${least}px` : 'none';
}
