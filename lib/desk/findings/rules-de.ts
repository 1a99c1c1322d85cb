/**
 * The findings of the YARA rules of this project, in German, by the code of the finding. Rules of an operator stay in the operator's words.
 */
import type { GermanText } from './german-text.ts';

export const RULES_DE = {
  'pdf-exploit-script': [
    'PDF-Skript eines Angriffs',
    'Ein Skript, das den Speicher füllt oder Funktionen aufruft, die Angriffe verwenden.',
  ],
  'pdf-launches-system-tool': ['PDF startet ein Systemwerkzeug', 'Eine Startaktion nennt einen Befehlsinterpreter.'],
  'shortcut-runs-interpreter': [
    'Verknüpfung, die einen Befehl ausführt',
    'Eine Windows-Verknüpfung startet einen Befehlsinterpreter oder ein Programm, das Skripte lädt.',
  ],
  'shortcut-remote-target': [
    'Verknüpfung zu einem Dateiserver oder Skript',
    'Eine Internetverknüpfung öffnet eine Datei auf einem Server, ein Skript oder eine Suche auf einem Server.',
  ],
  'onenote-embedded-file': [
    'Datei in OneNote',
    'Ein OneNote-Abschnitt enthält eine Datei, die sich mit einem Doppelklick öffnet.',
  ],
  'disk-image-program': [
    'Datenträgerabbild mit Programm oder Verknüpfung',
    'Programme in einem eingebundenen Abbild umgehen die Prüfungen heruntergeladener Dateien.',
  ],
  'program-in-base64': ['Programm, als Text geschrieben', 'Ein Windows-Programm steckt in base64-Text.'],
  'folder-settings-remote': [
    'Ordnereinstellungen, die einen anderen Rechner erreichen',
    'Einstellungen eines Ordners oder Laufwerks holen ein Symbol oder ein Programm von einem anderen Rechner und verraten ihm den Hash des Kennworts.',
  ],
  'setup-file-scriptlet': [
    'Setup-Informationen, die ein Skript laden',
    'Eine Setup-Informationsdatei meldet ein Skript von einem Server an.',
  ],
  'console-file-script': [
    'Datei der Verwaltungskonsole mit Skript',
    'Eine Datei der Verwaltungskonsole führt ein Skript durch eine ihrer eigenen Seiten oder Umwandlungen aus.',
  ],
  'network-installer': [
    'Beschreibung eines Programms zum Installieren',
    'Eine kleine Datei lässt das System ein Programm von einem Server holen und installieren oder ausführen.',
  ],
  'troubleshooter-command': [
    'Link, der über die Problembehandlung einen Befehl ausführt',
    'Ein Link der Problembehandlung von Windows enthält einen Befehl.',
  ],
  'vba-automatic-run': [
    'Makro, das von selbst Programme ausführt',
    'Ein Makro startet mit dem Dokument und ruft ein Programm, ein Skriptobjekt oder das System auf.',
  ],
  'vba-download': ['Makro, das herunterlädt', 'Ein Makro holt eine Datei aus dem Netz.'],
  'excel4-macro-formula': [
    'Excel-4.0-Makro, das Programme ausführt',
    'Ein Makroblatt ruft Programme oder das System auf.',
  ],
  'dde-command': ['DDE-Befehl', 'Ein Feld oder eine Zelle fordert ein anderes Programm auf, einen Befehl auszuführen.'],
  'equation-editor-object': [
    'Objekt des Formel-Editors',
    'Enthält eine Formel für den alten Formel-Editor, der aus einer manipulierten Formel Code ausführt (CVE-2017-11882, CVE-2018-0802).',
  ],
  'ole-remote-link': [
    'Objekt, das von anderswo geladen wird',
    'Der Verweis eines Objekts führt zu einem Web- oder Dateiserver und wird beim Öffnen des Dokuments geladen (CVE-2017-0199).',
  ],
  'rtf-self-updating-object': [
    'Objekt, das sich selbst lädt',
    'Ein RTF-Objekt wird geladen, sobald das Dokument geöffnet wird, ohne Klick.',
  ],
  'active-mime': [
    'ActiveMime-Behälter mit Makros',
    'Ein Webarchiv enthält ein Makroprojekt in der Form, die Word auspackt.',
  ],
  'powershell-download-and-run': [
    'PowerShell lädt herunter und führt aus',
    'Holt etwas mit PowerShell und führt es sofort aus.',
  ],
  'powershell-encoded-command': [
    'PowerShell mit kodiertem Befehl',
    'Startet PowerShell mit einem Befehl, der in base64 verborgen ist.',
  ],
  'powershell-hidden': [
    'Verstecktes PowerShell',
    'Startet PowerShell ohne Fenster und ohne seine Sicherheitsprüfungen.',
  ],
  'script-host-dropper': [
    'Skript, das holt oder schreibt, und ausführt',
    'Verwendet den Skripthost von Windows, um eine Datei zu holen oder zu schreiben und Programme auszuführen.',
  ],
  'system-tool-abuse': [
    'Systemwerkzeug, das Code lädt',
    'Ruft ein Programm von Windows so auf, dass es Code von anderswo lädt oder entschlüsselt.',
  ],
  'javascript-self-decoding': [
    'JavaScript, das sich entschlüsselt und ausführt',
    'Setzt Code aus maskiertem Text oder aus Zahlen zusammen und führt ihn aus.',
  ],
  'vbscript-character-chain': [
    'Text aus Zeichencodes',
    'Eine lange Kette von Zeichencodes verbirgt, was ein Skript tut.',
  ],
  'html-smuggling': [
    'Seite, die eine Datei zusammensetzt',
    'Macht in der Seite aus Text eine Datei und bietet sie zum Herunterladen an, an jedem Filter vorbei.',
  ],
  'svg-script': [
    'Skript in einer Zeichnung',
    'Eine SVG-Zeichnung enthält ein Skript, oder eines, das auf Ereignisse wartet.',
  ],
  'clipboard-command': [
    'Seite, die einen Befehl übergibt',
    'Legt einen Befehl in die Zwischenablage und fordert den Leser auf, ihn auszuführen, als Beweis, ein Mensch zu sein, oder als Reparatur.',
  ],
  'batch-behind-wide-mark': [
    'Batchdatei, die sich als UTF-16 ausgibt',
    'Das Zeichen für UTF-16 steht vor gewöhnlichen Befehlen. Betrachter zeigen andere Zeichen, als das System ausführt.',
  ],
  'reflection-on-protection': [
    'Greift in den Schutz vor Schadprogrammen',
    'Sucht verborgene Felder der Prüfschnittstelle und überschreibt sie.',
  ],
  'eicar-test-file': ['EICAR-Testdatei', 'Die Datei, die jeder Virenscanner meldet, um zu beweisen, dass er arbeitet.'],
  'eicar-test-string': [
    'EICAR-Testtext',
    'Enthält den Testtext der Virenscanner in anderem Inhalt: nicht die Testdatei selbst, aber jemand erprobt etwas.',
  ],
} as const satisfies Readonly<Record<string, GermanText>>;
