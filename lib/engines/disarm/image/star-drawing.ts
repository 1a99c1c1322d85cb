/** Draws the records of a StarView metafile as the elements of an SVG drawing. */
import { escapeText, escapeValue } from '../xml-escape.ts';
import {
  CONTROL,
  type Line,
  type Point,
  type Polygon,
  readFont,
  readLine,
  readMapMode,
  type StarReader,
} from './star-records.ts';
import {
  BLACK,
  colourOf,
  FONT,
  KEPT,
  type Mapping,
  mapOf,
  number,
  optionalColour,
  RECORD,
  type State,
  strokeOf,
} from './star-state.ts';

const ABOVE_BASELINE = 0.9;
const BELOW_BASELINE = 0.2;

/** Takes records in their order. Throws RangeError for one that is cut off. */
export class StarDrawing {
  private readonly out: string[] = [];
  private readonly states: { readonly state: State; readonly kept: number }[] = [];
  private state: State;
  length = 0;

  constructor(map: Mapping) {
    this.state = { lineColor: BLACK, fillColor: null, textColor: BLACK, font: FONT, align: 1, map };
  }

  markup(): string {
    return this.out.join('');
  }

  take(type: number, version: number, body: StarReader): void {
    switch (type) {
      case RECORD.line:
        this.strokes({ points: [body.point(), body.point()], flags: null }, version >= 2 ? readLine(body) : null);
        return;
      case RECORD.rectangle:
      case RECORD.roundRectangle:
      case RECORD.ellipse:
        this.box(type, body);
        return;
      case RECORD.polyline:
        this.polyline(version, body);
        return;
      case RECORD.polygon: {
        const polygon = body.polygon();
        this.area([version >= 2 && body.byte() !== 0 ? body.flaggedPolygon() : polygon]);
        return;
      }
      case RECORD.polygons:
        this.area(polygonsOf(version, body));
        return;
      case RECORD.gradientOfPolygons:
        this.area(body.polygons());
        return;
      case RECORD.transparent:
        this.area(body.polygons(), 1 - Math.min(100, body.short()) / 100);
        return;
      case RECORD.text:
      case RECORD.textArray:
      case RECORD.stretchedText:
        this.text(type, version, body);
        return;
      default:
        this.change(type, body);
    }
  }

  /** Records that change how later ones draw. Any other record draws nothing here. */
  private change(type: number, body: StarReader): void {
    const { state } = this;
    if (type === RECORD.lineColor) state.lineColor = optionalColour(body);
    else if (type === RECORD.fillColor) state.fillColor = optionalColour(body);
    else if (type === RECORD.textColor) state.textColor = colourOf(body.word());
    else if (type === RECORD.textAlign) state.align = body.short();
    else if (type === RECORD.font) state.font = readFont(body);
    else if (type === RECORD.mapMode) state.map = mapOf(readMapMode(body), state.map);
    else if (type === RECORD.push) this.states.push({ state: { ...state }, kept: body.short() });
    else if (type === RECORD.pop) this.pop();
  }

  private pop(): void {
    const last = this.states.pop();
    if (last === undefined) return;
    for (const key of Object.keys(KEPT) as (keyof typeof KEPT)[])
      if ((last.kept & KEPT[key]) !== 0) Object.assign(this.state, { [key]: last.state[key] });
  }

  private put(markup: string): void {
    this.out.push(markup);
    this.length += markup.length;
  }

  private polyline(version: number, body: StarReader): void {
    const polygon = body.polygon();
    const line = version >= 2 ? readLine(body) : null;
    this.strokes(version >= 3 && body.byte() !== 0 ? body.flaggedPolygon() : polygon, line);
  }

  private box(type: number, body: StarReader): void {
    const [from, to] = [body.point(), body.point()];
    const [x, y] = [Math.min(from.x, to.x), Math.min(from.y, to.y)];
    const [right, bottom] = [Math.max(from.x, to.x), Math.max(from.y, to.y)];
    const corners = [
      { x, y },
      { x: right, y },
      { x: right, y: bottom },
      { x, y: bottom },
    ];
    if (type !== RECORD.ellipse) {
      this.area([{ points: corners, flags: null }]);
      return;
    }
    const [start, end] = [this.mapped({ x, y }), this.mapped({ x: right, y: bottom })];
    const [cx, cy] = [(start.x + end.x) / 2, (start.y + end.y) / 2];
    const radii = `rx="${number((end.x - start.x) / 2)}" ry="${number((end.y - start.y) / 2)}"`;
    this.put(`<ellipse cx="${number(cx)}" cy="${number(cy)}" ${radii}${this.paint(1)}/>`);
  }

  private area(polygons: readonly Polygon[], opacity = 1): void {
    const path = polygons.map((each) => this.path(each, true)).join('');
    if (path !== '') this.put(`<path d="${path}" fill-rule="evenodd"${this.paint(opacity)}/>`);
  }

  private strokes(polygon: Polygon, line: Line | null): void {
    const { lineColor, map } = this.state;
    const path = this.path(polygon, false);
    if (lineColor === null || line?.isDrawn === false || path === '') return;
    const width = (line?.width ?? 0) * map.scale.x;
    const dashes = (line?.dashes ?? []).map((each) => number(each * map.scale.x)).join(' ');
    const look = `${strokeOf(lineColor, width)}${dashes === '' ? '' : ` stroke-dasharray="${dashes}"`}`;
    this.put(`<path d="${path}" fill="none"${look}/>`);
  }

  private paint(opacity: number): string {
    const { lineColor, fillColor } = this.state;
    const alpha = (fillColor?.opacity ?? 1) * opacity;
    const fill = `${fillColor?.hex ?? 'none'}"${alpha < 1 ? ` fill-opacity="${number(alpha)}"` : ''}`;
    return ` fill="${fill}${lineColor === null ? '' : strokeOf(lineColor, 0)}`;
  }

  /** Path data. A curve has two points of control between its ends. */
  private path({ points, flags }: Polygon, isClosed: boolean): string {
    if (points.length < 2) return '';
    let path = '';
    points.forEach((point, index) => {
      const { x, y } = this.mapped(point);
      const isControl = flags?.[index] === CONTROL;
      const isSecond = isControl && flags?.[index - 1] === CONTROL;
      const isEnd = !isControl && flags?.[index - 1] === CONTROL;
      path += `${index === 0 ? 'M' : isSecond || isEnd ? ' ' : isControl ? 'C' : 'L'}${number(x)} ${number(y)}`;
    });
    // A curve that ends at the start of the figure does not repeat that point.
    const [first] = points;
    if (isClosed && first !== undefined && flags?.[points.length - 1] === CONTROL) {
      const { x, y } = this.mapped(first);
      path += ` ${number(x)} ${number(y)}`;
    }
    return isClosed ? `${path}Z` : path;
  }

  private text(type: number, version: number, body: StarReader): void {
    const point = body.point();
    let text = this.state.font.isWide ? body.longText() : body.narrowText();
    let width = type === RECORD.stretchedText ? body.word() : null;
    const [index, length] = [body.short(), body.short()];
    if (type === RECORD.textArray) {
      const advances = Array.from({ length: advancesOf(body) }, () => body.int());
      width = advances[length - 1] ?? null;
    }
    if (version >= 2) text = body.wideText();
    const shown = text.slice(index, index + length).replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, ' ');
    if (shown.trim() !== '') this.writeText(shown, point, width);
  }

  private writeText(text: string, point: Point, width: number | null): void {
    const { font, textColor, align, map } = this.state;
    const size = font.height * map.scale.y;
    const { x, y } = this.mapped(point);
    const down = align === 0 ? size * ABOVE_BASELINE : align === 2 ? -size * BELOW_BASELINE : 0;
    const turned = font.angle === 0 ? '' : ` transform="rotate(${number(-font.angle / 10)} ${number(x)} ${number(y)})"`;
    const fixed = width === null || width <= 0 ? '' : ` textLength="${number(width * map.scale.x)}"`;
    const family = font.family.replace(/[^\p{L}\p{N} ;-]/gu, '').replaceAll(';', ',');
    const look =
      ` font-size="${number(size)}"${family === '' ? '' : ` font-family="${escapeValue(family)}"`}` +
      `${font.isBold ? ' font-weight="bold"' : ''}${font.isItalic ? ' font-style="italic"' : ''}` +
      `${textColor.hex === BLACK.hex ? '' : ` fill="${textColor.hex}"`}`;
    this.put(`<text x="${number(x)}" y="${number(y + down)}"${look}${fixed}${turned}>${escapeText(text)}</text>`);
  }

  private mapped({ x, y }: Point): Point {
    const { scale, shift } = this.state.map;
    return { x: x * scale.x + shift.x, y: y * scale.y + shift.y };
  }
}

/** Returns the number of advances that follow. */
function advancesOf(body: StarReader): number {
  const count = body.int();
  if (count < 0 || count * 4 > body.left) throw new RangeError('advances behind the end');
  return count;
}

/** Reads curves. From the second version on, polygons with curves come after all others, each with its number. */
function polygonsOf(version: number, body: StarReader): Polygon[] {
  const polygons = body.polygons();
  if (version < 2) return polygons;
  for (let left = body.short(); left > 0; left--) {
    const index = body.short();
    const polygon = body.flaggedPolygon();
    if (index < polygons.length) polygons[index] = polygon;
  }
  return polygons;
}
