/**
 * Keys of ISO 32000-2 under which a string, an array, a dictionary or a stream may stand, for all dictionaries that are copied. Under
 * any other key such a value shows nothing, and can carry everything: it goes.
 */
export const KNOWN_KEYS: ReadonlySet<string> = new Set(
  `
  Kids Parent Resources MediaBox CropBox BleedBox TrimBox ArtBox
  ExtGState ColorSpace Pattern Shading XObject Font ProcSet Properties
  FontBBox FontMatrix CharProcs Encoding Differences Widths ToUnicode FontDescriptor DescendantFonts CIDSystemInfo W W2 DW DW2
  CIDToGIDMap BaseFont FontName FontFamily FontFile FontFile2 FontFile3 CharSet Style Panose FD CIDSet Registry Ordering UseCMap
  BBox Matrix Group OC Mask SMask Decode Intent Matte JBIG2Globals SMaskInData
  Background Function Coords Domain Extend Range Size Encode C0 C1 Functions Bounds
  WhitePoint BlackPoint Gamma Alternate Colorants Process Components MixingHints Solidities PrintingOrder DotGain
  D BG BG2 UCR UCR2 TR TR2 HT HTO BM G BC CS K SpotFunction TransferFunction Default Gray Red Green Blue Cyan Magenta Yellow Black
  Rect Contents P NM M AP Border C Popup A Dest QuadPoints BS BE Subj RC DS DA DR IRT CreationDate T RD CL LE L IC Vertices InkList
  Path MK CO Measure State StateModel BG CA AC I RI IX IF N R S H
  V DV TU TM RV Opt TI Fields
  First Last Title Prev Next SE SD Names Limits Nums Dests
  IDTree ParentTree RoleMap ClassMap Namespaces ID Pg Lang Alt E ActualText NS RoleMapNS Phoneme Obj Stm StmOwn O
  BorderColor BorderStyle BorderThickness Padding Color BackgroundColor ColumnGap ColumnWidths Headers Summary F
  PrintPageRange Enforce
  OutputCondition OutputConditionIdentifier RegistryName Info DestOutputProfile SpectralData
  OCGs Configs Name ON OFF AS Order RBGroups Locked Category Usage CreatorInfo Language Export Zoom Print View User PageElement
  Creator VE Type Subtype Attached
  X Y CYX U GCS DCS PDU GPTS LPTS PCSM WKT PtData XPTS RT
  SW FB Annots BoxColorInfo Trans VP
  `
    .trim()
    .split(/\s+/),
);
