/** The styles of an Excel 2003 workbook in XML ("XML Spreadsheet Reference", Style). */
import {
  type Borders,
  type Color,
  DEFAULT_FONT,
  type Fill,
  type Font,
  type Format,
  type Line,
  type Styles,
} from './book.ts';

/** The attributes of an element, by their names without prefix. */
export type Attributes = ReadonlyMap<string, string>;

/** Names of number formats. */
const NAMED_FORMATS: Readonly<Record<string, number | string>> = {
  General: 0,
  'General Number': 0,
  'General Date': 22,
  'Long Date': 'd\\-mmm\\-yyyy',
  'Medium Date': 15,
  'Short Date': 14,
  'Long Time': 19,
  'Medium Time': 18,
  'Short Time': 20,
  Currency: '#,##0.00',
  'Euro Currency': '[$€-2]\\ #,##0.00',
  Fixed: 2,
  Standard: 4,
  Percent: 10,
  Scientific: 11,
  'Yes/No': '"Yes";"Yes";"No"',
  'True/False': '"True";"True";"False"',
  'On/Off': '"On";"On";"Off"',
};
/** Numbers below have a fixed meaning. */
const FIRST_OWN_FORMAT = 164;
const PATTERNS: Readonly<Record<string, string>> = {
  Solid: 'solid',
  Gray75: 'darkGray',
  Gray50: 'mediumGray',
  Gray25: 'lightGray',
  Gray125: 'gray125',
  Gray0625: 'gray0625',
  HorzStripe: 'darkHorizontal',
  VertStripe: 'darkVertical',
  ReverseDiagStripe: 'darkDown',
  DiagStripe: 'darkUp',
  DiagCross: 'darkGrid',
  ThickDiagCross: 'darkTrellis',
  ThinHorzStripe: 'lightHorizontal',
  ThinVertStripe: 'lightVertical',
  ThinReverseDiagStripe: 'lightDown',
  ThinDiagStripe: 'lightUp',
  ThinHorzCross: 'lightGrid',
  ThinDiagCross: 'lightTrellis',
};
const HORIZONTAL: Readonly<Record<string, string>> = {
  Left: 'left',
  Center: 'center',
  Right: 'right',
  Fill: 'fill',
  Justify: 'justify',
  CenterAcrossSelection: 'centerContinuous',
  Distributed: 'distributed',
};
const VERTICAL: Readonly<Record<string, string>> = {
  Top: 'top',
  Center: 'center',
  Bottom: 'bottom',
  Justify: 'justify',
  Distributed: 'distributed',
};
const PLAIN_FONT: Font = { ...DEFAULT_FONT, name: 'Arial', size: 10 };

interface Style {
  font: Font;
  fill: Fill;
  borders: Borders;
  numberFormat: number;
  alignment: Pick<Format, 'horizontal' | 'vertical' | 'isWrapped' | 'indent' | 'rotation'>;
}

const PLAIN: Style = {
  font: PLAIN_FONT,
  fill: { pattern: 'none', foreground: null, background: null },
  borders: { left: null, right: null, top: null, bottom: null },
  numberFormat: 0,
  alignment: { horizontal: null, vertical: null, isWrapped: false, indent: 0, rotation: 0 },
};

/** Collects the styles as their elements are read. */
export class StyleReader {
  private readonly codes = new Map<string, number>();
  /** The first one applies to all cells without a style. */
  private readonly styles = new Map<string, Style>([['Default', PLAIN]]);
  private readonly order = new Map<string, number>([['Default', 0]]);
  private open: Style | null = null;

  /** Returns the number of a style by its identifier; null for an unknown one. */
  indexOf(id: string | undefined): number | null {
    return id === undefined ? null : (this.order.get(id) ?? null);
  }

  /** Takes an element within the list of styles. */
  take(local: string, attributes: Attributes): void {
    if (local === 'Style') this.begin(attributes);
    const { open } = this;
    if (open === null) return;
    if (local === 'Font') open.font = fontOf(attributes, open.font);
    if (local === 'Interior') open.fill = fillOf(attributes);
    if (local === 'Borders') open.borders = PLAIN.borders;
    if (local === 'Border') open.borders = withBorder(open.borders, attributes);
    if (local === 'NumberFormat') open.numberFormat = this.formatOf(attributes.get('Format') ?? 'General');
    if (local === 'Alignment') open.alignment = alignmentOf(attributes);
  }

  /** Resolves inheritance. A style has the settings of its parent, and every style those of the one called Default. */
  private begin(attributes: Attributes): void {
    const parent = this.styles.get(attributes.get('Parent') ?? 'Default') ?? PLAIN;
    this.open = { ...parent };
    const id = attributes.get('ID') ?? '';
    this.styles.set(id, this.open);
    if (!this.order.has(id)) this.order.set(id, this.order.size);
  }

  private formatOf(code: string): number {
    const named = Object.hasOwn(NAMED_FORMATS, code) ? NAMED_FORMATS[code] : code;
    if (typeof named === 'number') return named;
    const text = named ?? code;
    const known = this.codes.get(text);
    if (known !== undefined) return known;
    const number = FIRST_OWN_FORMAT + this.codes.size;
    this.codes.set(text, number);
    return number;
  }

  /** Returns all of them, in the order of their numbers. */
  finish(): Styles {
    const all = [...this.styles.values()];
    return {
      numberFormats: new Map([...this.codes].map(([code, id]) => [id, code])),
      fonts: all.map(({ font }) => font),
      fills: all.map(({ fill }) => fill),
      borders: all.map(({ borders }) => borders),
      formats: all.map(({ numberFormat, alignment }, index) => ({
        numberFormat,
        ...alignment,
        font: index,
        fill: index,
        border: index,
      })),
    };
  }
}

const isOn = (value: string | undefined) => value === '1' || value === 'true';

function colorOf(value: string | undefined): Color | null {
  const hex = /^#([\da-f]{6})$/i.exec(value ?? '')?.[1];
  return hex === undefined ? null : { by: 'rgb', argb: `FF${hex.toUpperCase()}` };
}

function fontOf(attributes: Attributes, parent: Font): Font {
  const has = (name: string, before: boolean) => (attributes.has(name) ? isOn(attributes.get(name)) : before);
  const underline = attributes.get('Underline');
  const position = attributes.get('VerticalAlign');
  return {
    name: attributes.get('FontName') ?? parent.name,
    size: Number(attributes.get('Size') ?? parent.size),
    isBold: has('Bold', parent.isBold),
    isItalic: has('Italic', parent.isItalic),
    isStruck: has('StrikeThrough', parent.isStruck),
    underline:
      underline === undefined
        ? parent.underline
        : /^Double/.test(underline)
          ? 'double'
          : underline === 'None'
            ? null
            : 'single',
    position: position === 'Superscript' ? 'superscript' : position === 'Subscript' ? 'subscript' : null,
    color: colorOf(attributes.get('Color')) ?? parent.color,
  };
}

function fillOf(attributes: Attributes): Fill {
  const pattern = PATTERNS[attributes.get('Pattern') ?? ''] ?? 'none';
  const [color, lines] = [colorOf(attributes.get('Color')), colorOf(attributes.get('PatternColor'))];
  // A solid fill has the colour of its pattern. Other patterns use it for the background.
  return pattern === 'solid'
    ? { pattern, foreground: color, background: null }
    : { pattern, foreground: lines, background: color };
}

function withBorder(borders: Borders, attributes: Attributes): Borders {
  const side = (attributes.get('Position') ?? '').toLowerCase();
  if (!/^(?:left|right|top|bottom)$/.test(side)) return borders;
  return { ...borders, [side]: lineOf(attributes) };
}

function lineOf(attributes: Attributes): Line | null {
  const weight = Number(attributes.get('Weight') ?? 0);
  const heavy = (light: string, other: string) => (weight >= 2 ? other : light);
  const styles: Readonly<Record<string, string>> = {
    Continuous: ['hair', 'thin', 'medium', 'thick'][weight] ?? 'thin',
    Dash: heavy('dashed', 'mediumDashed'),
    Dot: 'dotted',
    DashDot: heavy('dashDot', 'mediumDashDot'),
    DashDotDot: heavy('dashDotDot', 'mediumDashDotDot'),
    SlantDashDot: 'slantDashDot',
    Double: 'double',
  };
  const style = styles[attributes.get('LineStyle') ?? ''];
  return style === undefined ? null : { style, color: colorOf(attributes.get('Color')) };
}

function alignmentOf(attributes: Attributes): Style['alignment'] {
  const turn = Number(attributes.get('Rotate') ?? 0);
  const degrees = isOn(attributes.get('VerticalText')) ? 255 : turn < 0 ? 90 - turn : turn;
  return {
    horizontal: HORIZONTAL[attributes.get('Horizontal') ?? ''] ?? null,
    vertical: VERTICAL[attributes.get('Vertical') ?? ''] ?? null,
    isWrapped: isOn(attributes.get('WrapText')),
    indent: Number(attributes.get('Indent') ?? 0) || 0,
    rotation: Number.isFinite(degrees) ? degrees : 0,
  };
}
