/**
 * The active elements of HTML, and the elements that a rebuilt page may have. These are two closed lists. An element on neither is
 * unwrapped.
 */

/** Elements that run, load or ask for something, and elements whose content browsers and mail programs read differently. */
export const ACTIVE_ELEMENTS: ReadonlyMap<string, string> = new Map([
  ['script', 'script'],
  ['noscript', 'script'],
  ['iframe', 'frame'],
  ['frame', 'frame'],
  ['frameset', 'frame'],
  ['noframes', 'frame'],
  ['portal', 'frame'],
  ['fencedframe', 'frame'],
  ['object', 'embedded object'],
  ['embed', 'embedded object'],
  ['applet', 'embedded object'],
  ['param', 'embedded object'],
  ['noembed', 'embedded object'],
  ['bgsound', 'media'],
  ['audio', 'media'],
  ['video', 'media'],
  ['source', 'media'],
  ['track', 'media'],
  ['form', 'form'],
  ['input', 'form'],
  ['button', 'form'],
  ['select', 'form'],
  ['textarea', 'form'],
  ['keygen', 'form'],
  ['isindex', 'form'],
  ['base', 'base address'],
  ['template', 'template'],
  ['svg', 'foreign markup'],
  ['math', 'foreign markup'],
  ['xmp', 'unparsed markup'],
  ['plaintext', 'unparsed markup'],
]);

/** Elements of Office's name spaces, without their prefixes, that embed an object or make Word load a file. */
export const OFFICE_ELEMENTS: ReadonlyMap<string, string> = new Map([
  ['oleobject', 'embedded object'],
  ['attachedtemplate', 'attached template'],
  ['mailmerge', 'data source'],
]);

/** Active elements whose content is text for the reader. The element is removed and its content stays. */
export const UNWRAPPED_ACTIVE = new Set(['form', 'button']);

/** Elements that are removed with all their content, which is not for the reader or must not reach any program. */
export const DROPPED_ELEMENTS = new Set([
  ...[...ACTIVE_ELEMENTS.keys()].filter((name) => !UNWRAPPED_ACTIVE.has(name)),
  'style',
  'link',
  'meta',
  'xml',
  'canvas',
  'option',
  'optgroup',
  'datalist',
]);

/** `rel` values of a link element that make a program load its target. The last two are the macros and embedded objects of Office. */
export const LOADING_RELATIONS =
  /(?:^|\s)(?:stylesheet|import|preload|modulepreload|prefetch|prerender|manifest|edit-time-data|ole-object-data)(?=\s|$)/i;

/** Returns the words of a list. */
export const names = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

export const ALLOWED_ELEMENTS = names(`
  html head title body
  h1 h2 h3 h4 h5 h6 p div span br hr wbr pre blockquote address center article aside section header footer main nav figure
  figcaption details summary hgroup
  b strong i em u s strike del ins small big sub sup tt code kbd samp var cite dfn abbr acronym q mark time font bdi bdo
  ruby rt rp data nobr
  ul ol li dl dt dd dir menu
  table caption colgroup col thead tbody tfoot tr td th
  a img map area
`);

/** A meta element of one of these names is about a person. */
export const AUTHOR_NAMES = names('author creator owner reply-to');

/**
 * Kinds of passive content that a page loses: pictures and style from elsewhere, and content that no reader sees. A pipeline may read these
 * words in the report. No active content is reported under any of them.
 */
export const PASSIVE = {
  remotePicture: 'remote picture',
  pictureSet: 'picture set',
  background: 'background picture',
  style: 'page style',
  linkedFile: 'linked file',
  comment: 'page comment',
  data: 'data attribute',
  metadata: 'page metadata',
  author: 'author',
  link: 'other link',
  element: 'other element',
  attribute: 'other attribute',
} as const;

export const VOID_ELEMENTS = names('br hr wbr col img area');

/** Attributes that any allowed element may have. Values are plain words, numbers, colours or text. No program opens them. */
export const ALLOWED_ATTRIBUTES = names(`
  id dir lang title align valign width height bgcolor color face size border bordercolor cellpadding cellspacing colspan
  rowspan alt summary nowrap start type value reversed datetime abbr scope headers span char charoff hspace vspace clear
  compact noshade frame rules open name shape coords text link vlink alink topmargin leftmargin marginwidth marginheight
  class role rel target
`);

/** Attributes that make old mail programs write data of the page, or of a file, into the page as markup. */
export const DATA_BINDING = names('datasrc datafld dataformatas');

/** Attributes that contain a URL, in any element; in lower case, without a name space prefix. */
export const URL_ATTRIBUTES = names(
  'href src action formaction data background poster cite longdesc dynsrc lowsrc manifest archive codebase srcset ping from to values',
);
