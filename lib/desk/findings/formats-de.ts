/** The findings of a deeper analysis of a format, in German, by the code of the finding. */
import type { GermanText } from './german-text.ts';

export const FORMATS_DE = {
  'not-all-analysed': [
    'Nicht alles wurde untersucht',
    'Die Datei enthält mehr, oder ist tiefer verschachtelt, als die Grenzen der Untersuchung erlauben.',
  ],
  'vba-stomped': [
    'Quelltext eines Makros entfernt',
    'Ein Makro hat übersetzten Code, aber sein Quelltext ist leer: Es läuft anderer Code, als zu sehen ist.',
  ],
  'vba-source-replaced': [
    'Quelltext eines Makros ersetzt',
    'Der übersetzte Code eines Makros enthält Befehle, die in keinem Quelltext stehen: Es läuft anderer Code, als zu sehen ist.',
  ],
  'vba-source-differs': [
    'Quelltext eines Makros weicht ab',
    'Der übersetzte Code der Makros verwendet Namen oder Texte, die in keinem ihrer Quelltexte stehen.',
  ],
  'xlm-hidden-sheet': ['Verstecktes Makroblatt', 'Die Mappe hat ein Excel-4.0-Makroblatt, das man nicht sieht.'],
  'xlm-auto-run': ['Name eines automatischen Makros', 'Wer die Mappe öffnet, startet ein Makroblatt.'],
  'xlm-dangerous-call': [
    'Excel-4.0-Makro, das das System aufruft',
    'Ein Makroblatt startet Programme, ruft Bibliotheken auf oder schreibt Dateien.',
  ],
  'office-remote-html': [
    'Objekt, das eine Seite lädt',
    'Wer das Dokument öffnet, lädt eine Webseite als Objekt, wie es Angriffe auf MSHTML tun.',
  ],
  'dde-starts-program': [
    'DDE startet ein Programm',
    'Ein Feld des Dokuments startet einen Befehlsinterpreter oder einen Skripthost.',
  ],
  'rtf-obfuscated-object': [
    'Unlesbar gemachtes Objekt in RTF',
    'Steuerwörter und Gruppen zerreißen die Bytes eines Objekts. Kein Textprogramm schreibt Objekte so.',
  ],
  'rtf-package': ['Verpackte Datei in RTF', 'Das Dokument enthält eine Datei, die sich mit einem Doppelklick öffnet.'],
  'equation-overflow': [
    'Zu langer Name in einer Formel',
    'Eine Formel enthält einen Schriftnamen, der länger ist, als der Formel-Editor aufnehmen kann.',
  ],
  'picture-code': [
    'Link in einem QR-Code',
    'Ein Bild oder eine Seite zeigt einen Code zum Scannen (QR oder ähnlich), der einen Link enthält.',
  ],
  'picture-code-unsafe-link': [
    'Irreführender Link in einem QR-Code',
    'Ein Code zum Scannen (QR oder ähnlich) enthält einen Link mit irreführender Adresse. Telefone prüfen solche Links oft nicht.',
  ],
  'pdf-obfuscated-name': [
    'Getarnter Name in einem PDF',
    'Der Name eines aktiven Elements ist so geschrieben, dass einfache Prüfungen ihn nicht erkennen.',
  ],
  'pdf-opens-program': [
    'PDF startet von selbst ein Programm',
    'Eine Aktion, die ohne Klick läuft, startet ein Programm oder öffnet eine Datei.',
  ],
  'pdf-malformed-xref': [
    'Beschädigte Tabelle der Objekte',
    'Die Tabelle der Objekte fehlt oder ist falsch. Programme müssen raten, was das Dokument enthält.',
  ],
  'pdf-form-script': [
    'Formularskript in einem PDF',
    'Die Skripte des Dokuments gestalten und prüfen nur die Felder eines Formulars.',
  ],
  'pdf-runs-command': [
    'PDF startet einen Befehl',
    'Das Dokument startet einen Befehlsinterpreter oder ein Programm mit seinem Namen.',
  ],
  'html-credential-form': [
    'Kennwortformular in einer Seite',
    'Die Seite fragt nach einem Kennwort und sendet es an einen anderen Ort.',
  ],
  'html-carries-payload': [
    'Datei in einer Seite',
    'Die Seite enthält ein Programm, ein Archiv, ein Datenträgerabbild oder ein Skript in kodierter Form.',
  ],
  'html-saves-file': [
    'Seite, die eine Datei speichert',
    'Ein Skript der Seite lässt den Browser eine Datei speichern.',
  ],
  'html-writes-page': [
    'Seite, die ihren Inhalt verbirgt',
    'Ein Skript der Seite entschlüsselt die wirkliche Seite und setzt sie an die Stelle der sichtbaren.',
  ],
  'svg-carries-page': ['Aktive Zeichnung', 'Die Zeichnung enthält ein Skript oder eine ganze Seite.'],
  'program-packed': ['Gepacktes Programm', 'Der Code des Programms ist komprimiert oder verschlüsselt.'],
  'program-injects': [
    'Programm, das Code einschleusen kann',
    'Das Programm verwendet die Funktionen, mit denen Code in einem anderen Prozess ausgeführt wird.',
  ],
  'program-overlay': ['Daten hinter einem Programm', 'Hinter dem Ende des Programms stehen weitere Bytes.'],
  'program-signed': ['Signatur vorhanden', 'Das Programm trägt eine Signatur. Sie wurde nicht geprüft.'],
  'program-damaged': ['Beschädigtes Programm', 'Die Kopfdaten des Programms widersprechen sich.'],
  'program-facts': ['Aufbau des Programms', 'Hier stehen Format, Import-Hash und Abschnitte.'],
  'shortcut-interpreter': [
    'Verknüpfung zu einem Befehlsinterpreter',
    'Die Verknüpfung startet einen Befehlsinterpreter, einen Skripthost oder ein Systemwerkzeug.',
  ],
  'shortcut-hidden-arguments': [
    'Versteckte Angaben in einer Verknüpfung',
    'Der Befehl der Verknüpfung ist so lang oder so weit aufgefüllt, dass Windows ihn nicht ganz zeigt.',
  ],
  'shortcut-disguised': [
    'Getarnte Verknüpfung',
    'Die Verknüpfung zeigt das Symbol eines Dokuments, startet aber ein Programm.',
  ],
  'shortcut-remote': [
    'Verknüpfung zu einem anderen Rechner',
    'Die Verknüpfung öffnet eine Datei auf einem anderen Rechner.',
  ],
  'disk-image-runs': [
    'Programm auf einem Datenträgerabbild',
    'Das Abbild enthält ein Programm, ein Skript oder eine Verknüpfung. Windows kennzeichnet sie vielleicht nicht als heruntergeladen.',
  ],
  'onenote-program': [
    'Programm in einem Notizbuch',
    'Das Notizbuch enthält ein Programm, ein Skript oder eine Verknüpfung hinter einem Bild.',
  ],
  'onenote-file': ['Datei in einem Notizbuch', 'Das Notizbuch enthält eine andere Datei.'],
  'msi-custom-code': [
    'Installationspaket mit eigenem Code',
    'Das Paket führt beim Installieren ein Skript oder eine Bibliothek aus.',
  ],
  'mail-dangerous-attachment': [
    'Gefährlicher Anhang',
    'Eine Nachricht in der Datei enthält ein Programm, ein Skript oder eine Verknüpfung.',
  ],
} as const satisfies Readonly<Record<string, GermanText>>;
