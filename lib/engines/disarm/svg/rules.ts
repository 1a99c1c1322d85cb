/** The content that a rebuilt SVG drawing may have: elements, attributes and values. Everything else is removed. */

const names = (list: string) => new Set(list.trim().split(/\s+/));

/** Shapes, text, paint servers, clips, masks and filters. Nothing here runs, animates or loads. */
export const SVG_ELEMENTS = names(`
  svg g defs symbol use switch title desc
  path rect circle ellipse line polyline polygon image text tspan textPath a marker view
  linearGradient radialGradient stop pattern clipPath mask
  filter feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap
  feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology
  feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence
`);

/** Removed with everything in them, because their text is code, or is not part of the drawing. */
export const SVG_DROPPED = new Map([
  ['script', 'script'],
  ['handler', 'script'],
  ['listener', 'script'],
  ['foreignobject', 'foreign markup'],
  ['iframe', 'frame'],
  ['object', 'embedded object'],
  ['embed', 'embedded object'],
  ['audio', 'media'],
  ['video', 'media'],
  ['style', 'style sheet'],
  ['set', 'animation'],
  ['animate', 'animation'],
  ['animatecolor', 'animation'],
  ['animatemotion', 'animation'],
  ['animatetransform', 'animation'],
  ['discard', 'animation'],
  ['mpath', 'animation'],
  ['metadata', 'metadata'],
]);

/** Attributes without a prefix. Presentation attributes are among them, so a drawing keeps its looks without style sheets. */
export const SVG_ATTRIBUTES = names(`
  id class lang role version viewBox preserveAspectRatio width height x y x1 y1 x2 y2 cx cy r rx ry fx fy fr d points
  transform pathLength offset dx dy rotate textLength lengthAdjust startOffset method spacing side
  gradientUnits gradientTransform spreadMethod patternUnits patternContentUnits patternTransform
  clipPathUnits maskUnits maskContentUnits markerUnits markerWidth markerHeight refX refY orient
  filterUnits primitiveUnits in in2 result type values mode operator k1 k2 k3 k4 tableValues slope intercept amplitude
  exponent stdDeviation edgeMode kernelMatrix order divisor bias targetX targetY preserveAlpha radius scale
  xChannelSelector yChannelSelector baseFrequency numOctaves seed stitchTiles surfaceScale diffuseConstant
  specularConstant specularExponent kernelUnitLength azimuth elevation z pointsAtX pointsAtY pointsAtZ limitingConeAngle
  requiredFeatures systemLanguage
  alignment-baseline baseline-shift clip clip-path clip-rule color color-interpolation color-interpolation-filters
  color-rendering cursor direction display dominant-baseline enable-background fill fill-opacity fill-rule filter
  flood-color flood-opacity font font-family font-size font-size-adjust font-stretch font-style font-variant font-weight
  glyph-orientation-horizontal glyph-orientation-vertical image-rendering isolation kerning letter-spacing lighting-color
  marker marker-end marker-mid marker-start mask mask-type mix-blend-mode opacity overflow paint-order pointer-events
  shape-rendering stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin
  stroke-miterlimit stroke-opacity stroke-width text-anchor text-decoration text-rendering transform-origin unicode-bidi
  vector-effect visibility white-space word-spacing writing-mode
`);

/** Style declarations are kept by these names: the presentation attributes, which are also CSS properties. */
export function isSafeDeclaration(property: string, value: string): boolean {
  return SVG_ATTRIBUTES.has(property) && isSafeValue(value);
}

/** Characters that CSS readers drop or unescape before they look for `url(`. Any of them ends the argument. */
const CSS_DISGUISE = /\\|\/\*|@|[\p{Cc}\p{Cf}]/u;

/** Returns whether a value loads nothing: it has no function with an address, except one within the drawing. */
export function isSafeValue(value: string): boolean {
  // Most values of a drawing are numbers, colours and path data.
  if (/^[\w\s.,#%-]*$/.test(value)) return true;
  const plain = value.replace(/[\t\n\r]/g, ' ');
  const withoutLocal = plain.replace(/url\(\s*(["']?)#[\w.:-]{1,200}\1\s*\)/gi, '');
  if (CSS_DISGUISE.test(plain)) return false;
  return !/url\s*\(|image\s*\(|image-set|src\s*\(|expression|javascript:|data:|https?:|\/\/|-moz-binding|behavior/i.test(
    withoutLocal,
  );
}

/** A raster picture within the drawing, at most this long. A browser decodes it without asking anybody. */
const RASTER_URI = /^data:image\/(png|jpeg|gif|webp);base64,([a-z0-9+/=\s]+)$/i;

/** Returns the bytes of an inline raster picture, null for any other address. */
export function rasterOfDataUri(uri: string): Uint8Array | null {
  const match = RASTER_URI.exec(uri.trim());
  return match === null ? null : Buffer.from((match[2] ?? '').replace(/\s/g, ''), 'base64');
}

/** Returns whether it is a reference to something in the same drawing. */
export function isLocalReference(uri: string): boolean {
  return /^\s*#[\w.:-]{1,200}\s*$/.test(uri);
}
