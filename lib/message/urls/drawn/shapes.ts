/**
 * Draws the shapes with which programs write codes as SVG: rectangles, and paths of level and upright lines, filled or as strokes. It is no
 * renderer. A renderer of hostile drawings can be kept busy for minutes.
 */
import { isDark } from './colours.ts';
import { LEAST_MODULES, type Squares } from './drawing.ts';
import type { Attributes } from './element-walk.ts';
import { type Corner, outlinesOf, tokensOf } from './path.ts';

/** Rectangles of one page that are drawn, and the side of the drawing in squares. A code has at most 177 modules in a row. */
const MAX_BOXES = 100_000;
const SIDE = 720;
/** Squares that are painted, with repetitions. Boxes over each other could keep the machine busy. */
const MAX_PAINTED = 20_000_000;
/** Commands and numbers of all paths of one page. The largest code has some ten thousand. */
const MAX_TOKENS = 200_000;

type Ink = 'dark' | 'light';
interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  /** `flips`: the outlines of one path, in which one within another is a hole. */
  readonly ink: Ink | 'flips';
}

interface Frame {
  readonly name: string;
  readonly scale: number;
  readonly x: number;
  readonly y: number;
  readonly fill: string | null;
}
const OUTSIDE: Frame = { name: '', scale: 1, x: 0, y: 0, fill: null };

/** Collects the shapes of the drawings of a page. */
export class Shapes {
  private readonly drawn: Box[][] = [];
  private boxes: Box[] = [];
  private readonly named = new Map<string, Attributes>();
  private readonly frames: Frame[] = [];
  private count = 0;
  private tokens = 0;

  /** Handles the start of any element. */
  open(tag: string, attributes: Attributes): void {
    const name = tag.slice(tag.indexOf(':') + 1);
    if (this.frames.length === 0 && name !== 'svg') return;
    const parent = this.frames.at(-1) ?? OUTSIDE;
    const fill = fillOf(attributes) ?? parent.fill;
    this.frames.push({ name: tag, ...moved(attributes.transform ?? '', parent), fill });
    if (attributes.id !== undefined && this.named.size < MAX_BOXES) this.named.set(attributes.id, attributes);
    if (name === 'use') this.use(attributes, fill);
    else for (const box of this.boxesOf(name, attributes, fill)) this.add(box, 0, 0);
  }

  /** Handles the end of any element. */
  close(tag: string): void {
    if (this.frames.at(-1)?.name !== tag) return;
    this.frames.pop();
    if (this.frames.length > 0) return;
    this.drawn.push(this.boxes);
    this.boxes = [];
  }

  /** Returns the drawings that have as many shapes as a code, and null for each that is not drawn to its end. */
  *drawings(): Generator<Squares | null> {
    for (const boxes of [...this.drawn, this.boxes]) if (boxes.length >= LEAST_MODULES) yield rasterOf(boxes);
    if (this.count > MAX_BOXES || this.tokens >= MAX_TOKENS) yield null;
  }

  /** Draws a shape that has a name once more, at another place. */
  private use(attributes: Attributes, fill: string | null): void {
    const shape = this.named.get((attributes.href ?? attributes['xlink:href'] ?? '').slice(1));
    if (shape === undefined) return;
    const name = shape.d === undefined ? 'rect' : 'path';
    for (const box of this.boxesOf(name, shape, fillOf(shape) ?? fill))
      this.add(box, numberOf(attributes.x), numberOf(attributes.y));
  }

  private boxesOf(name: string, attributes: Attributes, fill: string | null): readonly Box[] {
    const ink = fill === null || isDark(fill) ? 'dark' : 'light';
    const { x, y, width, height, cx, cy, r, d } = attributes;
    if (name === 'rect' && fill !== 'none') {
      const [left, top] = [numberOf(x), numberOf(y)];
      return [{ left, top, right: left + numberOf(width), bottom: top + numberOf(height), ink }];
    }
    if (name === 'circle' && fill !== 'none') {
      const [centreX, centreY, radius] = [numberOf(cx), numberOf(cy), numberOf(r)];
      return [
        { left: centreX - radius, top: centreY - radius, right: centreX + radius, bottom: centreY + radius, ink },
      ];
    }
    if (name !== 'path' || d === undefined) return [];
    const tokens = tokensOf(d, MAX_TOKENS - this.tokens);
    this.tokens += tokens.length;
    const filled = fill === 'none' ? 'light' : ink;
    return outlinesOf(tokens).flatMap((corners) => [...pathBoxes(corners, filled, strokeOf(attributes))]);
  }

  private add(box: Box, left: number, top: number): void {
    const { scale, x, y } = this.frames.at(-1) ?? OUTSIDE;
    if (++this.count > MAX_BOXES || [box.left, box.right, box.top, box.bottom].some((side) => Number.isNaN(side)))
      return;
    this.boxes.push({
      left: (box.left + left) * scale + x,
      right: (box.right + left) * scale + x,
      top: (box.top + top) * scale + y,
      bottom: (box.bottom + top) * scale + y,
      ink: box.ink,
    });
  }
}

const numberOf = (text: string | undefined) => (text?.endsWith('%') ? Number.NaN : Number.parseFloat(text ?? '0') || 0);

const fillOf = ({ fill, style = '' }: Attributes): string | null =>
  /(?:^|;)\s*fill\s*:\s*([^;]+)/i.exec(style)?.[1]?.trim() ?? fill ?? null;

interface Stroke {
  readonly ink: Ink;
  readonly width: number;
}

function strokeOf({ style = '', stroke, 'stroke-width': width }: Attributes): Stroke | null {
  const colour = /(?:^|;)\s*stroke\s*:\s*([^;]+)/i.exec(style)?.[1] ?? stroke;
  if (colour === undefined || colour === 'none') return null;
  return {
    ink: isDark(colour) ? 'dark' : 'light',
    width: numberOf(/stroke-width\s*:\s*([\d.]+)/i.exec(style)?.[1] ?? width) || 1,
  };
}

function moved(transform: string, { scale, x, y }: Frame): Pick<Frame, 'scale' | 'x' | 'y'> {
  let now = { scale, x, y };
  for (const [, kind, list = ''] of transform.matchAll(/(translate|scale)\(([^)]{0,100})\)/gi)) {
    const [first = 0, second = 0] = list.split(/[\s,]+/).map(numberOf);
    if (kind?.toLowerCase() === 'scale') now = { ...now, scale: now.scale * first };
    else now = { ...now, x: now.x + first * now.scale, y: now.y + second * now.scale };
  }
  return now;
}

const least = (list: readonly number[]) => list.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY);
const most = (list: readonly number[]) => list.reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY);

/** Cuts the part of a path into rows, by its even-odd inside. A level line is drawn as wide as its stroke. */
function* pathBoxes(corners: readonly Corner[], fill: Ink, stroke: Stroke | null): Generator<Box> {
  const levels = [...new Set(corners.map(([, y]) => y))].sort((one, other) => one - other);
  if (levels.length === 1 && stroke !== null) {
    const [xs, half, y = 0] = [corners.map(([x]) => x), stroke.width / 2, levels[0]];
    yield { left: least(xs), right: most(xs), top: y - half, bottom: y + half, ink: stroke.ink };
  }
  if (levels.length > SIDE) return;
  const ink = fill === 'dark' ? 'flips' : fill;
  for (let row = 0; row + 1 < levels.length; row++) {
    const [top = 0, bottom = 0] = [levels[row], levels[row + 1]];
    const crossings = crossingsOf(corners, (top + bottom) / 2);
    for (let pair = 0; pair + 1 < crossings.length; pair += 2)
      yield { left: crossings[pair] ?? 0, right: crossings[pair + 1] ?? 0, top, bottom, ink };
  }
}

function crossingsOf(corners: readonly Corner[], level: number): number[] {
  const crossings: number[] = [];
  for (const [at, [x, y]] of corners.entries()) {
    const [, next] = corners[(at + 1) % corners.length] ?? [0, 0];
    if (y < level !== next < level) crossings.push(x);
  }
  return crossings.sort((one, other) => one - other);
}

function rasterOf(boxes: readonly Box[]): Squares | null {
  const [left, right] = [least(boxes.map((box) => box.left)), most(boxes.map((box) => box.right))];
  const [top, bottom] = [least(boxes.map((box) => box.top)), most(boxes.map((box) => box.bottom))];
  const scale = SIDE / Math.max(right - left, bottom - top);
  if (!Number.isFinite(scale) || scale <= 0) return [];
  const rows = Array.from({ length: Math.ceil((bottom - top) * scale) }, () => new Uint8Array(SIDE));
  let painted = 0;
  for (const box of boxes) {
    const [from, to] = [Math.round((box.left - left) * scale), Math.round((box.right - left) * scale)];
    const [first, end] = [Math.round((box.top - top) * scale), Math.round((box.bottom - top) * scale)];
    painted += (to - from) * (end - first);
    if (painted > MAX_PAINTED) return null;
    for (const row of rows.slice(first, end)) paint(row, from, to, box.ink);
  }
  return rows;
}

function paint(row: Uint8Array, from: number, to: number, ink: Box['ink']): void {
  if (ink !== 'flips') row.fill(ink === 'dark' ? 1 : 0, from, to);
  else for (let x = from; x < to; x++) row[x] = 1 - (row[x] ?? 0);
}
