/**
 * The content that a page of an XPS document (ECMA-388) may have: a closed list of elements and attributes, with the form of each value.
 */

const names = (list: string): readonly string[] => list.trim().split(/\s+/);

/** The name spaces of XPS and of OpenXPS, which have the same meaning. */
export const PAGE_SPACES: ReadonlyMap<string, string> = new Map([
  ['http://schemas.microsoft.com/xps/2005/06', ''],
  ['http://schemas.openxps.org/oxps/v1.0', ''],
  ['http://schemas.microsoft.com/xps/2005/06/resourcedictionary-key', 'x'],
  ['http://schemas.openxps.org/oxps/v1.0/resourcedictionary-key', 'x'],
  ['http://www.w3.org/XML/1998/namespace', 'xml'],
]);
export const PAGE_DECLARATIONS = {
  xmlns: 'http://schemas.microsoft.com/xps/2005/06',
  'xmlns:x': 'http://schemas.microsoft.com/xps/2005/06/resourcedictionary-key',
} as const;

export const PAGE_ELEMENTS: ReadonlySet<string> = new Set(
  names(`
    FixedPage FixedPage.Resources ResourceDictionary Canvas Canvas.Resources Canvas.RenderTransform Canvas.Clip Canvas.OpacityMask
    Path Path.RenderTransform Path.Clip Path.OpacityMask Path.Fill Path.Stroke Path.Data
    Glyphs Glyphs.RenderTransform Glyphs.Clip Glyphs.OpacityMask Glyphs.Fill
    PathGeometry PathGeometry.Transform PathFigure PolyLineSegment PolyBezierSegment PolyQuadraticBezierSegment ArcSegment
    SolidColorBrush ImageBrush ImageBrush.Transform VisualBrush VisualBrush.Transform VisualBrush.Visual
    LinearGradientBrush LinearGradientBrush.Transform LinearGradientBrush.GradientStops
    RadialGradientBrush RadialGradientBrush.Transform RadialGradientBrush.GradientStops GradientStop MatrixTransform
  `),
);

const RESOURCE = String.raw`\{StaticResource\s+[\w-]{1,100}\}`;
const NUMBERS = /^[\s\d.,+\-eE]{1,2000000}$/;
const WORD = /^[\s\w.-]{0,100}$/;
/** Figures, or the name of a resource of the page. */
const DRAWN = new RegExp(`^(?:[\\s\\d.,+\\-eEFMLHVCQSAZmlhvcqsaz]*|${RESOURCE})$`);
const COLOUR = new RegExp(`^\\s*(?:#[0-9a-fA-F]{3,8}|sc#[\\s\\d.,+\\-eE]{1,200}|[A-Za-z]{1,40}|${RESOURCE})\\s*$`);
const values = (form: RegExp, list: string) => names(list).map((name): [string, RegExp] => [name, form]);

/** Attributes with the forms of their values. No addresses are among them. */
export const PAGE_VALUES: ReadonlyMap<string, RegExp> = new Map([
  ...values(
    NUMBERS,
    `Width Height ContentBox BleedBox Opacity OriginX OriginY FontRenderingEmSize BidiLevel StrokeDashOffset StrokeMiterLimit
     StrokeThickness StrokeDashArray Viewbox Viewport StartPoint EndPoint Center GradientOrigin RadiusX RadiusY Offset Points Point Size
     RotationAngle Matrix`,
  ),
  ...values(DRAWN, 'Data Clip RenderTransform Transform Figures'),
  ...values(COLOUR, 'Fill Stroke Color OpacityMask'),
  ...values(
    WORD,
    `xml:lang RenderOptions.EdgeMode FillRule StrokeDashCap StrokeEndLineCap StrokeStartLineCap StrokeLineJoin StyleSimulations IsSideways
     CaretStops DeviceFontName ViewboxUnits ViewportUnits TileMode MappingMode SpreadMethod ColorInterpolationMode IsClosed IsFilled
     IsStroked IsLargeArc SweepDirection`,
  ),
  ...values(/^[\w-]{1,100}$/, 'x:Key Name'),
  ...values(/^[\s\d.,;:()+\-eE]{0,2000000}$/, 'Indices'),
  // A brace begins a reference, and an empty pair of braces means that none follows.
  ...values(/^(?!\{(?!\}))[^\p{Cc}]*$/u, 'UnicodeString'),
  ...values(/^[^<>{}\p{Cc}]{0,1000}$/u, 'AutomationProperties.Name AutomationProperties.HelpText'),
]);
