/** The elements of a rebuilt map (OGC KML 2.3, and Google's extensions): a closed list, with the form of each content. */

const names = (list: string) => list.trim().split(/\s+/);

/** Name spaces of the versions of KML, and of its extensions. Every program reads a file without a name space alike. */
export const MAP_SPACES: ReadonlyMap<string, string> = new Map([
  ['', ''],
  ...['2.0', '2.1', '2.2'].map((version): [string, string] => [`http://earth.google.com/kml/${version}`, '']),
  ['http://www.opengis.net/kml/2.2', ''],
  ['http://www.opengis.net/kml/2.3', ''],
  ['http://www.google.com/kml/ext/2.2', 'gx'],
]);
export const MAP_DECLARATIONS = {
  xmlns: 'http://www.opengis.net/kml/2.2',
  'xmlns:gx': 'http://www.google.com/kml/ext/2.2',
} as const;

/** Elements that contain other elements, and no text. */
const PARTS = names(`
  kml Document Folder Placemark GroundOverlay ScreenOverlay LookAt Camera Region LatLonAltBox LatLonBox gx:LatLonQuad Lod
  Point LineString LinearRing Polygon MultiGeometry outerBoundaryIs innerBoundaryIs gx:Track gx:MultiTrack Track MultiTrack
  Style StyleMap Pair IconStyle LabelStyle LineStyle PolyStyle BalloonStyle ListStyle ItemIcon Icon hotSpot overlayXY screenXY rotationXY
  size TimeStamp TimeSpan gx:TimeStamp gx:TimeSpan ExtendedData Data SchemaData Schema SimpleField
`);
/** Elements with words for people. Programs show some of them as a page, so they are written as plain text. */
const WORDS = names('name description Snippet snippet address phoneNumber displayName value SimpleData gx:value');

const NUMBER = /^\s*[-+]?[\d.]{1,40}(?:e[-+]?\d{1,3})?\s*$/i;
const NUMBERS = /^[\s\d.,+\-eE]*$/;
const TIME = /^\s*[\dT:.Z+-]{0,40}\s*$/;
const COLOUR = /^\s*#?[0-9a-f]{0,8}\s*$/i;
const WORD = /^\s*[a-z]{0,40}\d?\s*$/i;
const FLAG = /^\s*(?:[01]|true|false)\s*$/i;

const valued = (value: RegExp, list: string): [string, RegExp][] => names(list).map((key) => [key, value]);
/** Elements with one value, and its form. */
const VALUES: ReadonlyMap<string, RegExp> = new Map([
  ...valued(
    NUMBER,
    `longitude latitude altitude heading tilt roll range scale width drawOrder north south east west rotation minAltitude maxAltitude
     minLodPixels maxLodPixels minFadeExtent maxFadeExtent gx:altitudeOffset gx:drawOrder gx:horizFov gx:outerWidth gx:physicalWidth
     gx:x gx:y gx:w gx:h maxSnippetLines`,
  ),
  ...valued(NUMBERS, 'coordinates gx:coord gx:angles coord angles'),
  ...valued(TIME, 'when begin end'),
  ...valued(COLOUR, 'color bgColor textColor gx:outerColor'),
  ...valued(WORD, 'altitudeMode gx:altitudeMode seaFloorAltitudeMode colorMode key listItemType state displayMode'),
  ...valued(
    FLAG,
    'visibility open extrude tessellate fill outline gx:interpolate interpolate gx:labelVisibility gx:balloonVisibility',
  ),
]);

/** Elements that are left out with everything in them, and the kinds under which they are reported. */
export const MAP_DROPPED: ReadonlyMap<string, string> = new Map([
  ...names('NetworkLink NetworkLinkControl Link Url').map((key): [string, string] => [key, 'remote map']),
  ...names('Model PhotoOverlay').map((key): [string, string] => [key, 'model of a building']),
  ...names('gx:Tour Tour').map((key): [string, string] => [key, 'automatic tour']),
  ...names('text').map((key): [string, string] => [key, 'page in a map']),
]);

/** Returns how the content of an element is written; null for an element on no list. */
export function contentOf(key: string | null): 'parts' | 'words' | RegExp | null {
  if (key === null) return null;
  if (PART_KEYS.has(key)) return 'parts';
  return WORD_KEYS.has(key) ? 'words' : (VALUES.get(key) ?? null);
}

const PART_KEYS: ReadonlySet<string> = new Set(PARTS);
const WORD_KEYS: ReadonlySet<string> = new Set(WORDS);

/** Attributes by key, and the form of their values. */
const ATTRIBUTES: ReadonlyMap<string, RegExp> = new Map([
  ['id', /^[^\p{Cc}<>&#]{0,200}$/u],
  ['name', /^[^\p{Cc}<>]{0,500}$/u],
  ['type', /^[a-z]{1,20}$/i],
  ['schemaUrl', /^#[^\p{Cc}<>]{0,200}$/u],
  ['x', NUMBER],
  ['y', NUMBER],
  ['xunits', /^[a-zA-Z]{1,20}$/],
  ['yunits', /^[a-zA-Z]{1,20}$/],
  ['maxLines', /^\d{1,9}$/],
]);

/** Returns whether an attribute is written unchanged. */
export const isMapAttribute = (name: string, value: string): boolean => ATTRIBUTES.get(name)?.test(value) === true;

/** Returns whether it names a style of the same file. */
export const isLocalStyle = (address: string): boolean => /^\s*#[^\p{Cc}<>]{1,200}\s*$/u.test(address);
