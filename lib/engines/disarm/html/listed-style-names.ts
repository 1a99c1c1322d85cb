/** The properties and functions of CSS on which no program acts. The names that Word adds to them are in `listed-word-style.ts`. */
import { oneOf } from '../../../formats/patterns.ts';

/** Properties of CSS, with the prefixes of browsers. None of them names a program, a behaviour or, except by `url()`, a place. */
export const STYLE_PROPERTIES = new RegExp(
  `^(?:-(?:webkit|moz|ms|o|apple|epub)-)?${oneOf(String.raw`
    accelerator accent-color align-(?:content|items|self) all animation(?:-[a-z]+){0,3} appearance aspect-ratio
    backface-visibility background(?:-[a-z]+){0,2} block-size border(?:-[a-z]+){0,3} bottom
    box-(?:align|decoration-break|direction|flex|orient|pack|shadow|sizing) break-(?:after|before|inside)
    caption-side caret-color clear clip clip-path color color-(?:adjust|scheme) supported-color-schemes print-color-adjust
    column(?:-[a-z]+){1,2} columns contain content counter-(?:increment|reset) cursor
    device-width direction display empty-cells fill filter flex(?:-[a-z]+)? float flow font(?:-[a-z]+){0,3} forced-color-adjust
    gap grid(?:-[a-z]+){0,2} height high-contrast-adjust hyphens hyphenate-[a-z]+ hyphenate-limit-[a-z]+
    image-rendering inline-size inset(?:-[a-z]+){0,2} interpolation-mode isolation justify-(?:content|items|self)
    layout-(?:flow|grid(?:-[a-z]+)?) left letter-spacing line-(?:break|clamp|height) list-style(?:-[a-z]+)?
    margin(?:-[a-z]+){0,2} marks mask(?:-[a-z]+){0,2} max-(?:device-)?(?:height|width|zoom) min-(?:device-)?(?:height|width|zoom)
    mix-blend-mode nbsp-mode object-(?:fit|position) opacity order orientation orphans outline(?:-[a-z]+)?
    overflow(?:-[a-z]+){0,2} overscroll-behavior
    padding(?:-[a-z]+){0,2} page page-break-(?:after|before|inside) perspective pointer-events position punctuation-wrap
    quotes resize right rotation row-gap ruby-(?:align|position)
    scroll-behavior scrollbar-[a-z0-9-]{1,30} size speak src stroke(?:-[a-z]+)?
    tab-(?:interval|size|stops) table-(?:border-color-(?:dark|light)|layout) tap-highlight-color text(?:-[a-z]+){1,3} text top
    touch-(?:action|callout) transform(?:-[a-z]+)? transition(?:-[a-z]+){0,2} unicode-(?:bidi|range) user-(?:modify|select|zoom)
    vertical-align visibility white-space(?:-collapse)? widows width will-change word-(?:break|spacing|wrap) wrap-(?:flow|margin)
    writing-mode z-index zoom overflow-scrolling osx-font-smoothing panose-1 language flip antialias v-text-anchor
    vnd\.ms-excel\.numberformat --[a-z][a-z0-9-]{0,60}
  `)}$`,
);

/** Functions of CSS that calculate, place or draw. */
export const STYLE_FUNCTIONS = new RegExp(
  `^${oneOf(`
    rgba? hsla? hwb lab lch oklab oklch color-mix light-dark calc min max clamp var env alpha minmax repeat fit-content format
    local counters? attr rect inset circle ellipse polygon cubic-bezier steps matrix(?:3d)? perspective
    translate(?:3d|[xyz])? scale(?:3d|[xyz])? rotate(?:3d|[xyz])? skew[xy]?
    blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia
    (?:-webkit-|-moz-|-o-|-ms-)?(?:repeating-)?(?:linear|radial|conic)-gradient -webkit-gradient from to color-stop
  `)}$`,
  'i',
);
