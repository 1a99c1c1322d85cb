/** The findings of a visit to a link, in German, by the code of the finding. */
import type { GermanText } from './german-text.ts';

export const VISITS_DE = {
  'login-on-look-alike': [
    'Kennwortformular auf einem nachgeahmten Host',
    'Der Hostname enthält oder imitiert eine Marke, der er nicht gehört, und seine Seite fragt nach einem Kennwort.',
  ],
  'brand-page-elsewhere': [
    'Kopie der Seite einer Marke auf einem anderen Host',
    'Die Seite hat Titel und Logo einer bekannten Marke und fragt nach einem Kennwort, aber der Host gehört der Marke nicht.',
  ],
  'brand-title-elsewhere': [
    'Titel einer Marke auf einem anderen Host',
    'Die Seite hat den Titel oder das Logo einer bekannten Marke und fragt nach einem Kennwort, aber der Host gehört der Marke nicht.',
  ],
  'credentials-elsewhere': [
    'Kennwort geht an einen anderen Ort',
    'Ein Formular der Seite sendet ein Kennwort an eine andere Domain.',
  ],
  'credentials-unprotected': [
    'Kennwort ohne TLS',
    'Ein Formular der Seite sendet ein Kennwort über eine Verbindung, die nicht verschlüsselt ist.',
  ],
  'page-writes-itself': [
    'Seite, die in einem Skript steckt',
    'Ein Skript der Seite entschlüsselt einen langen Text und zeigt ihn als Seite. Ohne das Skript ist der Inhalt nicht zu lesen.',
  ],
  'redirect-to-internal': [
    'Weiterleitung in ein privates Netz',
    'Die Adresse leitet zu diesem Rechner, in ein privates Netz oder zu einem Metadatendienst weiter. Der Weiterleitung wurde nicht gefolgt.',
  ],
  'internal-address': [
    'Private Adresse',
    'Der Host ist eine Adresse, die nicht öffentlich ist, oder führt zu einer. Sie wurde nicht besucht.',
  ],
  'redirect-to-danger': [
    'Weiterleitung zu etwas Gefährlichem',
    'Die Adresse leitet zu etwas weiter, das etwas ausführt oder öffnet (javascript:, data:, file:, ein Programm). Der Weiterleitung wurde nicht gefolgt.',
  ],
  'many-redirects': ['Viele Weiterleitungen', 'Die Adresse führt durch mehr Weiterleitungen, als ein Besuch mitgeht.'],
  'leads-elsewhere': ['Führt an einen anderen Ort', 'Die Adresse leitet zu einer anderen Domain weiter.'],
  'script-redirect': [
    'Weiterleitung durch ein Skript',
    'Ein Skript der Seite leitet den Browser weiter. Filter, die keine Skripte ausführen, sehen das nicht.',
  ],
  'loses-protection': [
    'Weiterleitung zu einer unverschlüsselten Seite',
    'Eine Weiterleitung führt von einer verschlüsselten Verbindung zu einer unverschlüsselten.',
  ],
  'certificate-refused': [
    'Ungültiges Zertifikat',
    'Das Zertifikat des Hosts ist abgelaufen, gehört zu einem anderen Namen oder kommt von niemandem, dem vertraut wird. Der Besuch endete dort.',
  ],
  'download-malicious': [
    'Schädliche Datei zum Herunterladen',
    'Die Adresse führt zu einer Datei, die die statische Analyse für schädlich hält.',
  ],
  'download-suspicious': [
    'Verdächtige Datei zum Herunterladen',
    'Die Adresse führt zu einer Datei, die die statische Analyse für verdächtig hält.',
  ],
  'download-offered': ['Führt zu einer Datei', 'Die Adresse führt zu einer Datei. Sie wurde untersucht.'],
  'page-refused': [
    'Keine Seite gezeigt',
    'Der Server antwortete mit einem Fehler. Es gab keine Seite zu beurteilen; anderen Besuchern zeigt er vielleicht eine.',
  ],
  'whole-frame': ['Seite in einer Seite', 'Die ganze Seite ist ein Rahmen, der eine andere zeigt.'],
  'visit-ended': ['Besuch nicht beendet', 'Der Besuch kam nicht zum Ende. Deshalb gilt die Seite nicht als harmlos.'],
} as const satisfies Readonly<Record<string, GermanText>>;
