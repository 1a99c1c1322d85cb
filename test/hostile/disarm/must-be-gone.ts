/**
 * What no disarmed file may hold, one row per thing, with the formats that can carry it. The generators build at least one sample for
 * every row in every one of its formats; a row without a sample fails the suite.
 */
import { OFFICE_ROWS } from './must-be-gone-office.ts';
import { element, type Group, literally, type Row, words } from './row.ts';

const attribute = (line: string): RegExp => new RegExp(`\\s(?:[\\w.-]+:)?${literally(line)}\\s*=`, 'i');
/** Style may stay, but for what loads or runs something. A background picture of another server becomes a word that no program knows. */
const STYLE_THAT_ACTS = /\sstyle\s*=\s*"[^"]*(?:url\s*\(|https?:|expression|import|behavior|binding|\\)/i;
const property = (line: string): RegExp => new RegExp(`^${literally(line)}[;:]`, 'im');

const keys =
  words(`OpenAction AA JS JavaScript Names/JavaScript Names/EmbeddedFiles Names/Renditions Names/AlternatePresentations EF RF AF Collection XFA
  NeedsRendering RichMediaContent RichMediaSettings 3DD 3DA 3DV OnInstantiate Movie Sound Rendition PresSteps PA URI/Base Requirements Perms Legal DSS
  PieceInfo LastModified OPI Ref PS Level1 Alternates SpiderInfo Threads B Thumb Metadata`);
const pdf: readonly Group[] = [
  {
    group: 'pdf/key',
    formats: ['pdf'],
    lines: keys,
    marker: (line) => new RegExp(`/${literally(line.split('/').at(-1) ?? line)}[\\s/<\\[(]`),
  },
  {
    group: 'pdf/action',
    formats: ['pdf'],
    lines: words(
      'JavaScript Launch GoToR GoToE SubmitForm ImportData Rendition Sound Movie GoTo3DView RichMediaExecute Thread Unknown Next',
    ),
    marker: (line) => new RegExp(`/S\\s*/${line}\\b|/Next\\b`),
  },
  {
    group: 'pdf/annotation',
    formats: ['pdf'],
    lines: words('FileAttachment RichMedia Screen Movie Sound 3D PrinterMark TrapNet Watermark Projection Redact'),
    marker: (line) => new RegExp(`/Subtype\\s*/${line}\\b`),
  },
  {
    group: 'pdf/stream',
    formats: ['pdf'],
    lines: words(
      `external-file external-filter unknown-filter unreachable superseded before-header after-end file-under-unknown-key stream-under-unknown-key
      remote-file-of-annotation signature-server script-as-destination picture-comment figure-properties`,
    ),
  },
];

const text: readonly Group[] = [
  {
    group: 'rtf/destination',
    formats: ['rtf'],
    lines:
      words(`object objdata objclass objname objalias objupdate objocx objhtml objautlink objlink objemb template datastore xmlopen mailmerge
    filetbl fontemb fontfile generator docvar userprops passwordhash hlinkbase linkval nextfile htmltag sp unknown bin wmetafile emfblip dibitmap wbitmap macpict pmmetafile`),
    marker: (line) => new RegExp(`\\\\${line}(?![a-z])(?!-?\\d*\\b\\s*\\\\result)`),
  },
  { group: 'rtf/frame', formats: ['rtf'], lines: words('after-end short-header loose-data') },
  {
    group: 'svg/element',
    formats: ['svg'],
    lines: words('script foreignObject iframe object embed audio video handler style set animate animateTransform'),
    marker: element,
  },
  {
    group: 'svg/attribute',
    formats: ['svg'],
    lines: words('doctype onload use-href image-href css-url a-href import font cursor base sheet paint effect'),
  },
  {
    group: 'html/element',
    formats: ['html', 'mht', 'eml'],
    lines: words(
      'script style link meta-refresh base iframe frame object embed applet form template noscript svg math xmp noembed plaintext comment',
    ),
    marker: (line) => (line === 'comment' ? /<!--.*live/i : line === 'meta-refresh' ? /http-equiv/i : element(line)),
  },
  {
    group: 'html/attribute',
    formats: ['html', 'mht', 'eml'],
    lines: words('onclick style srcdoc formaction action background ping srcset data-x src data-html share'),
    marker: (line) =>
      line === 'data-html'
        ? /src="data:text/
        : line === 'src'
          ? /src="?http/
          : line === 'share'
            ? /(?:href|src)\s*=\s*"?[\\/]{2}/
            : line === 'action'
              ? /\saction=/
              : line === 'style'
                ? STYLE_THAT_ACTS
                : attribute(line),
  },
  { group: 'mht/part', formats: ['mht'], lines: ['ActiveMime', 'x-mso'] },
  {
    group: 'csv/cell',
    formats: ['csv'],
    lines: ['=', '+', '-', '@', '＝', '＋', '－', '＠', 'tab', 'return', 'space', 'dde'],
  },
  {
    group: 'archive/member',
    formats: ['zip', 'tar', 'gz', '7z'],
    lines: words('program script shortcut symlink dot-dot absolute drive reserved bidi spaces comment'),
    marker: () => /member (?:.*\.\.[\\/]|[\\/]|[a-z]:|(?:con|aux)\b)/i,
  },
  {
    group: 'archive/frame',
    formats: ['zip'],
    lines: words('overlap encrypted unknown-method multi-volume bomb extra lying-size'),
  },
  { group: 'mail/part', formats: ['eml', 'msg', 'tnef'], lines: words('macro-document program nested html-script') },
  { group: 'mail/header', formats: ['eml'], lines: words('external-body unlisted-header') },
  {
    group: 'calendar/property',
    formats: ['ics'],
    lines: words('ATTACH VALARM-PROCEDURE VALARM-EMAIL X-ALT-DESC X-UNLISTED URL CONFERENCE IMAGE STRUCTURED-DATA'),
    marker: (line) => (line.startsWith('VALARM') ? new RegExp(`^ACTION:${line.slice(7)}`, 'im') : property(line)),
  },
  { group: 'card/property', formats: ['vcf'], lines: words('URL PHOTO LOGO SOUND KEY X-UNLISTED'), marker: property },
  {
    group: 'frame/appended',
    formats: ['png', 'jpg', 'gif', 'webp', 'tiff', 'docx', 'pdf', 'rtf', 'zip'],
    lines: ['zip', 'script'],
  },
  {
    group: 'media/box',
    formats: ['mp4'],
    lines: words('udta meta uuid free other-track only name tail lies'),
    marker: (line) => (/^(?:udta|meta|uuid)$/.test(line) ? new RegExp(`\\b${line}`) : /airlocklive/i),
  },
  { group: 'media/tag', formats: ['mp3'], lines: words('front between tail') },
  { group: 'media/chunk', formats: ['wav'], lines: words('list twice tail') },
  { group: 'media/block', formats: ['flac'], lines: words('metadata front between tail lies') },
  { group: 'media/page', formats: ['ogg'], lines: words('comments stream front between tail lies') },
  { group: 'film/voice', formats: ['amr'], lines: words('tail') },
  { group: 'film/form', formats: ['aiff'], lines: words('chunk tail') },
  { group: 'film/chunk', formats: ['avi'], lines: words('list tail lies') },
  { group: 'film/element', formats: ['webm'], lines: words('metadata free track lies tail') },
  { group: 'xps/link', formats: ['xps'], lines: words('script file share program relative') },
  { group: 'metafile/record', formats: ['emf', 'wmf'], lines: ['comment', 'EMF+', 'escape of a driver', 'palette'] },
  {
    group: 'metafile/emf-record',
    formats: ['emf'],
    lines: ['group of another program', 'OpenGL', 'escape by name', 'colour profile', 'colour space', 'font links'],
  },
  { group: 'metafile/wmf-record', formats: ['wmf'], lines: ['SETABORTPROC', 'PostScript'] },
  { group: 'metafile/frame', formats: ['emf', 'wmf'], lines: words('appended unknown longer behind-end') },
  { group: 'metafile/description', formats: ['emf'], lines: ['program and title'] },
  {
    group: 'xps/element',
    formats: ['xps'],
    lines: words('script ObjectDataProvider c:Process Frame Button mc:AlternateContent'),
    marker: (line) => element(line.replace(/^.*:/, '')),
  },
  {
    group: 'xps/value',
    formats: ['xps'],
    lines: ['remote picture', 'colour profile', 'remote dictionary', 'fill of a profile', 'binding', 'event'],
  },
  {
    group: 'xps/part',
    formats: ['xps'],
    lines: [
      ...words('ticket signature properties program'),
      'page that nothing names',
      'picture with a comment',
      'false picture',
      'program of a glyph',
      'programs of a font',
      'table of a font',
      'end of a font',
      'external relationship',
    ],
  },
  { group: 'xps/frame', formats: ['xps'], lines: words('comment text root') },
  {
    group: 'visio/formula',
    formats: ['vsdx'],
    lines: [
      ...words('RUNADDON RUNADDONWARGS RUNMACRO CALLTHIS DOCMD OPENFILE PLAYSOUND HYPERLINK QUEUEMARKEREVENT EVALTEXT'),
      'cell of another file',
      'between names with quotes',
      'unknown function',
    ],
  },
  {
    group: 'visio/element',
    formats: ['vsdx'],
    lines: [...words('EventList SolutionXML CustomMenusFile PublishSettings Windows'), 'foreign element'],
  },
  { group: 'visio/link', formats: ['vsdx'], lines: ['address'] },
  {
    group: 'visio/part',
    formats: ['vsdx'],
    lines: [
      ...words('macros solutions windows object'),
      'data connections',
      'data records',
      'custom XML',
      'external picture',
      'picture with an end',
      'unreached part',
      'file in base64',
      'value in a text',
    ],
  },
  {
    group: 'map/element',
    formats: ['kml', 'kmz'],
    lines: words(
      'NetworkLink NetworkLinkControl Url Model PhotoOverlay gx:Tour atom:link BalloonStyle/text h:script xi:include',
    ),
    marker: (line) => element(line.replace(/^.*[:/]/, '')),
  },
  { group: 'map/reference', formats: ['kml', 'kmz'], lines: words('Icon GroundOverlay styleUrl schemaUrl ItemIcon') },
  { group: 'map/words', formats: ['kml', 'kmz'], lines: words('description Snippet value address') },
  {
    group: 'map/frame',
    formats: ['kml', 'kmz'],
    lines: words('doctype instruction comment attribute schema text value'),
  },
  {
    group: 'map/file',
    formats: ['kmz'],
    lines: ['program', 'script', 'other map', 'model', 'page', 'false picture', 'archive'],
  },
  {
    group: 'book/element',
    formats: ['epub'],
    lines: words('script iframe object embed form video audio math epub:trigger h:script xi:include'),
    marker: (line) => element(line.replace(/^.*:/, '')),
  },
  // A drawing becomes a picture of the book, which may be one. What acts in it must go.
  { group: 'book/element', formats: ['epub'], lines: ['svg'] },
  {
    group: 'book/attribute',
    formats: ['epub'],
    lines: words('onclick style remote-src srcset poster a-href a-file svg-image xml-base up-and-out'),
  },
  {
    group: 'book/frame',
    formats: ['epub'],
    lines: [
      ...words('doctype instruction comment sheet refresh base root metadata manifest guide'),
      'table of contents',
    ],
  },
  {
    group: 'book/file',
    formats: ['epub'],
    lines: [...words('program script page font film drawing sheet archive'), 'false picture'],
  },
  { group: 'image/metadata', formats: ['png', 'jpg', 'gif', 'webp', 'tiff'], lines: ['exif', 'comment'] },
];

export const MUST_BE_GONE: readonly Row[] = [...OFFICE_ROWS, ...pdf, ...text].flatMap(
  ({ group, formats, lines, marker }) =>
    lines.map((line) => ({
      id: `${group}/${line}`,
      group,
      line,
      formats,
      markers: marker === undefined ? [] : [marker(line)],
    })),
);
