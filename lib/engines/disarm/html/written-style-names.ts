/** The properties, functions and conditions that style in a rebuilt page may have. */
import { oneOf } from '../../../formats/patterns.ts';
import { names } from './rules.ts';

/**
 * Colours, fonts, sizes, spacing, borders, alignment and layout in its own place. None of them loads, moves over other content, draws text
 * that is not in the page, or changes it over time. So `position`, `z-index`, `transform`, `clip`, `filter`, `mask`, `content`,
 * `animation` and `transition` are not among them.
 */
export const WRITTEN_PROPERTIES = new RegExp(
  `^${oneOf(`
    color background(?:-(?:color|image|position|size|repeat|clip|origin))? opacity visibility
    font(?:-(?:family|size|style|weight|variant|stretch))? line-height letter-spacing word-spacing
    text-(?:align|decoration|indent|transform|overflow|shadow|underline-offset) text-decoration-(?:color|line|style|thickness)
    vertical-align white-space word-(?:break|wrap) overflow-wrap hyphens direction line-break
    (?:min-|max-)?(?:width|height) (?:margin|padding)(?:-(?:top|right|bottom|left))?
    border(?:-(?:top|right|bottom|left))?(?:-(?:color|style|width|radius))? border-(?:collapse|spacing)
    border-(?:top|bottom)-(?:left|right)-radius table-layout caption-side empty-cells list-style(?:-(?:type|position))?
    display float clear box-sizing box-shadow outline(?:-(?:color|style|width|offset))? overflow(?:-[xy])?
    page-break-(?:after|before|inside) break-(?:after|before|inside) orphans widows cursor object-fit aspect-ratio
    flex(?:-(?:basis|direction|flow|grow|shrink|wrap))? order align-(?:content|items|self) justify-content (?:row-|column-)?gap
    color-scheme supported-color-schemes -(?:webkit|moz|ms)-text-size-adjust text-size-adjust -ms-interpolation-mode
    -webkit-(?:font-smoothing|text-fill-color|border-radius) -moz-osx-font-smoothing
    mso-(?:line-height-rule|table-lspace|table-rspace|padding-alt|margin-top-alt|margin-bottom-alt|text-raise|border-alt)
  `)}$`,
);

/** A negative value pulls the following content over the content above. */
export const UPRIGHT_MARGINS = names('margin margin-top margin-bottom');

/** Functions that calculate or draw. */
export const WRITTEN_FUNCTIONS = names('rgb rgba hsl hsla calc min max clamp linear-gradient radial-gradient');

/** States and places of an element. They never select a part of an element, such as its first letter, or inserted content. */
export const WRITTEN_STATES = names(
  'link visited hover active focus root empty checked target first-child last-child only-child first-of-type last-of-type',
);

export const MEDIA_WORDS = names('all screen print handheld projection only and not or');
export const MEDIA_FEATURES = names(`
  width min-width max-width height min-height max-height device-width min-device-width max-device-width device-height
  min-device-height max-device-height orientation resolution min-resolution max-resolution device-pixel-ratio
  min-device-pixel-ratio max-device-pixel-ratio -webkit-device-pixel-ratio -webkit-min-device-pixel-ratio
  -webkit-max-device-pixel-ratio prefers-color-scheme prefers-reduced-motion hover pointer color
`);
