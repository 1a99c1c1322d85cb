/**
 * Finds the elements, attributes, styles and declarations of a body that are on no closed list of harmless things. A body may not keep
 * them, because some programs give them a meaning that browsers do not give. For example, Word treats a body as a document with fields and
 * objects.
 */

import { oneOf } from '../../../formats/patterns.ts';
import { HELD_BACKGROUND, HELD_DIGEST, HELD_SOURCE } from '../../../formats/pictures/held-picture.ts';
import { isListedLink, isListedPicture, isPlaceInPage, isRasterData, isWebAddress } from './links.ts';
import {
  LINK_RELATIONS,
  META_FIELDS,
  META_NAMES,
  OFFICE_SETTINGS,
  PLAIN_ATTRIBUTES,
  PLAIN_ELEMENTS,
  PLAIN_FAMILIES,
  SMART_TAGS,
  VML_SHAPES,
  WORD_PARTS,
  WORD_PROGRAM,
  WORD_RELATIONS,
} from './listed-names.ts';
import { isListedSheet, isListedStyle } from './listed-style.ts';
import { ALLOWED_ELEMENTS } from './rules.ts';
import type { HtmlElement } from './tree.ts';
import { isWholeStyle } from './written-style.ts';

/** Kinds of things outside the lists of harmless things. None of these words is a kind of passive content. */
export const UNLISTED = {
  element: 'unknown element',
  attribute: 'unknown attribute',
  style: 'unknown style',
  field: 'field code',
  metadata: 'unknown metadata',
  linkedFile: 'unknown linked file',
  comment: 'unknown comment',
  declaration: 'unknown declaration',
  link: 'incomplete link',
  unclosed: 'unclosed tag',
} as const;

/** Returns the kind of an element that no list names, or whose content no list allows; null for a listed one. */
export function unlistedElement(element: HtmlElement): string | null {
  const name = element.tagName.toLowerCase();
  if (name === 'meta') return isListedMeta(element) ? null : UNLISTED.metadata;
  if (name === 'link') return isListedRelation(element) ? null : UNLISTED.linkedFile;
  if (name === 'style') return unlistedStyle(textOf(element), isListedSheet);
  return ALLOWED_ELEMENTS.has(name) || PLAIN_ELEMENTS.has(name) || isOfficeElement(name) ? null : UNLISTED.element;
}

function isOfficeElement(name: string): boolean {
  const [, prefix = '', local = ''] = /^(o|w|w10|m|v|st1|u1):(.*)$/.exec(name) ?? [];
  if (prefix === 'v') return VML_SHAPES.has(local);
  if (prefix === 'st1') return SMART_TAGS.has(local);
  return prefix !== '' && OFFICE_SETTINGS.has(local);
}

/** Returns the text of a style sheet, or of another element without markup. */
export function textOf(element: HtmlElement): string {
  return element.childNodes.map((child) => ('value' in child ? child.value : '')).join('');
}

const attributeOf = ({ attrs }: HtmlElement, wanted: string) =>
  attrs.find(({ name }) => name === wanted)?.value.trim() ?? '';

function isListedMeta(element: HtmlElement): boolean {
  const [field, name, property, content] = ['http-equiv', 'name', 'property', 'content'].map((wanted) =>
    attributeOf(element, wanted),
  ) as [string, string, string, string];
  if (name.toLowerCase() === 'progid') return WORD_PROGRAM.test(content);
  return [
    field === '' || META_FIELDS.test(field),
    ...[name, property].map((said) => said === '' || META_NAMES.test(said)),
  ].every(Boolean);
}

function isListedRelation(element: HtmlElement): boolean {
  const [rel, href] = ['rel', 'href'].map((wanted) => attributeOf(element, wanted)) as [string, string];
  if (WORD_RELATIONS.test(rel)) return WORD_PARTS.test(href);
  return LINK_RELATIONS.test(rel) && isWebAddress(href);
}

/** The start of a tag. A program that misreads the quotes would find a tag in a value. */
const MARKUP = /<[a-z!/?]/i;
/** Values that an unknown attribute may have: numbers, colours and words of layout. No place, object or command looks like this. */
const LAYOUT_VALUE = new RegExp(
  String.raw`^\s*${oneOf(String.raw`
    #?[0-9a-f]{0,8} -?[\d.]+(?:px|pt|em|rem|%)?
    left right center centre middle top bottom baseline justify none auto true false yes no t f on off
    normal bold solid inherit all both transparent white black
  `)}\s*;?\s*$`,
  'i',
);
const NAMESPACE = /^\s*(?:urn:schemas-microsoft-com[\w:.-]{0,80}|https?:\/\/[\w./#-]{1,200}|)\s*$/i;
const NAME = /^(?:[a-z_][\w:.-]{0,60}|["'])$/i;

/**
 * Returns the kind of an attribute that no list names, or whose value no list allows; null for one that is listed. Takes the name in lower
 * case.
 */
export function unlistedAttribute(element: HtmlElement, name: string, value: string): string | null {
  if (MARKUP.test(value)) return UNLISTED.attribute;
  if (name === 'style') return isWholeStyle(value) ? null : unlistedStyle(value, isListedStyle);
  const judge = JUDGED[name];
  if (judge !== undefined) return judge(value, element.tagName.toLowerCase());
  if (name === 'xmlns' || name.startsWith('xmlns:')) return NAMESPACE.test(value) ? null : UNLISTED.attribute;
  if (PLAIN_ATTRIBUTES.has(name) || PLAIN_FAMILIES.test(name)) return null;
  return NAME.test(name) && LAYOUT_VALUE.test(value) ? null : UNLISTED.attribute;
}

function unlistedStyle(css: string, isListed: (css: string) => boolean): string | null {
  if (isListed(css)) return null;
  return /mso-(?:element\s*:\s*field|field)/i.test(css) ? UNLISTED.field : UNLISTED.style;
}

type Judge = (value: string, tag: string) => string | null;

const known =
  (isListed: (value: string) => boolean, kind: string = UNLISTED.attribute): Judge =>
  (value) =>
    value.trim() === '' || isListed(value) ? null : kind;
const isPictureSet = (value: string) =>
  value.split(/,\s+|,$/).every((one) => {
    const [url = ''] = one.trim().split(/\s+/);
    return url === '' || isWebAddress(url) || isRasterData(url) || /^cid:[^\s\\]*$/i.test(url);
  });
const isPictureElement = (tag: string) => /^(?:img|image|v:(?:imagedata|image|fill|stroke))$/.test(tag);
const onPicture =
  (judge: Judge): Judge =>
  (value, tag) =>
    isPictureElement(tag) ? judge(value, tag) : UNLISTED.attribute;
const picture = known(isListedPicture, UNLISTED.link);
const pictureSet = known(isPictureSet, UNLISTED.link);
const reference = known((value) => isWebAddress(value) || /^\s*(?:mid|cid):[^\s<>"\\]*$/i.test(value));
/** Judges of the attributes that may stay or go by their value. */
const JUDGED: Readonly<Record<string, Judge>> = {
  href: (value, tag) => {
    // The address of a link element was judged together with its relation.
    if (tag === 'link') return null;
    if (!/^(?:a|area|v:[a-z]+)$/.test(tag)) return UNLISTED.attribute;
    return isListedLink(value) ? null : UNLISTED.link;
  },
  src: onPicture(picture),
  [HELD_SOURCE]: known((value) => HELD_DIGEST.test(value)),
  [HELD_BACKGROUND]: known((value) => HELD_DIGEST.test(value)),
  lowsrc: onPicture(picture),
  dynsrc: onPicture(picture),
  srcset: onPicture(pictureSet),
  background: picture,
  cite: reference,
  longdesc: reference,
  originalsrc: reference,
  itemtype: reference,
  itemid: reference,
  profile: reference,
  usemap: known(isPlaceInPage),
  // Cells that were copied from a workbook have these attributes. The shown value of a cell may stay, and its formula may not.
  'x:num': known((value) => /^[\d.,eE+-]*$/.test(value)),
  'x:str': known((value) => /^[\p{L}\p{N}\s.,:;()%/'-]*$/u.test(value)),
  // A list of numbers, which the shapes of Word have.
  data: known((value) => /^[\d,\s]*$/.test(value)),
};
