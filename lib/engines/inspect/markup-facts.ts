/** Content that must not be in disarmed HTML, SVG and OpenDocument markup: one row per fact. */
import type { Fact, ValueTest } from './fact.ts';
import { isLiveLink, OUTSIDE_INDIRECT } from './live-values.ts';

/** Style that runs or loads something. It is compared without comments and escapes. The rest is read by a grammar (page-style.ts). */
const LIVE_STYLE =
  /expression\s*\(|-moz-binding|javascript:|vbscript:|behaviou?r\s*:|@import|(?:url(?!\("(?:cid:|data:image\/(?:png|jpe?g|gif|webp|bmp);)[\w.@$%=;,/-]*"\))|src|image|image-set|cross-fade|element)\s*\(/i;

const html = (id: string, names: string): Fact => ({ id, find: { by: 'element', names } });

export const HTML_FACTS: readonly Fact[] = [
  html('html-script', 'script noscript'),
  html('html-frame', 'iframe frame frameset noframes portal fencedframe'),
  html('html-object', 'object embed applet param noembed'),
  html('html-media', 'bgsound audio video source track'),
  html('html-form', 'form input button select textarea keygen isindex'),
  html('html-base', 'base'),
  html('html-template', 'template'),
  html('html-foreign-markup', 'svg math'),
  html('html-unparsed-markup', 'xmp plaintext listing'),
  html('html-style-sheet', 'link'),
  {
    id: 'html-refresh',
    find: { by: 'attribute', names: 'http-equiv', value: /refresh|set-cookie/i },
  },
  {
    id: 'html-inline-document',
    find: { by: 'attribute', names: 'srcdoc formaction action ping attributionsrc', value: /^/ },
  },
  {
    id: 'html-load',
    find: {
      by: 'attribute',
      names: 'srcset imagesrcset poster lowsrc dynsrc data codebase archive manifest longdesc classid',
      value: /^/,
    },
  },
  // A picture of the message, or one in the page itself.
  {
    id: 'html-remote-source',
    find: { by: 'attribute', names: 'src background', value: /^(?!cid:|data:image\/(?:png|jpe?g|gif|webp|bmp)[;,])/i },
  },
  // Our own attributes say where pictures of other servers were. They name no server.
  {
    id: 'html-held-picture',
    find: { by: 'attribute', names: 'airlock-src airlock-background', value: /^(?![0-9a-f]{64}$)/ },
  },
  { id: 'html-live-style', find: { by: 'attribute', names: 'style', value: LIVE_STYLE } },
];

const svg = (id: string, names: string): Fact => ({ id, find: { by: 'element', names } });
const svgAttribute = (id: string, names: string, value: RegExp): Fact => ({
  id,
  find: { by: 'attribute', names, value },
});

export const SVG_FACTS: readonly Fact[] = [
  svg('svg-script', 'script handler listener'),
  svg('svg-foreign-markup', 'foreignObject iframe object embed audio video html'),
  svg('svg-style-sheet', 'style'),
  svg('svg-animation', 'set animate animateColor animateMotion animateTransform discard mpath'),
  svgAttribute(
    'svg-address',
    'href src',
    /^\s*(?!#|https?:\/\/|mailto:|tel:|data:image\/(?:png|jpeg|gif|webp);base64,)\S/i,
  ),
  svgAttribute(
    'svg-loaded-style',
    'style fill stroke filter mask clip-path marker marker-start marker-mid marker-end cursor',
    /url\s*\((?!\s*(?:["']\s*)?#)|expression\s*\(|@import|\\/i,
  ),
];

/** A link with several texts as its target, or with a target outside of the web. Its parts are not known. */
const JOINED_LINK = /HYPERLINK\s*\(\s*(?!"#|"(?:https?:\/\/|mailto:|tel:)(?:[^"]|"")*"(?!"|\s*&))/i;

const odf = (id: string, names: string): Fact => ({ id, find: { by: 'element', names } });
const odfAttribute = (id: string, names: string, value: ValueTest): Fact => ({
  id,
  find: { by: 'attribute', names, value },
});

export const ODF_FACTS: readonly Fact[] = [
  odf(
    'odf-script',
    'scripts script libraries library-embedded source-code event-listener event-listeners execute-macro error-macro',
  ),
  odf('odf-object', 'object object-ole plugin applet floating-frame'),
  odf('odf-dde', 'dde-connection dde-connection-decl dde-connection-decls dde-link dde-source dde-links'),
  odf(
    'odf-database',
    'database-display database-next database-row-select database-name database-row-number table-source cell-range-source',
  ),
  odf('odf-database', 'database-source-sql database-source-table database-source-query source-service data-mapping'),
  odf(
    'odf-linked-content',
    'section-source alphabetical-index-auto-mark-file connection-resource template auto-reload',
  ),
  odf('odf-sound', 'sound audio command'),
  odf('odf-field-code', 'fieldmark fieldmark-start'),
  odf('odf-form-data', 'model instance submission forms control'),
  odf('odf-font', 'font-face-src font-face-uri definition-src'),
  odfAttribute('odf-live-formula', 'formula condition expression', JOINED_LINK),
  odfAttribute('odf-live-formula', 'formula condition expression', /WEBSERVICE|\bDDE\s*\(|FILTERXML|file:|\\\\/i),
  odfAttribute('odf-live-formula', 'formula condition expression', OUTSIDE_INDIRECT),
  odfAttribute('odf-live-formula', 'value', /(?:WEBSERVICE|FILTERXML|\bDDE)\s*\(/i),
  odfAttribute(
    'odf-external-reference',
    'name source-cell-range-addresses cell-range-address label-cell-range-address data-cell-range-address data-range',
    /^\s*'[^\n]{1,4000}'#|file:\/\//i,
  ),
  odfAttribute('odf-unsafe-link', 'url local-url', { test: isLiveLink }),
  // The program would load the part of itself that has this name.
  odfAttribute('odf-shape-engine', 'engine', /\S/),
  odfAttribute('odf-script', 'message-type', /^macro$/i),
  // This is asked only for the part about the document. A field that shows a name is text.
  {
    id: 'odf-properties',
    find: { by: 'text', names: 'creator initial-creator printed-by', isLive: (name) => /\S/.test(name) },
  },
  odfAttribute('odf-form-command', 'command', /\S/),
  odfAttribute('odf-external-address', 'href', /^(?!https?:\/\/|mailto:|tel:)(?:[a-z][a-z0-9+.-]*:|\/|\\|\.\.\/)/i),
  {
    id: 'odf-basic',
    find: { by: 'path', path: /^(?:Basic|Scripts|Configurations2|Thumbnails|Object[^/]*|ObjectReplacements)\/./i },
  },
  { id: 'odf-signature', find: { by: 'path', path: /^META-INF\/(?!manifest\.xml$)./i } },
  { id: 'odf-encrypted', find: { by: 'element', names: 'encryption-data' } },
];
