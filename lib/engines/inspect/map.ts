/** Inspects maps: KML, and KMZ, which is a zip of a KML file and its pictures. */

import { type Findings, namesOf, type Units } from './fact.ts';
import { type ClosedForms, searchClosed } from './office/closed-xml.ts';
import { inspectPicture } from './picture/picture.ts';
import { tallyText, type WordTally, withoutEntities } from './word-tally.ts';
import { xmlPlan } from './xml/plan.ts';
import { scanXml } from './xml/scan.ts';
import { type InflateBudget, layoutFaults, openZip, readMember, type ZipArchive } from './zip-scan.ts';

const SHOWN = 'name description snippet address phonenumber displayname value simpledata';
/** Elements that must be removed completely. Nothing in them is counted. */
const GONE = 'NetworkLink NetworkLinkControl Link Url Model PhotoOverlay Tour Update text author link';
/** Content of a page besides words. */
const CODE = /<!--[\s\S]*?-->|<(script|style|noscript|iframe|object|svg)\b[\s\S]*?<\/\1\s*>/gi;
const PLAN = xmlPlan({ watched: 'placemark', texts: SHOWN, skipped: GONE });

/** No tag, comment or instruction, as a page reads them. */
const PLAIN = /^(?![\s\S]*<[a-z!/?])/i;
const NUMBERS = /^[\s\d.,+\-eE]*$/;
/** Looks and switches: a word, a number or a colour. */
const SHORT = /^\s*[\w#.+-]{0,60}\s*$/;
const TIME = /^[\s\dT:.Z+-]{0,60}$/;
const ID = /^[^<>&]{0,500}$/;
const texts = (form: RegExp, list: string) => namesOf(list).map((name): [string, RegExp] => [name, form]);

const TEXTS: ReadonlyMap<string, RegExp> = new Map([
  ...texts(PLAIN, 'name description Snippet snippet address phoneNumber displayName value SimpleData gx:value'),
  ...texts(/^\s*#[^<>]{1,300}$/, 'styleUrl'),
  ...texts(/^files\/picture-\d{1,5}\.(?:png|jpe?g|gif)$/, 'href'),
  ...texts(NUMBERS, 'coordinates coord angles gx:coord gx:angles'),
  ...texts(TIME, 'when begin end'),
  ...texts(
    SHORT,
    `longitude latitude altitude heading tilt roll range scale width drawOrder north south east west rotation minAltitude
     maxAltitude minLodPixels maxLodPixels minFadeExtent maxFadeExtent maxSnippetLines color bgColor textColor gx:outerColor altitudeMode
     gx:altitudeMode seaFloorAltitudeMode colorMode key listItemType state displayMode visibility open extrude tessellate fill
     outline gx:interpolate interpolate gx:labelVisibility gx:balloonVisibility gx:altitudeOffset gx:drawOrder gx:horizFov
     gx:outerWidth gx:physicalWidth gx:x gx:y gx:w gx:h`,
  ),
]);
const HOLDERS = namesOf(`
  kml Document Folder Placemark GroundOverlay ScreenOverlay LookAt Camera Region LatLonAltBox LatLonBox gx:LatLonQuad Lod Point LineString
  LinearRing Polygon MultiGeometry outerBoundaryIs innerBoundaryIs gx:Track gx:MultiTrack Track MultiTrack Style StyleMap Pair IconStyle
  LabelStyle LineStyle PolyStyle BalloonStyle ListStyle ItemIcon Icon hotSpot overlayXY screenXY rotationXY size TimeStamp TimeSpan
  gx:TimeStamp gx:TimeSpan ExtendedData Data SchemaData Schema SimpleField
`);
const FORMS: ClosedForms = {
  elements: new Set([...HOLDERS, ...TEXTS.keys()]),
  attributes: new Map([
    ['xmlns', /^http:\/\/www\.opengis\.net\/kml\/2\.2$/],
    ['xmlns:gx', /^http:\/\/www\.google\.com\/kml\/ext\/2\.2$/],
    ['id', ID],
    ['name', ID],
    ['schemaUrl', /^#/],
    ...namesOf('type xunits yunits').map((name): [string, RegExp] => [name, /^[a-z]{1,20}$/i]),
    ...namesOf('x y maxLines').map((name): [string, RegExp] => [name, SHORT]),
  ]),
  texts: new Map([...TEXTS, ...texts(/^\s*$/, HOLDERS.join(' '))]),
};

/** Counts the words and the places of a map; with findings it also searches the map. */
export function readMap(bytes: Uint8Array, tally: WordTally, findings: Findings | null, where = 'map'): Units {
  let count = 0;
  scanXml(bytes, PLAN, {
    tally,
    element: () => {
      count += 1;
    },
    // Descriptions are pages. Their tags are not words.
    text: (_, text) => tallyText(tally, withoutEntities(text.replace(CODE, ' ').replace(/<[^>]*>/g, ' '))),
  });
  if (findings !== null) searchClosed(bytes, 'kml', FORMS, findings, where);
  return { kind: 'places', count };
}

/** Counts and searches a map with its pictures. Returns null when the file cannot be opened, or holds no map. */
export function readPackedMap(
  bytes: Uint8Array,
  tally: WordTally,
  budget: InflateBudget,
  findings: Findings | null,
): { readonly units: Units; readonly pictures: number } | null {
  const archive = openZip(bytes);
  const main = archive === null ? undefined : mainOf(archive, findings !== null);
  if (archive === null || main === undefined) {
    findings?.add('zip-unreadable', 'archive');
    return null;
  }
  const units = readMap(readMember(archive, main, budget), tally, findings, main.name);
  if (findings !== null) {
    for (const id of layoutFaults(archive)) findings.add(id, 'archive');
    for (const member of archive.members) {
      if (member === main) continue;
      if (!inspectPicture(readMember(archive, member, budget), findings, member.name))
        findings.add('map-foreign-part', member.name);
    }
  }
  return { units, pictures: 0 };
}

/** Checks that a result has its map under the one name for which every program looks. */
function mainOf({ members }: ZipArchive, isResult: boolean) {
  const named = members.find(({ name }) => name.toLowerCase() === 'doc.kml');
  return named ?? (isResult ? undefined : members.find(({ name }) => /^[^/]+\.kml$/i.test(name)));
}
