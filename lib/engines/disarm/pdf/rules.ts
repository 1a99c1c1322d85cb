/** The keys and values that a disarmed PDF may hold (ISO 32000-2), and the report's words for the others. */

/** Keys of the catalog that are copied. Names, AcroForm and OpenAction are filtered again. */
export const CATALOG_KEYS: ReadonlySet<string> = new Set(
  (
    'Type Pages PageLabels Dests Names ViewerPreferences PageLayout PageMode Outlines StructTreeRoot MarkInfo Lang ' +
    'OCProperties OutputIntents AcroForm OpenAction Version'
  ).split(' '),
);

/** Keys of a page that are copied. */
export const PAGE_KEYS: ReadonlySet<string> = new Set(
  (
    'Type Parent Resources MediaBox CropBox BleedBox TrimBox ArtBox BoxColorInfo Contents Rotate Group Dur Trans Annots ' +
    'StructParents Tabs UserUnit VP'
  ).split(' '),
);

/** Keys of a node of the page tree that are copied because its pages inherit them. Kids and Count are written anew. */
export const NODE_KEYS: ReadonlySet<string> = new Set(
  'Type Parent Kids Count Resources MediaBox CropBox Rotate'.split(' '),
);

/** Keys of the interactive form that are copied: no XFA, no calculation order (scripts), no signature flags. */
export const FORM_KEYS: ReadonlySet<string> = new Set('Fields DR DA Q NeedAppearances'.split(' '));

/** Actions that stay inside the document or open a safe link, with the copied keys of each. `Next` is never copied. */
export const ACTION_KEYS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    GoTo: 'D SD',
    URI: 'URI IsMap',
    Named: 'N',
    SetOCGState: 'State PreserveRB',
    Hide: 'T H',
    ResetForm: 'Fields Flags',
    Trans: 'Trans',
  }).map(([name, keys]) => [name, new Set(['Type', 'S', ...keys.split(' ')])]),
);

/** Names of all standard actions that are not kept. A dictionary whose /S has one of these names is an action at any place. */
export const DENIED_ACTIONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    JavaScript: 'JavaScript',
    Launch: 'launch action',
    GoToR: 'link to a file',
    GoToE: 'link to a file',
    GoToDp: 'link to a file',
    SubmitForm: 'form submission',
    ImportData: 'form import',
    Rendition: 'embedded media',
    Sound: 'embedded media',
    Movie: 'embedded media',
    GoTo3DView: 'embedded media',
    RichMediaExecute: 'embedded media',
    Thread: 'article action',
  }),
);

export const NAMED_ACTIONS: ReadonlySet<string> = new Set(['NextPage', 'PrevPage', 'FirstPage', 'LastPage', 'Print']);

export const ANNOTATIONS: ReadonlySet<string> = new Set(
  'Text Link FreeText Line Square Circle Polygon PolyLine Highlight Underline Squiggly StrikeOut Stamp Caret Ink Popup Widget'.split(
    ' ',
  ),
);

export const DENIED_ANNOTATIONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    FileAttachment: 'embedded file',
    RichMedia: 'embedded media',
    Screen: 'embedded media',
    Movie: 'embedded media',
    Sound: 'embedded media',
    '3D': 'embedded media',
    PrinterMark: 'print production data',
    TrapNet: 'print production data',
    Watermark: 'print production data',
    Projection: 'print production data',
    Redact: 'redaction mark',
  }),
);

/** Keys that are removed from every dictionary with fixed keys. */
export const DENIED_KEYS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    AA: 'automatic action',
    JS: 'JavaScript',
    JavaScript: 'JavaScript',
    PA: 'automatic action',
    EmbeddedFiles: 'embedded file',
    EmbeddedFile: 'embedded file',
    EF: 'embedded file',
    RF: 'embedded file',
    AF: 'embedded file',
    Collection: 'embedded file',
    XFA: 'XFA form',
    NeedsRendering: 'XFA form',
    RichMediaContent: 'embedded media',
    RichMediaSettings: 'embedded media',
    RichMediaExecute: 'embedded media',
    '3DD': 'embedded media',
    '3DA': 'embedded media',
    '3DV': 'embedded media',
    OnInstantiate: 'JavaScript',
    Movie: 'embedded media',
    Sound: 'embedded media',
    Rendition: 'embedded media',
    Renditions: 'embedded media',
    AlternatePresentations: 'embedded media',
    PresSteps: 'embedded media',
    Requirements: 'reader requirements',
    Perms: 'digital signature',
    Legal: 'digital signature',
    DSS: 'digital signature',
    SigFlags: 'digital signature',
    SV: 'digital signature',
    Lock: 'digital signature',
    PieceInfo: 'private application data',
    OPI: 'link to a file',
    Ref: 'link to a file',
    Level1: 'PostScript',
    PS: 'PostScript',
    Alternates: 'alternate image',
    RC: 'rich text',
    RV: 'rich text',
    DS: 'rich text',
    SpiderInfo: 'web capture data',
    Threads: 'article thread',
    Templates: 'hidden page',
    DestOutputProfileRef: 'link to a file',
  }),
);

/**
 * Keys whose removal is not reported, because they only hold data about the file. TeX writes the path and the author of every included
 * figure under `PTEX.*`.
 */
export const METADATA_KEYS: ReadonlySet<string> = new Set(
  'Metadata LastModified Thumb Extensions Author PTEX.InfoDict PTEX.FileName PTEX.PageNumber PTEX.Fullbanner'.split(
    ' ',
  ),
);

/** Keys whose value is a dictionary of names that the author chose, so no key in it has a meaning. */
export const NAME_MAPS: ReadonlySet<string> = new Set(
  'BoxColorInfo CharProcs RoleMap ClassMap Colorants Dests'.split(' '),
);

/** The same for resources. The page's content also contains their names. */
export const RESOURCE_MAPS: ReadonlySet<string> = new Set(
  'Font XObject ExtGState ColorSpace Pattern Shading Properties'.split(' '),
);

/** Stream filters that only decode (ISO 32000-2, 7.4), with their abbreviations. */
export const FILTERS: ReadonlySet<string> = new Set(
  (
    'FlateDecode Fl LZWDecode LZW ASCII85Decode A85 ASCIIHexDecode AHx RunLengthDecode RL CCITTFaxDecode CCF DCTDecode DCT ' +
    'JPXDecode JBIG2Decode'
  ).split(' '),
);
