/** The properties of Word's own style that say how a text looks. Fields, comments, headers and data sources are not among them. */
import { oneOf } from '../../../formats/patterns.ts';

/** The words that may follow the name of a border. */
const BORDER = oneOf(`
  top bottom left right between insideh insidev bar alt shadow color effect source width style themecolor surround-footer
  surround-header
`);

/** Names that begin with `mso-`, by families. Every mail of Outlook, and most newsletters, have them. */
export const WORD_PROPERTIES = new RegExp(
  `^mso-${oneOf(`
    ligatures number-(?:form|spacing) contextual-alternates stylistic-set
    (?:ansi|ascii|bidi|fareast|hansi|latin)(?:-[a-z]+){1,3}
    style-(?:link|name|next|noshow|parent|priority|qformat|type|unhide|update|locked)
    font-(?:alt|charset|format|kerning|pitch|signature|width) generic-font-family default-(?:props|height|width)
    line-(?:height|break)(?:-[a-z]+)? text-(?:raise|animation|indent-alt|scale|fit|fill|shadow|combine) text-combine-[a-z]+
    char-(?:indent|indent-count|indent-size|type|wrap|spacing|width)
    (?:para-)?margin(?:-(?:top|bottom|left|right|alt)){0,2} (?:top|bottom|left|right)-(?:alt|percent) row-margin-(?:left|right)
    padding(?:-(?:top|bottom|left|right|between|alt)){0,2}
    border(?:-${BORDER}){0,3} (?:diagonal)-(?:down|up)(?:-[a-z]+)?
    cellspacing yfti-[a-z]+ (?:tstyle|yfti)-[a-z]+(?:-[a-z]+)? table-[a-z]+(?:-[a-z]+)? vertical-[a-z]+(?:-[a-z]+)?
    list list-(?:id|type|template-ids|name|style-name|change) level-[a-z]+(?:-[a-z]+){0,2}
    pagination outline-level outline-parent hyphenate layout-grid-align layout-grid-[a-z]+ hide highlight ignore no-proof
    spacerun tab-count bookmark effects(?:-[a-z]+){0,3}
    (?:[a-z]+-)?theme(?:color|shade|tint|-color|-font|-font-[a-z]+) (?:style-)?text(?:fill|outline)(?:-[a-z]+){1,5}
    style-text(?:fill|outline)-[a-z-]{1,40} color-alt
    shading shading-[a-z]+ background-[a-z]+ pattern pattern-[a-z]+ rotate protection number-format width-[a-z]+ width
    height height-[a-z]+ (?:fit|wrap)(?:-[a-z]+){1,3} position-[a-z]+(?:-[a-z]+)?
    (?:header|footer)-margin paper-source page-orientation page-border(?:-[a-z]+){1,3} columns column-[a-z]+ title-page
    gutter-[a-z]+ twoway mirror-margins endnote-[a-z]+ footnote-(?:position|numbering|numbering-[a-z]+)
    (?:footnote|endnote)-id displayed-(?:decimal|thousand)-separator break-type footnote-numbering-[a-z]+
    element element-(?:frame|anchor|wrap|left|top|linespan|dropcap)(?:-[a-z]+){0,2} special-character data-placement
    arabic-[a-z]+ ruby-[a-z]+ revision-[a-z]+
  `)}$`,
);

/** Properties that can also turn text into something else, with the values that only place it. */
const PLACING: Readonly<Record<string, RegExp>> = {
  'mso-element': /^(?:para-border-div|frame|dropcap-dropped)$/i,
  'mso-special-character': /^(?:line-break|column-break|page-break)$/i,
  'mso-data-placement': /^same-cell$/i,
};
/** Words, numbers, colours and strings. A bracket could belong to a load. */
const VALUE = /^(?:""|[\p{L}\p{N}\p{Co}\s#%.,+/*=!_$@?|&~§·•-])*$/u;

/** Returns true when the value of a property of Word only describes a look. Strings in it are already empty. */
export function wordValue(property: string, value: string): boolean {
  const placing = PLACING[property];
  return placing === undefined ? VALUE.test(value) : placing.test(value.replace(/\s*!\s*important$/i, ''));
}
