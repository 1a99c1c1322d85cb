/** The findings of a run of a script, in German, by the code of the finding. */
import type { GermanText } from './german-text.ts';

export const BEHAVIOUR_DE = {
  'behaviour-runs-download': [
    'Führt aus, was es herunterlädt',
    'Das Skript holt eine Datei, speichert sie und startet sie.',
  ],
  'behaviour-runs-dropped-file': ['Führt aus, was es schreibt', 'Das Skript schreibt eine Datei und startet sie.'],
  'behaviour-starts-interpreter': [
    'Startet ein Systemwerkzeug',
    'Das Skript startet einen Befehlsinterpreter, oder ein Systemwerkzeug, das Angriffe an dessen Stelle verwenden.',
  ],
  'behaviour-starts-program': ['Startet ein Programm', 'Das Skript startet ein Programm.'],
  'behaviour-stores-download': [
    'Speichert, was es herunterlädt',
    'Das Skript holt eine Datei und schreibt sie auf die Platte.',
  ],
  'behaviour-contacts-host': [
    'Nimmt Verbindung zu einem Host auf',
    'Das Skript stellt eine Anfrage von außerhalb eines Browsers.',
  ],
  'behaviour-page-request': ['Seite stellt eine Anfrage', 'Die Seite lädt etwas von einem Host, wie es Seiten tun.'],
  'behaviour-writes-program': [
    'Schreibt ein Programm oder ein Skript',
    'Das Skript schreibt eine Datei, die sich ausführen lässt.',
  ],
  'behaviour-writes-file': ['Schreibt eine Datei', 'Das Skript schreibt, kopiert oder verschiebt eine Datei.'],
  'behaviour-persistence': [
    'Sorgt dafür, wieder zu starten',
    'Das Skript schreibt an eine Stelle, von der Windows Programme startet.',
  ],
  'behaviour-registry-write': ['Ändert die Registry', 'Das Skript schreibt oder löscht Werte der Registry.'],
  'behaviour-system-survey': [
    'Sammelt Angaben über den Rechner',
    'Das Skript sammelt Namen, Programme, Hardware oder Schutzprogramme des Rechners.',
  ],
  'behaviour-evades-analysis': [
    'Sieht nach, ob es untersucht wird',
    'Das Skript sucht nach Zeichen virtueller Maschinen und nach Analysewerkzeugen.',
  ],
  'behaviour-long-delay': [
    'Wartet lange',
    'Das Skript wartet eine Minute oder länger, bevor es weitermacht. Die nachgeahmte Uhr wurde vorgestellt.',
  ],
  'behaviour-decoded-code': [
    'Entschlüsselt Code und führt ihn aus',
    'Das Skript erzeugt Code, der nicht in der Datei steht, und führt ihn aus.',
  ],
  'behaviour-page-decoded-code': [
    'Seite entschlüsselt Code',
    'Die Seite erzeugt Code oder Markup, das nicht in der Datei steht.',
  ],
  'behaviour-smuggled-file': [
    'Setzt in der Seite eine Datei zusammen',
    'Die Seite macht aus ihren eigenen Daten eine Datei und speichert sie. Kein Filter auf dem Weg sieht sie.',
  ],
  'behaviour-smuggled-program': [
    'Schmuggelt ein Programm',
    'Die Seite macht aus ihren eigenen Daten ein Programm, ein Skript, ein Archiv oder ein Datenträgerabbild und speichert es.',
  ],
  'behaviour-redirect': [
    'Leitet zu einer anderen Adresse weiter',
    'Ein Skript der Seite leitet zu einer anderen Adresse weiter.',
  ],
  'behaviour-sends-form': [
    'Sendet, was getippt wurde',
    'Das Skript sendet ein Formular mit dem Text, den ein Mensch getippt hat.',
  ],
  'behaviour-pdf-opens-url': [
    'Dokument öffnet einen Link oder eine Datei',
    'Das Skript des Dokuments öffnet eine Adresse oder eine andere Datei.',
  ],
  'behaviour-pdf-runs-attachment': [
    'Dokument öffnet seinen Anhang',
    'Das Skript des Dokuments speichert eine angehängte Datei und öffnet sie.',
  ],
  'behaviour-pdf-saves-attachment': [
    'Dokument speichert seinen Anhang',
    'Das Skript des Dokuments speichert eine angehängte Datei.',
  ],
  'behaviour-exploit-call': [
    'Aufruf eines Angriffs',
    'Das Skript ruft eine Funktion so auf, wie es bekannte Angriffe tun.',
  ],
  'behaviour-sends-mail': ['Sendet Mail', 'Das Skript sendet mit dem Mailprogramm eine Nachricht.'],
  'behaviour-deletes-itself': ['Löscht seine eigene Datei', 'Das Skript löscht die Datei, in der es kam.'],
  'behaviour-clipboard-command': [
    'Legt einen Befehl in die Zwischenablage',
    'Die Seite legt einen Befehl in die Zwischenablage, damit jemand ihn einfügt und ausführt.',
  ],
  'behaviour-malicious-file': [
    'Schädliche Datei erzeugt',
    'Das Skript hat eine Datei oder eine Schicht Code erzeugt, die für sich allein schädlich ist.',
  ],
  'behaviour-loads-assembly': [
    'Lädt ein .NET-Programm aus dem Speicher',
    'Das Skript macht aus Daten ein .NET-Programm und ruft es ohne Datei auf.',
  ],
  'behaviour-destroys-documents': [
    'Entfernt die Dokumente des Benutzers',
    'Das Skript löscht, verschiebt oder überschreibt mehrere Dokumente des Benutzers, wie es Erpressungsprogramme tun.',
  ],
  'behaviour-hidden-address': [
    'Seite verbirgt einen Hostnamen',
    'Die Seite lädt etwas von einem Host, dessen Name in ihrem Quelltext nicht zu sehen ist.',
  ],
  'behaviour-limit-reached': [
    'Erreichte eine Grenze',
    'Das Skript wurde an einer Grenze angehalten, deshalb wurde ein Teil seines Verhaltens nicht gesehen. Gewöhnliche Skripte bleiben weit unter den Grenzen.',
  ],
  'behaviour-incomplete': [
    'Nicht alles lief',
    'Ein Skript endete mit einem Fehler, verwendete etwas, das hier nicht nachgeahmt wird, oder ist in einer solchen Sprache.',
  ],
  'behaviour-no-effect': [
    'Kein erkennbarer Zweck',
    'Ein Skript für Windows lief und tat nichts Schädliches. Ein Skript, das die Untersuchung bemerkt, verhielte sich ebenso.',
  ],
} as const satisfies Readonly<Record<string, GermanText>>;
