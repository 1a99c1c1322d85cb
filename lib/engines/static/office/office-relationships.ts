/** Judges the content that the relationships of an Office package load. With an unknown kind, the file counts as not understood. */
import type { Finding } from '../../engine.ts';
import { type FindingId, finding } from '../findings/findings.ts';
import { isOwnFile, judgeClicked, judgeLoaded } from '../findings/link-target.ts';
import type { OpenPackage, Relationship } from './package-parts.ts';

/** Kinds that are dangerous with any target. A kind is the last segment of the relationship type. */
const DANGEROUS_KINDS: Readonly<Record<string, FindingId>> = {
  vbaproject: 'office-macro',
  vbaprojectsignature: 'office-macro',
  vbaprojectsignatureagile: 'office-macro',
  vbaprojectsignaturev3: 'office-macro',
  wordvbadata: 'office-macro',
  xlmacrosheet: 'office-xlm-macro',
  xlintlmacrosheet: 'office-xlm-macro',
  dialogsheet: 'office-xlm-macro',
  attachedtoolbars: 'office-add-in',
  keymapcustomizations: 'office-add-in',
  extensibility: 'office-add-in',
  usercustomization: 'office-add-in',
  webextension: 'office-add-in',
  webextensiontaskpanes: 'office-add-in',
  oleobject: 'office-embedded-object',
  control: 'office-activex',
  activexcontrolbinary: 'office-activex',
  attachedtemplate: 'office-external-template',
  afchunk: 'office-alternative-content',
  frame: 'office-external-content',
  subdocument: 'office-external-content',
  transform: 'office-external-content',
  htmlpubsaveas: 'office-external-content',
  slideupdateurl: 'office-external-content',
  mailmergesource: 'office-data-connection',
  mailmergeheadersource: 'office-data-connection',
  externallink: 'office-data-connection',
  externallinkpath: 'office-data-connection',
  xlpathmissing: 'office-data-connection',
  xlstartup: 'office-data-connection',
  xlalternatestartup: 'office-data-connection',
  xllibrary: 'office-data-connection',
  connections: 'office-data-connection',
  querytable: 'office-data-connection',
};

/** Kinds in ordinary documents. */
const HARMLESS_KINDS = new Set(
  (
    'officedocument styles settings websettings fonttable theme themeoverride numbering footnotes endnotes comments ' +
    'commentsextended commentsids commentsextensible people header footer image hyperlink worksheet chartsheet sharedstrings ' +
    'slide slidelayout slidemaster notesslide notesmaster handoutmaster presprops viewprops tablestyles core-properties ' +
    'extended-properties custom-properties thumbnail chart chartex chartusershapes chartcolorstyle chartstyle drawing vmldrawing ' +
    'table tablesinglecells pivottable pivotcachedefinition pivotcacherecords calcchain printersettings glossarydocument ' +
    'diagramdata diagramlayout diagramquickstyle diagramcolors diagramdrawing styleswitheffects sheetmetadata metadata person ' +
    'threadedcomment tags commentauthors authors slicer slicercache timeline timelinecache font customxml customxmlprops ' +
    'document pages page masters master windows validation ' +
    'extendedproperties origin signature xmlmaps customproperty revisionheaders revisionlog usernames recipientdata ' +
    'legacydiagramtext legacydoctextinfo changesinfo intelligence ' +
    'xlbinaryindex audio video media hdphoto classificationlabels revisioninfo changesinfos documenttasks package ctrlprop'
  ).split(' '),
);

/** An object that is a web page, which the browser engine inside of Office loads. */
const REMOTE_PAGE = /^(?:mhtml:|x-usc:|https?:.{0,500}(?:!|\.html?(?:[?#]|$)|\.hta(?:[?#]|$)))/i;

export interface RelationshipResult {
  readonly findings: readonly Finding[];
  /** False when a kind of relationship is on neither of the lists of harmless and dangerous kinds. */
  readonly understood: boolean;
}

/** Judges all relationships of a package. */
export function judgeRelationships({ relationships }: Pick<OpenPackage, 'relationships'>): RelationshipResult {
  const findings = relationships.flatMap(judge);
  const understood = relationships.every(
    ({ kind }) => HARMLESS_KINDS.has(kind) || Object.hasOwn(DANGEROUS_KINDS, kind),
  );
  return { findings, understood };
}

function judge(relationship: Relationship): Finding[] {
  const { kind, isExternal, untrustedTarget, from } = relationship;
  const dangerous = Object.hasOwn(DANGEROUS_KINDS, kind) ? DANGEROUS_KINDS[kind] : undefined;
  if (kind === 'attachedtemplate' && isExternal && isOwnFile(untrustedTarget)) return [];
  if (dangerous !== undefined) {
    const isPage = isExternal && kind === 'oleobject' && REMOTE_PAGE.test(visible(untrustedTarget));
    const evidence = isExternal ? untrustedTarget : undefined;
    return [
      finding(dangerous, from, evidence),
      ...(isPage ? [finding('office-remote-html', from, untrustedTarget)] : []),
    ];
  }
  if (!isExternal) return [];
  const id =
    kind === 'hyperlink' ? judgeClicked(untrustedTarget) : (judgeLoaded(untrustedTarget) ?? 'office-file-link');
  return id === null ? [] : [finding(id, from, untrustedTarget)];
}

/** Returns the target without control characters and invisible ones, which would hide its scheme from a comparison. */
function visible(untrustedTarget: string): string {
  return untrustedTarget.replace(/[\p{Cc}\p{Cf}\s]/gu, '');
}
