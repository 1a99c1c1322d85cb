/** A row of the list of what no disarmed file may hold. */
export type Format =
  | 'docx'
  | 'xlsx'
  | 'pptx'
  | 'doc'
  | 'xls'
  | 'ppt'
  | 'rtf'
  | 'odt'
  | 'ods'
  | 'odp'
  | 'pdf'
  | 'png'
  | 'jpg'
  | 'gif'
  | 'webp'
  | 'tiff'
  | 'svg'
  | 'html'
  | 'mht'
  | 'csv'
  | 'zip'
  | 'tar'
  | 'gz'
  | '7z'
  | 'eml'
  | 'msg'
  | 'tnef'
  | 'ics'
  | 'vcf'
  | 'mp3'
  | 'wav'
  | 'mp4'
  | 'flac'
  | 'ogg'
  | 'amr'
  | 'aiff'
  | 'avi'
  | 'webm'
  | 'kml'
  | 'kmz'
  | 'epub'
  | 'xps'
  | 'vsdx'
  | 'xlsb'
  /** An Excel 2003 workbook in XML. */
  | 'workbook-xml'
  | 'emf'
  | 'wmf'
  /** A Word 2003 document in XML. */
  | 'word-xml'
  /** A Word document as one XML file (Flat OPC). */
  | 'flat';

export interface Row {
  /** Group and line: `pdf/action/Launch`. */
  readonly id: string;
  readonly group: string;
  readonly line: string;
  readonly formats: readonly Format[];
  /** What must not be found in any layer of a result, next to the live marker that every sample holds. */
  readonly markers: readonly RegExp[];
}

/** Rows of one kind. */
export interface Group {
  readonly group: string;
  readonly formats: readonly Format[];
  readonly lines: readonly string[];
  readonly marker?: (line: string) => RegExp;
}

/** An expression that matches exactly this text. */
export const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** The words of a text. */
export const words = (text: string): string[] => text.trim().split(/\s+/);

/** Finds an element under any prefix. */
export const element = (line: string): RegExp => new RegExp(`<(?:[\\w.-]+:)?${literally(line)}[\\s/>]`, 'i');
