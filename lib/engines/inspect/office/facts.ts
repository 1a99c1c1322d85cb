/** Content that must not be in a disarmed Office Open XML package: one row per fact. */
import type { Fact } from '../fact.ts';
import { isLiveFieldCode, isLiveFormula, isLiveLink } from '../live-values.ts';

const element = (id: string, names: string): Fact => ({ id, find: { by: 'element', names } });
const relationship = (id: string, type: RegExp): Fact => ({ id, find: { by: 'relationship', type } });
const contentType = (id: string, type: RegExp): Fact => ({ id, find: { by: 'contentType', type } });
const path = (id: string, pattern: RegExp): Fact => ({ id, find: { by: 'path', path: pattern } });
const attribute = (id: string, names: string, value: RegExp): Fact => ({
  id,
  find: { by: 'attribute', names, value },
});
const text = (id: string, names: string, isLive: (text: string) => boolean): Fact => ({
  id,
  find: { by: 'text', names, isLive },
});

/** Elements are named without their prefix. Those of Word, Excel, PowerPoint, charts and VML are in one list. */
export const OFFICE_FACTS: readonly Fact[] = [
  relationship('office-vba', /vbaProject|wordVbaData/i),
  relationship('office-macrosheet', /xlMacrosheet|xlIntlMacrosheet|dialogsheet/i),
  relationship('office-toolbar', /attachedToolbars|keyMapCustomizations/i),
  relationship('office-custom-ui', /ui\/extensibility|ui\/userCustomization/i),
  relationship('office-ole-object', /\/oleObject$|\/package$/i),
  relationship('office-control', /\/control$|\/ctrlProp$|activeXControlBinary/i),
  relationship('office-template', /\/attachedTemplate$/i),
  relationship('office-foreign-chunk', /\/aFChunk$/i),
  relationship('office-frame', /\/frame$|\/subDocument$|\/transform$|\/htmlPubSaveAs$/i),
  relationship('office-mail-merge', /mailMerge(?:Header)?Source$|\/recipientData$/i),
  relationship('office-external-link', /\/externalLink(?:Path)?$|xlExternalLinkPath/i),
  relationship('office-connection', /\/connections$|\/queryTable$|\/xmlMaps$|\/volatileDependencies$/i),
  relationship('office-custom-property', /\/customProperty$|\/custom-properties$/i),
  relationship('office-printer', /\/printerSettings$/i),
  relationship('office-calc-chain', /\/calcChain$/i),
  relationship('office-revisions', /\/revisionHeaders$|\/revisionLog$|\/usernames$/i),
  relationship('office-custom-xml', /\/customXml(?:Props)?$/i),
  relationship('office-signature', /digital-signature\//i),
  relationship('office-web-extension', /webextension/i),
  relationship('office-slide-update', /slideUpdate(?:Url|Info)$/i),
  relationship('office-legacy-text', /legacyDocTextInfo|legacyDiagramText/i),
  relationship('office-media', /\/(?:audio|video)$|\/relationships\/media$/i),
  relationship('office-font', /\/font$/i),
  contentType('office-macro-type', /macroEnabled|vbaProject|vbaData|macrosheet|dialogsheet/i),
  contentType(
    'office-control-type',
    /activeX|oleObject|openxmlformats-officedocument\.package|keyMap|attachedToolbars/i,
  ),
  contentType('office-link-type', /externalLink|connections\+xml|queryTable|webextension/i),
  contentType(
    'office-foreign-type',
    /^(?:text\/html|application\/(?:rtf|postscript|pdf|x-msdownload)|message\/rfc822)$/i,
  ),
  path('office-binary-part', /(?:vbaProject|oleObject|activeX|vbaData|attachedToolbars|printerSettings)[^/]*\.bin$/i),
  path(
    'office-program-part',
    /\.(?:exe|dll|scr|js|vbs|hta|lnk|bat|cmd|ps1|docm|dotm|xlsm|xlsb|xlam|pptm|ppam|odttf)$/i,
  ),
  path(
    'office-folder',
    /(?:^|\/)(?:customUI|customXml|embeddings|activeX|macrosheets|externalLinks|webextensions|_xmlsignatures)\/|(?:^|\/)visio\/(?:data|solutions|windows)/i,
  ),
  element('word-foreign-chunk', 'altChunk'),
  element('office-ole-element', 'OLEObject oleObj oleObjects'),
  element('office-control-element', 'control controls'),
  element('word-template', 'attachedTemplate'),
  element('word-mail-merge', 'mailMerge'),
  element('word-subdocument', 'subDoc frameset'),
  element('word-variables', 'docVars'),
  element('word-xslt', 'saveThroughXslt'),
  element('word-web-film', 'webVideoPr'),
  element('word-form-macro', 'entryMacro exitMacro'),
  element('word-field-data', 'fldData binData'),
  element('word-data-binding', 'dataBinding attachedSchema'),
  element('excel-external-references', 'externalReferences ddeLink oleLink'),
  element('excel-function-groups', 'functionGroups'),
  element('excel-web-publishing', 'webPublishing webPublishItems webPublishObjects htmlPubPr'),
  element('excel-smart-tags', 'smartTags smartTagPr smartTagType smartTagTypes cellSmartTags'),
  element('excel-custom-properties', 'customProperties'),
  element(
    'excel-vml-formula',
    'FmlaMacro FmlaLink FmlaRange FmlaPict FmlaTxbx FmlaGroup ScriptText ScriptLocation MapOCX',
  ),
  element('vml-script', 'script'),
  element('slide-command', 'cmd custDataLst'),
  element('slide-media', 'audioFile videoFile quickTimeFile audioCd wavAudioFile'),
  element('chart-external-data', 'externalData'),
  attribute('excel-shape-macro', 'macro', /[^\s]/),
  attribute('excel-name-macro', 'vbProcedure xlm', /^(?:1|true)$/i),
  attribute('slide-action', 'action', /^ppaction:\/\/(?!hlinksldjump|hlinkshowjump|noaction|media)/i),
  attribute('vml-live-address', 'href', /^(?!https?:\/\/|mailto:|tel:|#|$)/i),
  attribute('vml-event', 'onclick onload onmouseover onmouseout onerror onfocus', /\S/),
  attribute('office-linked-picture', 'link pict', /\S/),
  attribute('vml-live-style', 'style', /url\s*\(|expression\s*\(|@import|behaviou?r\s*:|\\[0-9a-f]/i),
  attribute('vml-signature-address', 'sigprovurl addlxml', /\S/),
  attribute('excel-cache-source', 'sourceType', /external/i),
  attribute('excel-cache-source', 'connectionId', /\S/),
  text('office-properties', 'creator lastModifiedBy company manager hyperlinkBase', (name) => /\S/.test(name)),
  text('excel-formula', 'f nf formula formula1 formula2 calculatedColumnFormula totalsRowFormula', isLiveFormula),
];

/** An address with a scheme or a server. */
const OUTSIDE = /^[\p{Cc}\p{Cf}\s]*(?:[a-z][a-z0-9+.-]*:|[\\/]{2})/iu;

/** Returns the facts that need more than one attribute of an element. */
export function relationshipFault(attributes: ReadonlyMap<string, string>): string | null {
  const mode = (attributes.get('targetmode') ?? '').trim().toLowerCase();
  // Some programs load such a target although nothing says that it is outside.
  if (mode === '' || mode === 'internal')
    return OUTSIDE.test(attributes.get('target') ?? '') ? 'office-external-target' : null;
  const isHyperlink = /\/hyperlink$/i.test(attributes.get('type') ?? '');
  if (!isHyperlink) return 'office-external-target';
  return isLiveLink(attributes.get('target') ?? '') ? 'office-unsafe-link' : null;
}

/** Returns the fault of a defined name that runs, in any spelling, or names a macro. */
export function nameFault(attributes: ReadonlyMap<string, string>): string | null {
  const name = (attributes.get('name') ?? '').replace(/[\p{Cf}\p{Cc}\s]/gu, '');
  if (/^(?:_xlnm\.)?auto_?(?:open|close|activate|deactivate)/i.test(name)) return 'excel-auto-name';
  return /^(?:1|true)$/i.test(attributes.get('function') ?? '') ? 'excel-name-macro' : null;
}

/** Returns the fault of a field whose whole code is in an attribute. */
export function simpleFieldFault(attributes: ReadonlyMap<string, string>): string | null {
  return isLiveFieldCode(attributes.get('instr') ?? '') ? 'word-field' : null;
}

/** The attribute of an element that holds a formula. */
export const FORMULA_ATTRIBUTES: ReadonlyMap<string, string> = new Map([
  ['cfvo', 'val'],
  ['cachefield', 'formula'],
  ['calculateditem', 'formula'],
]);
