/** Content that must not be in a disarmed PDF (ISO 32000-2): one row per fact. */
import type { Fact } from '../fact.ts';

const key = (id: string, names: string): Fact => ({ id, find: { by: 'name', names } });
const pair = (id: string, name: string, values: string): Fact => ({
  id,
  find: { by: 'pair', key: name, values },
});

export const PDF_FACTS: readonly Fact[] = [
  key('pdf-javascript', 'JS JavaScript OnInstantiate'),
  key('pdf-automatic-action', 'AA PA PresSteps'),
  key('pdf-embedded-file', 'EmbeddedFiles EmbeddedFile EF RF AF Collection'),
  key('pdf-xfa', 'XFA NeedsRendering'),
  key('pdf-rich-media', 'RichMediaContent RichMediaSettings RichMediaExecute 3DD 3DA 3DV'),
  key('pdf-media', 'Movie Sound Rendition Renditions AlternatePresentations'),
  key('pdf-signature', 'Perms Legal DSS SigFlags ByteRange SV Lock'),
  key('pdf-private-data', 'PieceInfo LastModified SpiderInfo Metadata Thumb'),
  key('pdf-properties', 'Author PTEX.FileName PTEX.InfoDict'),
  key('pdf-requirements', 'Requirements'),
  key('pdf-external-content', 'OPI Ref FFilter FDecodeParms DestOutputProfileRef'),
  key('pdf-postscript', 'Level1'),
  key('pdf-alternate-image', 'Alternates'),
  key('pdf-threads', 'Threads'),
  key('pdf-encryption', 'Encrypt'),
  pair('pdf-javascript', 'S', 'JavaScript'),
  pair('pdf-launch', 'S', 'Launch'),
  pair('pdf-link-to-file', 'S', 'GoToR GoToE GoToDp'),
  pair('pdf-form-submission', 'S', 'SubmitForm ImportData'),
  pair('pdf-media', 'S', 'Rendition Sound Movie GoTo3DView RichMediaExecute'),
  pair('pdf-threads', 'S', 'Thread'),
  pair('pdf-embedded-file', 'Subtype', 'FileAttachment'),
  pair('pdf-rich-media', 'Subtype', 'RichMedia Screen 3D Projection'),
  pair('pdf-media', 'Subtype', 'Movie Sound'),
  pair('pdf-production-mark', 'Subtype', 'PrinterMark TrapNet Redact'),
  pair('pdf-postscript', 'Subtype', 'PS'),
  pair('pdf-postscript', 'Subtype2', 'PS'),
  pair('pdf-embedded-file', 'Type', 'Filespec EmbeddedFile F'),
  pair('pdf-signature', 'Type', 'Sig DocTimeStamp'),
  pair('pdf-packed-objects', 'Type', 'ObjStm XRef'),
];

/** Actions. A dictionary with one of these under /S may not have a /Next. */
export const ACTIONS = /^(?:GoTo|URI|Named|SetOCGState|Hide|ResetForm|Trans)$/;

/** Keys whose value is a dictionary with names of the author. Its keys have no meaning. */
export const NAME_MAPS =
  /^(?:Font|XObject|ExtGState|ColorSpace|Pattern|Shading|Properties|CharProcs|RoleMap|ClassMap|Colorants|Dests|N|R|D)$/;

/** Filters that only decode. JBIG2 and JPEG 2000 are decoded before. */
export const FILTERS =
  /^(?:FlateDecode|Fl|LZWDecode|LZW|ASCII85Decode|A85|ASCIIHexDecode|AHx|RunLengthDecode|RL|CCITTFaxDecode|CCF|DCTDecode|DCT)$/;
