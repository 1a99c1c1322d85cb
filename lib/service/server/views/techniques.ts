/**
 * The category of a finding, and the techniques of MITRE ATT&CK that it indicates. They only state what the finding itself shows, because
 * nobody has seen what else the file would do.
 */

/** The techniques by the id of the finding. A finding outside the list indicates no particular technique. */
const TECHNIQUES: Readonly<Record<string, readonly string[]>> = {
  // T1204.002: the user opens a malicious file. T1059: a command or script interpreter.
  'office-macro': ['T1059.005', 'T1204.002'],
  'office-macro-hidden': ['T1059.005', 'T1564.007'],
  'office-xlm-macro': ['T1059', 'T1204.002'],
  'office-external-template': ['T1221'],
  'office-external-content': ['T1221'],
  'office-embedded-object': ['T1204.002'],
  'office-embedded-program': ['T1027.009', 'T1204.002'],
  'office-activex': ['T1559.001'],
  'office-dde': ['T1559.002'],
  'office-active-field': ['T1559.002'],
  'office-add-in': ['T1137.006'],
  'office-custom-code': ['T1059', 'T1204.002'],
  'rtf-object': ['T1203', 'T1204.002'],
  'rtf-active': ['T1221'],
  'pdf-javascript': ['T1059.007', 'T1204.002'],
  'pdf-launch': ['T1204.002'],
  'pdf-embedded-file': ['T1027.009'],
  'html-script': ['T1059.007'],
  'html-event-handler': ['T1059.007'],
  'html-smuggling': ['T1027.006'],
  'image-trailing-data': ['T1027.009'],
  polyglot: ['T1036.008'],
  'bidi-control': ['T1036.002'],
  'disguised-program': ['T1036'],
  'double-extension': ['T1036.007'],
  'archive-executable': ['T1204.002'],
  'disk-image': ['T1553.005'],
  'disk-image-program': ['T1204.002', 'T1553.005'],
  shortcut: ['T1204.002'],
  'shortcut-runs-interpreter': ['T1059', 'T1204.002'],
  'shortcut-remote-target': ['T1187', 'T1204.002'],
  'onenote-embedded-file': ['T1204.002'],
  'program-in-base64': ['T1027.009'],
  'vba-automatic-run': ['T1059.005', 'T1204.002'],
  'vba-download': ['T1059.005', 'T1105'],
  'excel4-macro-formula': ['T1059', 'T1204.002'],
  'dde-command': ['T1559.002'],
  'equation-editor-object': ['T1203'],
  'ole-remote-link': ['T1203', 'T1221'],
  'rtf-self-updating-object': ['T1203'],
  'active-mime': ['T1027', 'T1059.005'],
  'powershell-download-and-run': ['T1059.001', 'T1105'],
  'powershell-encoded-command': ['T1027.010', 'T1059.001'],
  'powershell-hidden': ['T1059.001', 'T1564.003'],
  'script-host-dropper': ['T1059.005', 'T1105'],
  'system-tool-abuse': ['T1218'],
  'javascript-self-decoding': ['T1027', 'T1059.007'],
  'vbscript-character-chain': ['T1027', 'T1059.005'],
  'svg-script': ['T1059.007'],
  'pdf-exploit-script': ['T1059.007', 'T1203'],
  'pdf-launches-system-tool': ['T1204.002', 'T1218'],
  'script-url': ['T1059.007', 'T1204.001'],
  'data-document': ['T1027.006', 'T1204.001'],
  'file-share': ['T1187'],
  'program-scheme': ['T1204.001'],
  'user-information': ['T1036', 'T1566.002'],
  'mixed-script-host': ['T1036', 'T1566.002'],
  'borrowed-brand': ['T1566.002', 'T1656'],
  'program-download': ['T1105', 'T1204.001'],
};

/** Categories for the first words of ids that are not the category itself. */
const CATEGORIES: Readonly<Record<string, string>> = {
  vba: 'office',
  excel4: 'office',
  dde: 'office',
  equation: 'office',
  ole: 'office',
  onenote: 'office',
  macro: 'office',
  xlm: 'office',
  active: 'office',
  powershell: 'script',
  javascript: 'script',
  vbscript: 'script',
  code: 'script',
  svg: 'image',
  disguised: 'masquerading',
  double: 'masquerading',
  bidi: 'masquerading',
  polyglot: 'masquerading',
  msi: 'program',
  eicar: 'test',
};

/** First words that are categories. */
const KNOWN_WORDS = new Set([
  'office',
  'pdf',
  'rtf',
  'html',
  'image',
  'archive',
  'script',
  'shortcut',
  'program',
  'disk',
  'text',
  'calendar',
  'xml',
  'behaviour',
  'mail',
]);

/** Returns the techniques that a finding indicates, sorted. */
export const techniquesOf = (findingId: string): readonly string[] =>
  (Object.hasOwn(TECHNIQUES, findingId) ? TECHNIQUES[findingId] : undefined) ?? [];

/** Returns the category of a finding. `of` is the kind of the submission, for findings without a narrower category. */
export function categoryOf(findingId: string, of: 'file' | 'url'): string {
  const word = findingId.split('-')[0] ?? '';
  if (Object.hasOwn(CATEGORIES, word)) return CATEGORIES[word] ?? of;
  return of === 'file' && KNOWN_WORDS.has(word) ? word : of;
}
