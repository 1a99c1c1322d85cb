/**
 * Disarm of SVG. The drawing is always written anew from allow-lists. Shapes, text, gradients, clips, masks and filters with references
 * within the drawing stay. Pictures in it are disarmed as pictures.
 */
import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import { EngineError, type EngineLimits, type FileInput, type Removal } from '../../engine.ts';
import { type Disarmed, type Nested, writtenAnew } from '../disarm-module.ts';
import { type RemovalLog, removalLog } from '../removals.ts';
import { isSafeLink } from '../safe-links.ts';
import {
  isLocalReference,
  isSafeDeclaration,
  isSafeValue,
  rasterOfDataUri,
  SVG_ATTRIBUTES,
  SVG_DROPPED,
  SVG_ELEMENTS,
} from './rules.ts';
import { type StyleOf, styleSheetOf } from './style.ts';
import { parseSvg, type SvgAttribute, type SvgElement, type SvgNode, serializeSvg } from './tree.ts';

/**
 * Rebuilds a drawing. `already_safe` when the output equals the input byte for byte. Throws EngineError `unreadable` when it is not
 * well-formed XML in UTF-8 or UTF-16, `oversize` when it breaks a limit or uses itself to grow endlessly.
 */
export async function disarm(
  input: FileInput,
  type: DetectedType,
  limits: EngineLimits,
  nested: Nested,
): Promise<Disarmed> {
  const { bytes, removals } = await rebuildDrawing(input.bytes, limits, async (raster) => {
    nested.spend(0, raster.length);
    const picture = await nested.disarm({ bytes: raster, untrustedName: 'picture', password: null });
    if (picture.outcome === 'refused') return null;
    return { bytes: picture.bytes, type: picture.type.type, details: picture.details };
  });
  return writtenAnew(input, bytes, type, removals);
}

/** A raster picture of a drawing, made safe. */
export interface DrawingPicture {
  readonly bytes: Uint8Array;
  /** MIME type. */
  readonly type: string;
  readonly details: readonly Pick<Removal, 'kind' | 'action'>[];
}

/** Makes the raster pictures of a drawing safe; null for one that cannot be made safe. */
export type DisarmRaster = (raster: Uint8Array) => Promise<DrawingPicture | null>;

/** Writes a drawing anew, on its own or as a part of a document. Throws like `disarm`. */
export async function rebuildDrawing(
  untrustedBytes: Uint8Array,
  limits: EngineLimits,
  disarmRaster: DisarmRaster,
): Promise<{ readonly bytes: Uint8Array; readonly removals: readonly Removal[] }> {
  const { root, hasDoctype, hasInstructions } = parseSvg(untrustedBytes, limits);
  if (root.name !== 'svg') throw new EngineError('unreadable', 'the file holds no drawing');
  const log = removalLog();
  if (hasDoctype) log.note('document type declaration', 'svg');
  if (hasInstructions) log.note('processing instruction', 'svg');
  const rebuilt = await rebuild(root, { log, disarmRaster, styleOf: styleSheetOf(root) });
  checkUses(rebuilt);
  return { bytes: Buffer.from(serializeSvg(rebuilt), 'utf8'), removals: log.removals };
}

interface Work {
  readonly log: RemovalLog;
  readonly disarmRaster: DisarmRaster;
  readonly styleOf: StyleOf;
}

async function rebuild(element: SvgElement, work: Work): Promise<SvgElement> {
  const attributes: SvgAttribute[] = [];
  for (const attribute of styled(element, work.styleOf)) {
    const isReference = attribute.name === 'href' || attribute.name === 'xlink:href';
    const kept = isReference
      ? await keptReference(element.name, attribute, work)
      : keptAttribute(element.name, attribute, work.log);
    if (kept !== null) attributes.push(kept);
  }
  const children: SvgNode[] = [];
  for (const child of element.children) children.push(...(await rebuildNode(child, work)));
  return { name: element.name, isSvg: true, attributes, children };
}

async function rebuildNode(node: SvgNode, work: Work): Promise<SvgNode[]> {
  if (typeof node === 'string') return [node];
  const dropped = SVG_DROPPED.get(node.name.toLowerCase());
  if (dropped !== undefined) {
    // The colours and lines of the style sheet are now written with the shapes.
    work.log.note(dropped, node.name, dropped === 'style sheet' ? 'sanitized' : 'removed');
    return [];
  }
  if (!node.isSvg || !SVG_ELEMENTS.has(node.name)) {
    // Editors keep their own notes in their own namespaces. Their drawings are in the namespace of SVG.
    work.log.note(node.isSvg ? 'unknown element' : 'foreign markup', node.name);
    return [];
  }
  return [await rebuild(node, work)];
}

/** Returns the attributes of an element. Declarations of style sheets come before its own style, which outweighs them. */
function styled(element: SvgElement, styleOf: StyleOf): readonly SvgAttribute[] {
  const fromSheets = styleOf(element);
  if (fromSheets === '') return element.attributes;
  const own = attributeValue(element, 'style');
  const value = own === null ? fromSheets : `${fromSheets};${own}`;
  return [...element.attributes.filter(({ name }) => name !== 'style'), { name: 'style', value }];
}

function keptAttribute(owner: string, attribute: SvgAttribute, log: RemovalLog): SvgAttribute | null {
  const { name, value } = attribute;
  if (name === 'style') return keptStyle(owner, value, log);
  if (name === 'xml:space') return /^(?:default|preserve)$/.test(value) ? attribute : null;
  if (/^on/i.test(name)) {
    log.note('event handler', `${owner} ${name}`);
    return null;
  }
  // Attributes of editors are not content, so their loss is not reported.
  if (!SVG_ATTRIBUTES.has(name)) return null;
  if (isSafeValue(value)) return attribute;
  log.note('external reference', `${owner} ${name}`);
  return null;
}

async function keptReference(owner: string, { value }: SvgAttribute, work: Work): Promise<SvgAttribute | null> {
  const name = 'xlink:href';
  if (isLocalReference(value)) return { name, value: value.trim() };
  if (owner === 'a' && isSafeLink(value)) return { name, value: value.trim() };
  const raster = owner === 'image' || owner === 'feImage' ? rasterOfDataUri(value) : null;
  if (raster === null) {
    work.log.note(owner === 'a' ? 'unsafe link' : 'external reference', owner);
    return null;
  }
  const picture = await work.disarmRaster(raster);
  if (picture === null || !/^image\/(?:png|jpeg|gif|webp)$/.test(picture.type)) {
    work.log.note('picture that cannot be made safe', owner);
    return null;
  }
  for (const { kind, action } of picture.details) work.log.note(kind, owner, action);
  return { name, value: `data:${picture.type};base64,${Buffer.from(picture.bytes).toString('base64')}` };
}

function keptStyle(owner: string, value: string, log: RemovalLog): SvgAttribute | null {
  const kept = new Map<string, string>();
  for (const declaration of value.split(';')) {
    const [, property = '', content = ''] = /^\s*([\w-]+)\s*:([\s\S]*)$/.exec(declaration) ?? [];
    const isSafe = isSafeDeclaration(property.toLowerCase(), content);
    // The later of two declarations counts.
    if (isSafe) kept.set(property.toLowerCase(), `${property.toLowerCase()}:${content.trim()}`);
    else if (!isSafeValue(declaration)) log.note('external reference', `${owner} style`);
  }
  return kept.size === 0 ? null : { name: 'style', value: [...kept.values()].join(';') };
}

/** Instances that `use` elements may unfold into: ten levels of ten uses each draw ten billion shapes out of a kilobyte. */
const MAX_INSTANCES = 100_000;

/** Checks the uses. Throws EngineError `oversize` when drawing them would take forever. */
function checkUses(root: SvgElement): void {
  const byId = new Map<string, SvgElement>();
  const index = (element: SvgElement) => {
    const id = attributeValue(element, 'id');
    if (id !== null) byId.set(id, element);
    for (const child of element.children) if (typeof child !== 'string') index(child);
  };
  index(root);
  const known = new Map<SvgElement, number>();
  const open = new Set<SvgElement>();
  const count = (element: SvgElement): number => {
    const before = known.get(element);
    if (before !== undefined) return before;
    // Renderers ignore a use of itself.
    if (open.has(element)) return 0;
    open.add(element);
    let total = 1;
    for (const child of element.children) if (typeof child !== 'string') total += count(child);
    const target =
      element.name === 'use' ? byId.get((attributeValue(element, 'xlink:href') ?? '').slice(1)) : undefined;
    if (target !== undefined) total += count(target);
    open.delete(element);
    known.set(element, total);
    if (element.name === 'use' && total > MAX_INSTANCES) {
      throw new EngineError('oversize', 'the drawing repeats itself without end');
    }
    return total;
  };
  count(root);
}

function attributeValue(element: SvgElement, name: string): string | null {
  return element.attributes.find((attribute) => attribute.name === name)?.value ?? null;
}
