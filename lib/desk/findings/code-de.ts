/** The findings about code in any language, in German, by the code of the finding. */
import type { GermanText } from './german-text.ts';

export const CODE_DE = {
  'code-auto-run': ['Läuft von selbst', 'Der Code läuft, sobald das Dokument geöffnet oder geschlossen wird.'],
  'code-executes': ['Startet ein Programm', 'Der Code startet ein Programm oder einen Befehl.'],
  'code-starts-command': [
    'Startet einen Befehl',
    'Der Code startet ein Programm oder führt Text als Code aus, wie es Skripte zur Verwaltung tun.',
  ],
  'code-command': [
    'Befehl des Skripts',
    'Das Skript setzt einen Befehl zusammen oder entschlüsselt ihn, und führt ihn aus. Hier steht der Befehl.',
  ],
  'code-hidden-words': [
    'Versteckte Namen von Systemprogrammen',
    'Der Code zerlegt, verdreht oder kodiert den Namen eines Programms oder Objekts des Systems und stellt ihn her, wenn er läuft.',
  ],
  'html-redirects': [
    'Seite, die nur weiterleitet',
    'Die Seite zeigt fast nichts und leitet sofort zu einer anderen Adresse weiter.',
  ],
  'html-knows-reader': [
    'Anmeldung mit ausgefüllter Adresse',
    'Die Seite fragt nach einem Kennwort, und eine E-Mail-Adresse ist schon eingetragen.',
  ],
  'html-sends-to-chat': [
    'Seite, die Eingaben an einen Chatdienst sendet',
    'Ein Skript der Seite sendet, was der Leser tippt, an einen Bot eines Chatdienstes.',
  ],
  'code-downloads': ['Lädt herunter', 'Der Code lädt etwas aus dem Netz herunter.'],
  'code-requests': ['Stellt Anfragen im Web', 'Der Code stellt Anfragen im Web, wie viele Seiten und Programme.'],
  'code-writes-file': ['Schreibt Dateien', 'Der Code schreibt Dateien.'],
  'code-persists': [
    'Sorgt dafür, wieder zu starten',
    'Der Code trägt sich dort ein, von wo das System Programme startet: ein Run-Schlüssel, eine geplante Aufgabe oder der Autostart-Ordner.',
  ],
  'code-loads-memory': [
    'Lädt Code in den Speicher',
    'Der Code belegt Speicher für Maschinencode oder lädt ein Programm ohne Datei.',
  ],
  'code-disables-defence': [
    'Schaltet Schutz ab',
    'Der Code schaltet den Schutz vor Schadprogrammen ab, löscht Sicherungen oder leert Protokolle.',
  ],
  'code-obfuscated': [
    'Unlesbar gemachter Code',
    'Der Code ist schwer lesbar gemacht: Wörter sind zerlegt, Text steht als Zahlen da, oder ein Werkzeug hat die Namen geändert.',
  ],
  'code-hidden-layer': ['Kodierte Schicht', 'Der Code enthält weiteren Code in kodierter Form.'],
  'code-hidden-program': ['Programm im Code versteckt', 'Der Code enthält ein Programm in kodierter Form.'],
  'macro-acts-by-itself': [
    'Makro, das von selbst läuft und angreift',
    'Wer das Dokument öffnet, startet ein Makro, das Programme startet, herunterlädt oder Code lädt.',
  ],
  'code-downloads-and-runs': [
    'Lädt herunter und führt aus',
    'Der Code lädt etwas aus dem Netz und startet ein Programm.',
  ],
  'code-hides-what-it-does': [
    'Verbirgt, was er tut',
    'Der Code ist kodiert oder unlesbar gemacht, um zu verbergen, dass er Programme startet, herunterlädt oder Code lädt.',
  ],
  'code-runs-in-memory': [
    'Führt Code ohne Datei aus',
    'Der Code entschlüsselt ein Programm oder lädt es herunter und führt es im Speicher aus.',
  ],
  'code-installs-itself': [
    'Installiert sich selbst',
    'Der Code startet Programme und lässt sich vom System wieder starten.',
  ],
  'shortcut-attack': [
    'Verknüpfung mit verstecktem Befehl',
    'Die Verknüpfung startet einen Befehlsinterpreter mit einem Befehl, der etwas herunterlädt, entschlüsselt oder verbirgt.',
  ],
  'pdf-attack': [
    'PDF, das beim Öffnen angreift',
    'Wer das Dokument öffnet, startet ein Programm oder ein unlesbar gemachtes Skript.',
  ],
  'html-delivers-program': [
    'Seite, die ein Programm überbringt',
    'Die Seite enthält ein Programm, ein Archiv oder ein Skript in kodierter Form und speichert es von selbst.',
  ],
  'html-login-trap': [
    'Anmeldeseite für einen bestimmten Empfänger',
    'Die Seite enthält die Adresse des Empfängers, fragt nach dem Kennwort und sendet es an einen anderen Ort.',
  ],
  'html-hidden-login': [
    'Versteckte Seite, die nach einem Kennwort fragt',
    'Die Seite ersetzt sich durch entschlüsselten Text, der nach einem Kennwort fragt und es an einen anderen Ort sendet.',
  ],
  'svg-attack': [
    'Zeichnung mit schädlichem Skript',
    'Die Zeichnung enthält ein Skript, das verbirgt, was es tut, oder den Leser zu einer anderen Adresse leitet.',
  ],
  'archive-disguised-program': [
    'Getarntes Programm in einem Archiv',
    'Eine Datei im Archiv ist ein Programm, das sich als Dokument ausgibt.',
  ],
  'xlm-acts-by-itself': [
    'Excel-4.0-Makro, das von selbst läuft',
    'Wer die Mappe öffnet, startet ein Makroblatt, das Programme startet oder das System aufruft.',
  ],
  'equation-attack': [
    'Angriff auf den Formel-Editor',
    'Ein Objekt für den alten Formel-Editor enthält einen zu langen Schriftnamen. Er überschreibt Speicher und führt Code aus.',
  ],
} as const satisfies Readonly<Record<string, GermanText>>;
