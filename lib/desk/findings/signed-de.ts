/** The texts that the flow itself signs about a file or a link beside the findings, in German. Other texts stay in English. */
import type { TypeGroup, Verdict } from '../../pipeline/model.ts';

type Said = (pieces: readonly string[]) => string;

const VERDICTS: Readonly<Record<Verdict, string>> = {
  malicious: 'schädlich',
  suspicious: 'verdächtig',
  benign: 'harmlos',
  unknown: 'unbekannt',
};

/** As written behind „entfernen“. */
const GROUPS: Readonly<Record<TypeGroup, string>> = {
  text: 'Texte',
  html: 'Webseiten',
  image: 'Bilder',
  media: 'Filme und Aufnahmen',
  pdf: 'PDF-Dokumente',
  office: 'Office-Dokumente',
  data: 'Tabellen, Termine und Visitenkarten',
  archive: 'Archive',
  email: 'angehängte Nachrichten',
  script: 'Skripte',
  executable: 'Programme',
  url: 'Links',
  other: 'Dateien anderer Art',
};

const CLAIMED: Readonly<Record<string, string>> = {
  'an archive': 'ein Archiv',
  'a message': 'eine Nachricht',
  'a program': 'ein Programm',
  'a file of another kind': 'eine Datei anderer Art',
};

const ANALYSES: Readonly<Record<string, string>> = {
  static: 'die statische Analyse',
  'static analysis': 'die statische Analyse',
  dynamic: 'die Analyse in der Sandbox',
  sandbox: 'die Analyse in der Sandbox',
  'sandbox analysis': 'die Analyse in der Sandbox',
  disarm: 'das Entschärfen',
  url_analysis: 'die Analyse des Links',
  'URL analysis': 'die Analyse des Links',
};

const FAILURES: Readonly<Record<string, string>> = {
  'did not finish in time': 'wurde nicht rechtzeitig fertig',
  failed: 'scheiterte',
  'cannot look inside: it is encrypted': 'kann nicht hineinsehen: Sie ist verschlüsselt',
  'cannot handle this type of file': 'kennt diese Art von Datei nicht',
  'refused it as too large': 'lehnte sie als zu groß ab',
  'could not read it: it is damaged or not what it claims to be':
    'konnte sie nicht lesen: Sie ist beschädigt oder nicht das, was sie zu sein vorgibt',
  'made a file of it that did not pass the last check':
    'machte daraus eine Datei, die die letzte Prüfung nicht bestand',
  'was not asked for it': 'wurde nicht danach gefragt',
};

const named = (names: Readonly<Record<string, string>>, name: string | undefined): string =>
  name !== undefined && Object.hasOwn(names, name) ? (names[name] ?? '') : (name ?? '');

const alternatives = (names: Readonly<Record<string, string>>) => Object.keys(names).join('|');

/** The sentences that never change. */
const WHOLE: Readonly<Record<string, string>> = {
  'nothing was found': 'nichts wurde gefunden',
  'it is empty': 'sie ist leer',
  'no analysis could judge it': 'keine Untersuchung konnte es beurteilen',
  'switched off': 'abgeschaltet',
  /** Runs of before say it so. */
  'made unclickable': 'nicht mehr anklickbar',
  'made anew from its safe content': 'aus ihrem unschädlichen Inhalt neu geschrieben',
  'policy asks for its disarmed form': 'die Regeln verlangen ihre entschärfte Form',
  'policy does not allow everything that is in it': 'die Regeln lassen nicht alles zu, was darin ist',
  'policy removes encrypted mail': 'die Regeln entfernen verschlüsselte Nachrichten',
  'written anew without what must go': 'neu geschrieben ohne das, was wegfallen muss',
  'the disarm took nothing out of it': 'beim Entschärfen wurde nichts daraus entfernt',
  'the disarm took nothing out of it that can act':
    'beim Entschärfen wurde nichts daraus entfernt, was etwas bewirken kann',
  'nothing but what it shows was found in it, and its signature is kept':
    'darin fand sich nichts außer dem, was sie zeigt, und ihre Unterschrift bleibt',
  'what the service returned was written anew before delivery':
    'was der Dienst zurückgab, wurde vor der Zustellung neu geschrieben',
  'it is still examined': 'sie wird noch untersucht',
  'it contains a link to a blocked address, or one that was not analysed, and the link cannot be taken out':
    'sie enthält einen Link zu einer gesperrten oder nicht untersuchten Adresse, der sich nicht herausnehmen lässt',
};

/** Sentences with something of the mail in them, which stays unchanged. */
const PATTERNS: readonly (readonly [RegExp, Said])[] = [
  [/^removed: (.+)$/s, ([what]) => `entfernt: ${what}`],
  [/^rewritten: (.+)$/s, ([what]) => `umgeschrieben: ${what}`],
  [
    /^nothing in it can act; left in it: (.+)$/s,
    ([what]) => `nichts darin kann etwas bewirken; darin geblieben: ${what}`,
  ],
  [
    /^policy removes (\w+) that is (\w+)$/,
    ([group, verdict]) => `die Regeln entfernen ${named(GROUPS, group)} mit dem Urteil „${named(VERDICTS, verdict)}“`,
  ],
  [
    /^something in it is (\w+) \((.+)\)$/s,
    ([verdict, where]) => `etwas darin ist ${named(VERDICTS, verdict)} (${where})`,
  ],
  [/^it is the signature of part (.+)$/s, ([part]) => `sie ist die Unterschrift von Teil ${part}`],
  [
    /^it is empty, but its name or its header says that it is (.+)$/,
    ([kind]) => `sie ist leer, ist aber ihrem Namen oder ihrem Kopf nach ${named(CLAIMED, kind)}`,
  ],
  [
    /^it was judged as (\w+), but the disarm read it as another type$/,
    ([group]) => `beurteilt wurde sie als: ${named(GROUPS, group)}; das Entschärfen las etwas anderes`,
  ],
  [
    new RegExp(`^(${alternatives(ANALYSES)}) analysis: (?:level (\\w+)|no level given)(?: with score (\\d+))?$`),
    ([analysis, verdict, score]) =>
      [
        `${named(ANALYSES, analysis)} sagt: ${verdict === undefined ? 'kein Urteil' : named(VERDICTS, verdict)}`,
        ...(score === undefined ? [] : [`${score} von 100`]),
      ].join(', '),
  ],
  [
    new RegExp(`^(${alternatives(ANALYSES)}) (${alternatives(FAILURES)}) \\((.*)\\)$`, 's'),
    ([analysis, failure, detail]) => `${named(ANALYSES, analysis)} ${named(FAILURES, failure)} (${detail})`,
  ],
  [/^not everything inside it was looked at: (.+)$/s, ([detail]) => `nicht alles darin wurde angesehen: ${detail}`],
];

/** Returns the sentence in German, or null for an unknown one. */
export function ownTextDe(text: string): string | null {
  if (Object.hasOwn(WHOLE, text)) return WHOLE[text] ?? null;
  for (const [pattern, said] of PATTERNS) {
    const found = pattern.exec(text);
    if (found !== null) return said(found.slice(1));
  }
  return null;
}
