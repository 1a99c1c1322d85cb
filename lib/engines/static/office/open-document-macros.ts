/**
 * The macros of an OpenDocument file in LibreOffice Basic. A package has a part for each module, and a flat document has all modules in its
 * one part. Buttons, links and tools name a macro, and run it on a click.
 */
import { decodeMarked } from '../../../formats/charsets/text-encoding.ts';
import { type Piece, VBA_SOURCE, type View } from '../findings/module.ts';
import { arePlainMacros } from './plain/plain-macro.ts';
import { unescapeXml } from './xml-escapes.ts';

/** `none`: nothing in the document can run. `plain`: all macros were read, and none could reach out of the document. */
export type MacroState = 'none' | 'plain' | 'any';

/** A module of Basic: its text, and no element and no other beside it. */
const MODULE = new RegExp(
  [
    /^[^<]{0,9}(?:<\?xml[^<>]{0,200}>\s*)?(?:<!DOCTYPE[^<>]{0,300}>\s*)?/,
    /<script:module\s[^<>]{1,600}>([^<]*)<\/script:module>\s*$/,
  ]
    .map(({ source }) => source)
    .join(''),
);
const INDEX_NAME = /(?:^|\/)script-l[bc]\.xml$/i;
/** The list of libraries, or of the modules of one: no other element. */
const ELEMENTS_OF_INDEX = /^(?:[^<]|<\/?library:|<[?!][^<>]{0,300}>)*$/;

/** Running text: no element, as modules have, and no compiled code. */
const TEXT_ONLY = /^[\t\n\r\x20-\x3b\x3d-\x7e]*$/;

/** Returns whether a part is a macro, in any language. Lists of libraries are none, and neither are notes beside the modules. */
export function isMacro({ where, bytes }: View): boolean {
  if (!/^(?:Basic|Scripts)\//i.test(where) || INDEX_NAME.test(where)) return false;
  if (/^Basic\/.*\.txt$/i.test(where) && TEXT_ONLY.test(Buffer.from(bytes).toString('latin1'))) return false;
  return !/^Basic\/script\.xml$/i.test(where) || !ELEMENTS_OF_INDEX.test(decodeMarked(bytes));
}

/** Judges the macros of a package. No code here reads scripts of other languages. */
export function macrosOfPackage(parts: readonly View[]): MacroState {
  const macros = parts.filter(isMacro);
  if (macros.length === 0) return 'none';
  const sources = macros.flatMap(({ where, bytes }) => {
    const source = /^Basic\//i.test(where) ? MODULE.exec(decodeMarked(bytes))?.[1] : undefined;
    return source === undefined ? [] : unescapeXml(source);
  });
  return sources.length === macros.length && arePlainMacros(sources) ? 'plain' : 'any';
}

/** Returns the source of a macro as a file of its own. */
export function macroPiece({ where, bytes }: View): Piece {
  return pieceOfSource(where, unescapeXml(decodeMarked(bytes)));
}

function pieceOfSource(where: string, source: string): Piece {
  return {
    where,
    bytes: Buffer.from(source),
    kind: 'deobfuscated_code',
    untrustedName: 'module.bas',
    type: VBA_SOURCE,
    scope: 'code',
  };
}

const NAMED = /\sooo:name="\w{1,60}"(?:\sooo:readonly="(?:true|false)")?/.source;
const FLAT_MODULE = `<ooo:module${NAMED}>\\s{0,99}<ooo:source-code>[^<]*</ooo:source-code>\\s{0,99}</ooo:module>\\s{0,99}`;
/** Libraries as LibreOffice writes them into its one part, each with so many modules. */
function librariesWith(modules: string): RegExp {
  const library = `<ooo:library-embedded${NAMED}(?:\\s?/>|>\\s{0,99}(?:${FLAT_MODULE})${modules}</ooo:library-embedded>)\\s{0,99}`;
  const libraries = `<ooo:libraries(?:\\sxmlns:\\w{1,20}="[^"<>]{1,200}"){0,9}(?:\\s?/>|>\\s{0,99}(?:${library}){0,99}</ooo:libraries>)`;
  return new RegExp(`<office:script script:language="ooo:Basic">\\s{0,99}${libraries}\\s{0,99}</office:script>`, 'g');
}
const FLAT_LIBRARIES = librariesWith('{0,99}');
/** LibreOffice writes an empty library, or an empty list of libraries, into every flat document. */
const EMPTY_LIBRARIES = librariesWith('{0}');
const FLAT_SOURCE = /<ooo:source-code>([^<]*)</g;

const sourcesIn = (text: string) => [...text.matchAll(FLAT_SOURCE)].map(([, source = '']) => unescapeXml(source));

/** Judges the macros of a flat document, as `plainXml` spells it. */
export function macrosOfFlat(text: string): MacroState {
  if (/<office:script[\s>]/.test(text.replace(FLAT_LIBRARIES, ''))) return 'any';
  const sources = sourcesIn(text);
  if (sources.length === 0) return 'none';
  return arePlainMacros(sources) ? 'plain' : 'any';
}

/** Returns the source of each macro of a flat document. */
export const flatPieces = (text: string): Piece[] =>
  sourcesIn(text).map((source, index) => pieceOfSource(`module ${index + 1}`, source));

const OWN_MACRO = /vnd\.sun\.star\.script:[\w.]{1,200}\?language=Basic&amp;location=document/.source;
const CLICKS =
  'script:event-name="(?:form:(?:performaction|itemstatechange|textchange)|dom:(?:click|mousedown|mouseup|change))"';
/**
 * A button of a form or a picture that starts a macro of this document on a click, in the two ways in which programs write it. Events of the
 * document itself start it without one.
 */
const CLICK = new RegExp(
  `<script:event-listener(?:(?:\\s(?:${[
    'script:language="ooo:script"',
    'xlink:type="simple"',
    CLICKS,
    `xlink:href="${OWN_MACRO}"`,
  ].join('|')})){4}|(?:\\s(?:${[
    'script:language="ooo:StarBasic"',
    CLICKS,
    'script:macro-name="(?:document:)?[\\w.]{1,200}"',
  ].join('|')})){3})\\s?/>`,
  'g',
);
/** A link, or an item of a menu or of a bar with tools, that does the same. */
const CLICKED_ADDRESS = new RegExp(
  `(<(?:text:a|draw:a|toolbar:toolbaritem|menu:menuitem)\\s[^<>]{0,600}?)xlink:href="${OWN_MACRO}"`,
  'g',
);
/** A formula of a cell that is such a link. */
const CLICKED_CELL = new RegExp(`(\\bHYPERLINK\\(&quot;)${OWN_MACRO}(?=&quot;)`, 'g');

/** Returns the text of a part without what starts a macro of this document on a click. */
export function withoutClicks(text: string): string {
  return text.replace(CLICK, '').replace(CLICKED_ADDRESS, '$1').replace(CLICKED_CELL, '$1');
}

/** Returns the text of a part without libraries of Basic: those of a flat document, or else empty ones. */
export function withoutLibraries(text: string, isFlat: boolean): string {
  return text.replace(isFlat ? FLAT_LIBRARIES : EMPTY_LIBRARIES, '');
}
