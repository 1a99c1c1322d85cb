/** Elements and attributes of Office XML that never reach the output, with the word the report uses for each. */

/** Elements that are removed with everything inside them. */
export const DROPPED_ELEMENTS: ReadonlyMap<string, string> = new Map([
  // Word
  ['w:altChunk', 'embedded foreign document'],
  ['o:OLEObject', 'embedded object'],
  ['w:control', 'ActiveX control'],
  ['w:attachedTemplate', 'external template'],
  ['w:linkStyles', 'external template'],
  ['w:mailMerge', 'mail merge source'],
  ['w:subDoc', 'linked document'],
  ['w:frameset', 'linked document'],
  ['w:docVars', 'document variables'],
  ['w:saveThroughXslt', 'linked document'],
  ['w:entryMacro', 'macro'],
  ['w:exitMacro', 'macro'],
  ['w:fldData', 'field data'],
  ['w:binData', 'embedded object'],
  ['w:movie', 'embedded media'],
  ['?:webVideoPr', 'embedded media'],
  ['w:dataBinding', 'custom XML data'],
  ['w15:dataBinding', 'custom XML data'],
  ['w:attachedSchema', 'custom XML data'],
  ['w:updateFields', 'field update on opening'],
  ['w:embedRegular', 'embedded font'],
  ['w:embedBold', 'embedded font'],
  ['w:embedItalic', 'embedded font'],
  ['w:embedBoldItalic', 'embedded font'],
  // Excel
  ['x:externalReferences', 'external workbook link'],
  ['x:ddeLink', 'external workbook link'],
  ['x:oleLink', 'external workbook link'],
  ['x:oleObjects', 'embedded object'],
  ['x:controls', 'ActiveX control'],
  ['x:functionGroups', 'macro'],
  ['x:webPublishing', 'web publishing'],
  ['x:webPublishItems', 'web publishing'],
  ['x:webPublishObjects', 'web publishing'],
  ['w:smartTagPr', 'smart tag'],
  ['w:smartTagType', 'smart tag'],
  ['x:smartTags', 'smart tag'],
  ['x:smartTagPr', 'smart tag'],
  ['x:smartTagTypes', 'smart tag'],
  ['x:cellSmartTags', 'smart tag'],
  ['x:customProperties', 'custom properties'],
  ['x15:dataModel', 'data connection'],
  ['x15:connection', 'data connection'],
  // PowerPoint
  ['p:controls', 'ActiveX control'],
  ['p:custDataLst', 'custom XML data'],
  ['p:htmlPubPr', 'web publishing'],
  ['p:cmd', 'slide command'],
  ['p:audio', 'embedded media'],
  ['p:video', 'embedded media'],
  ['p:sndAc', 'embedded media'],
  ['p:embeddedFontLst', 'embedded font'],
  ['a:snd', 'embedded media'],
  // Charts
  ['c:externalData', 'embedded object'],
  ['cx:externalData', 'embedded object'],
]);

/** Data about the author's computer. It is not live, so its removal is not reported. */
export const DROPPED_METADATA: ReadonlySet<string> = new Set(['x15ac:absPath']);

/** Containers whose schema requires at least one child. They are removed when they are empty. */
export const DROPPED_WHEN_EMPTIED: ReadonlySet<string> = new Set([
  'x:hyperlinks',
  'x:definedNames',
  'x:tableParts',
  'x:pivotCaches',
  'x:dataValidations',
  'x:conditionalFormatting',
  'x14:conditionalFormatting',
  'x14:dataValidations',
  'x14:sparklines',
  'x14:sparklineGroup',
  'p:childTnLst',
  'a:graphicData',
  // Extensions and picture effects whose only content named a removed part
  'p:ext',
  'a:ext',
  'x:ext',
  'c:ext',
  '?:imgProps',
  '?:imgLayer',
]);

/** Elements that are invalid without the child that has their content. */
export const REQUIRED_CHILDREN: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['vis:Page', new Set(['vis:Rel'])],
  ['vis:Master', new Set(['vis:Rel'])],
  ['vis:ForeignData', new Set(['vis:Rel'])],
  ['a:graphic', new Set(['a:graphicData'])],
  ['wp:inline', new Set(['a:graphic'])],
  ['wp:anchor', new Set(['a:graphic'])],
  ['w:drawing', new Set(['wp:inline', 'wp:anchor'])],
  ['p:graphicFrame', new Set(['a:graphic'])],
  ['xdr:graphicFrame', new Set(['a:graphic'])],
]);

/** Elements that stay without their target: a picture's empty frame keeps the layout, and page setups have other settings. */
export const WORKS_WITHOUT_REFERENCE: ReadonlySet<string> = new Set([
  'a:blip',
  'x:pageSetup',
  'c:pageSetup',
  'x:worksheetSource',
]);

/** Rules with their own formulas. A rule with a denied formula is removed. */
export const FORMULA_OWNERS: ReadonlySet<string> = new Set([
  'x:cfRule',
  'x14:cfRule',
  'x:dataValidation',
  'x14:dataValidation',
  'x14:sparkline',
  'x14:sparklineGroup',
]);

/** Elements whose text is a formula, besides those of cells. */
export const FORMULA_ELEMENTS: ReadonlySet<string> = new Set([
  'x:formula',
  'x:formula1',
  'x:formula2',
  'x:calculatedColumnFormula',
  'x:totalsRowFormula',
  'xm:f',
  'c:f',
  'c15:f',
  'c15:sqref',
  'cx:f',
  'cx:nf',
]);

/** Attributes whose value is a formula. A calculated field must have one, so a denied formula becomes `0`. */
export const FORMULA_ATTRIBUTES: ReadonlySet<string> = new Set([
  'x:cfvo@val',
  'x:cacheField@formula',
  'x:calculatedItem@formula',
]);

/** Attributes that refer to parts which no disarmed workbook has. The element works without them. */
export const DROPPED_ATTRIBUTES: ReadonlySet<string> = new Set([
  'x:table@connectionId',
  'x:table@tableType',
  'x:tableColumn@queryTableFieldId',
  'x:c@vm',
  'a:hlinkClick@invalidUrl',
  'a:hlinkHover@invalidUrl',
  'a:hlinkMouseOver@invalidUrl',
]);

/** Returns whether a click on a slide may do this, besides following a safe link. Programs, macros, files and OLE verbs are not allowed. */
export function isSafeSlideAction(action: string): boolean {
  return action === '' || /^ppaction:\/\/(hlinksldjump|hlinkshowjump(\?jump=[a-z]+)?|noaction|media)$/i.test(action);
}

/** Elements that a person clicks. Only they may name a relationship that leads out of the document; all others load what it names. */
export const CLICKED_ELEMENTS: ReadonlySet<string> = new Set([
  'w:hyperlink',
  'x:hyperlink',
  'a:hlinkClick',
  'a:hlinkHover',
  'a:hlinkMouseOver',
]);

/** References to a picture or film outside of the document. An element that has another one shows the copy in the document. */
export const OUTSIDE_REFERENCES: ReadonlySet<string> = new Set(['r:link', 'r:href', 'r:pict']);

/** Returns true for attributes that name a relationship. */
export function isReference(key: string): boolean {
  return key.startsWith('r:') || key === 'o:relid';
}

/** Returns true for VML of spreadsheets that may run or fetch on a click: FmlaMacro, FmlaLink, ScriptText and the like. */
export function isVmlScript(key: string): boolean {
  return /^xvml:(Fmla|Script|DDE|MapOCX|Camera)/.test(key);
}
