/**
 * The allowed values of each key of ISO 32000-2, for all copied dictionaries. Kinds of values are written as letters: `b` truth, `n`
 * number, `N` name, `s` string, `d` dictionary, `S` stream, `m` soft mask, `C` colour space, `F` function, `M` table of characters, `T`
 * font program, `p` picture; `[` opens the kinds in an array, a second `[` the kinds in arrays within it, and numbers state its length. A
 * key with several meanings has the kinds of all of them. Strings, arrays, dictionaries and streams under any other key show nothing and
 * can contain anything, so they are removed.
 */

const ROWS = `
  Type:N Subtype:N S:N FT:N Parent:d Kids:[d Count:n Resources:d
  MediaBox:[n4 CropBox:[n4 BleedBox:[n4 TrimBox:[n4 ArtBox:[n4 Rotate:n UserUnit:n Dur:n Tabs:N StructParents:n StructParent:n
  Pages:d PageLabels:d ViewerPreferences:d PageLayout:N PageMode:N Outlines:d StructTreeRoot:d MarkInfo:d OCProperties:d
  OutputIntents:[d AcroForm:d OpenAction:d[nNd Version:N
  ExtGState:d ColorSpace:dC Pattern:d Shading:dS XObject:d Font:d[dn ProcSet:[N Properties:d
  FontBBox:[n4 FontMatrix:[n6 CharProcs:d Encoding:NdM Differences:[nN Widths:[n ToUnicode:NM FontDescriptor:d
  DescendantFonts:[d CIDSystemInfo:d W:n[n[ W2:[n[ DW:n DW2:[n2 CIDToGIDMap:NS BaseFont:N FontName:N FontFamily:s FontFile:T
  FontFile2:S FontFile3:S CharSet:s Style:d Panose:s FD:d CIDSet:S Registry:s Ordering:s Supplement:n UseCMap:NM
  FirstChar:n LastChar:n ItalicAngle:n Ascent:n Descent:n Leading:n CapHeight:n XHeight:n StemV:n StemH:n AvgWidth:n MaxWidth:n
  MissingWidth:n FontWeight:n FontStretch:N Flags:n Length1:n Length2:n Length3:n WMode:n
  BBox:[n4 Matrix:[n6,9 OC:d Group:d Mask:S[n SMask:NmS Decode:[n Intent:N[N Matte:[n SMaskInData:n
  Width:n Height:n BitsPerComponent:n ImageMask:b Interpolate:b FormType:n PaintType:n TilingType:n PatternType:n XStep:n YStep:n
  ShadingType:n FunctionType:n BitsPerSample:n BitsPerCoordinate:n BitsPerFlag:n VerticesPerRow:n Order:n[ds[ AntiAlias:b
  Background:[n Function:F[F Coords:[n Domain:[n Extend:[b Range:[n Size:n[n Encode:[n C0:[n C1:[n Functions:[F Bounds:[n
  WhitePoint:[n3 BlackPoint:[n3 Gamma:n[n Alternate:C Colorants:d Process:d Components:[N MixingHints:d Solidities:d
  PrintingOrder:[N DotGain:d
  D:nsNdS[nNd[ BG:NF[n BG2:NF UCR:NF UCR2:NF TR:NF[NF TR2:NF[NF HT:NdS HTO:[n2 BM:N[N G:S BC:[n CS:C K:nbd[nd
  LW:n LC:n LJ:n ML:n FL:n SM:n SA:b ca:n AIS:b TK:b op:b OP:b OPM:n
  SpotFunction:NF[N TransferFunction:NF Default:dS Gray:dS Red:dS Green:dS Blue:dS Cyan:dS Magenta:dS Yellow:dS Black:dS
  Rect:[n4 Contents:sS[S P:dsNn NM:s M:s AP:d Border:[n[ C:nN[nN Popup:d A:nd[dn Dest:Ns[nNd QuadPoints:[n BS:d BE:d Subj:s
  DA:s DR:d IRT:d CreationDate:s ModDate:s T:sd[sd RD:[n4 CL:[n L:[n4 LE:N[N IC:[n Vertices:[n InkList:[n[ Path:[n[ MK:d CO:[n
  Measure:d State:s[Nd StateModel:s CA:ns AC:s I:bS[n RI:NS IX:S IF:d N:nNdS R:nsNdS H:Nb Open:b Q:n
  V:sNSnd[s DV:sNSnd[s TU:s TM:s Opt:[s[ TI:n Fields:[ds Ff:n MaxLen:n NeedAppearances:b
  First:dn Last:d Title:s Prev:dn Next:d SE:d SD:d[dnN Names:d[sdnN[ Limits:[sn2 Nums:[nd[ Dests:d URI:s IsMap:b PreserveRB:b
  IDTree:d ParentTree:d ParentTreeNextKey:n RoleMap:d ClassMap:d Namespaces:[d ID:s[s Pg:d Lang:s Alt:s E:sN ActualText:s NS:sd
  RoleMapNS:d Phoneme:s Obj:dS Stm:S StmOwn:d O:N MCID:n
  BorderColor:[n[ BorderStyle:N[N BorderThickness:n[n Padding:n[n Color:[n BackgroundColor:[n ColumnGap:n[n ColumnWidths:n[n
  Headers:[s Summary:s F:nNd PrintPageRange:[n Enforce:[N RowSpan:n ColSpan:n
  OutputCondition:s OutputConditionIdentifier:s RegistryName:s Info:s DestOutputProfile:S SpectralData:d
  OCGs:d[d Configs:[d Name:Ns ON:[d OFF:[d AS:N[d RBGroups:[d[ Locked:[d Category:[N Usage:d CreatorInfo:d Language:d
  Export:d Zoom:d Print:d View:d User:d PageElement:d Creator:s VE:[Nd[ Attached:[N
  X:n[d Y:n[d CYX:n U:s GCS:d DCS:d PDU:[N GPTS:[n LPTS:[n PCSM:[n WKT:s PtData:d[d XPTS:[n[ RT:sN
  SW:N FB:b Annots:[d BoxColorInfo:d Trans:d VP:[d
`;

/** Keys with one meaning in dictionaries that name their kind: annotations, fonts and pictures; and in graphics states. */
const NAMED_ROWS = 'CA:n Name:N SMask:Np';
const STATE_ROWS = 'CA:n SMask:Nm';

/** For dictionaries whose keys the author chose, by the key of such a dictionary. */
const MAP_ROWS = `
  Font:d XObject:S ExtGState:d ColorSpace:C Pattern:dS Shading:dS Properties:d
  CharProcs:S RoleMap:N[Nd ClassMap:d[dn Colorants:C Dests:d[nNd AP:S BoxColorInfo:d
`;

export interface ValueType {
  /** Letters of the allowed kinds. */
  readonly own: string;
  /** Letters of the allowed kinds in an array; null when no array is allowed. */
  readonly items: string | null;
  readonly isNested: boolean;
  /** Lengths that an array may have; empty: any. */
  readonly lengths: readonly number[];
}

function typesOf(rows: string): ReadonlyMap<string, ValueType> {
  return new Map(
    rows
      .trim()
      .split(/\s+/)
      .map((row) => {
        const [, key = '', own = '', array] = /^(\w+):(\w*)(\[.*)?$/.exec(row) ?? [];
        const items = array === undefined ? null : array.replace(/[^A-Za-z]/g, '');
        const lengths = (array?.match(/\d+/g) ?? []).map(Number);
        return [key, { own, items, isNested: array?.lastIndexOf('[') !== 0 && array !== undefined, lengths }] as const;
      }),
  );
}

export const VALUE_TYPES = typesOf(ROWS);
export const MAP_VALUE_TYPES = typesOf(MAP_ROWS);
export const NAMED_VALUE_TYPES = typesOf(NAMED_ROWS);
export const STATE_VALUE_TYPES = typesOf(STATE_ROWS);
