/**
 * Addresses in the XML of a part itself, and not in a relationship: content that Office loads when it opens the part, and links of shapes.
 */
import { anyOf, oneOf } from '../../../formats/patterns.ts';
import type { Finding } from '../../engine.ts';
import { finding } from '../findings/findings.ts';
import { judgeClicked, judgeLoaded } from '../findings/link-target.ts';
import { findingsOfTargets, type JudgedTarget } from '../findings/target-findings.ts';
import { unescapeXml } from './xml-escapes.ts';

/**
 * The elements of VML, in which every picture, fill and line can name the file that it shows (`src`, `o:href`, `o:althref`), and those that
 * Office adds to it.
 */
const VML = /<(v:\w+|\w+:(?:left|top|right|bottom|column|fill))(\s[^<>]*(?:src|href)\s*=[^<>]*)>/g;
const ADDRESS = /\s(?:\w+:)?(?:src|href|althref)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
/** Shapes, whose address is followed on a click. */
const SHAPE = /^v:(?:shape|shapetype|group|rect|roundrect|oval|line|polyline|curve|arc|image|diagram)$/;
const LOADED_BY_SHAPE = /\s(?:\w+:)?(?:src|althref)\s*=/;

/** The base of all relative links of a document. */
const LINK_BASE = /<(?:\w+:)?HyperlinkBase\b[^<>]*>([^<]*)</;
/** A property by which Office loads a program, and the place from which Word loads a smart document. */
const LOADS_CODE = /\sname\s*=\s*["']_Assembly(?:Location|Name)["']|\s(?:\w+:)?manifestLocation\s*=\s*["'][^"']/;
/** The page that shows a film of the web. Word loads it in a browser of its own. */
const FILM_PAGE = /\sembeddedHtml\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
/** As Word writes it: one frame with a page of the web, and nothing else. */
const ORDINARY_FILM = /^\s*<iframe\s(?:(?!on|srcdoc)[\w-]+(?:="[^"]*")?\s?)*><\/iframe>\s*$/i;
const SOURCE = /\ssrc="([^"]*)"/i;

/** References by which a picture, a template or another file is loaded. A link is named by "id" in an element for links. */
const LOADING_ELEMENT = oneOf(`
  imagedata fill stroke attachedTemplate altChunk subDoc sourceFileName externalData movie snd OLEObject oleObj control picture legacyDrawing saveThroughXslt
`);
const LOADING = anyOf(
  [
    /\s\w+:(?:link|embed|href|pict|relid)\s*=\s*["']([^"']*)["']/,
    new RegExp(`<(?:\\w+:)?${LOADING_ELEMENT}\\b[^<>]*?\\s\\w+:id\\s*=\\s*["']([^"']*)["']`),
  ],
  'g',
);

/** Judges the text of one part, as `plainXml` spells it. `links`: the ids that the part has for links to elsewhere. */
export function judgeLoads(name: string, text: string, links: ReadonlySet<string>): Finding[] {
  const found: JudgedTarget[] = [...addressesOfShapes(text), ...pagesOfFilms(text)];
  const base = text.includes('HyperlinkBase') ? LINK_BASE.exec(text)?.[1] : undefined;
  if (base !== undefined) found.push([judgeClicked(unescapeXml(base)), base]);
  const loadsCode = /_Assembly|manifestLocation/.test(text) && LOADS_CODE.test(text);
  const loadsLink =
    links.size > 0 && [...text.matchAll(LOADING)].some(([, one, other]) => links.has(one ?? other ?? ''));
  if (loadsLink) found.push(['office-external-content', 'a link that is loaded']);
  return [...findingsOfTargets(found, name), ...(loadsCode ? [finding('office-add-in', name)] : [])];
}

function addressesOfShapes(text: string): JudgedTarget[] {
  if (!/<v:/.test(text)) return [];
  return [...text.matchAll(VML)].flatMap(([, element = '', attributes = '']) =>
    Array.from(attributes.matchAll(ADDRESS), ([attribute, one, other]): JudgedTarget => {
      const address = unescapeXml(one ?? other ?? '');
      const isClicked = SHAPE.test(element) && !LOADED_BY_SHAPE.test(attribute);
      return [isClicked ? judgeClicked(address) : judgeLoaded(address), address];
    }),
  );
}

function pagesOfFilms(text: string): JudgedTarget[] {
  if (!text.includes('embeddedHtml')) return [];
  return Array.from(text.matchAll(FILM_PAGE), ([, one, other]): JudgedTarget => {
    const page = unescapeXml(one ?? other ?? '');
    const source = SOURCE.exec(page)?.[1] ?? '';
    const isOrdinary = ORDINARY_FILM.test(page) && /^https:\/\//.test(source);
    return [isOrdinary ? 'html-active-element' : 'office-external-content', page];
  });
}
