/** The findings about types of files, in German, by the code of the finding. */
import type { GermanText } from './german-text.ts';

export const TYPES_DE = {
  'office-macro': ['VBA-Makros', 'Das Dokument enthält Programmcode, den Office ausführen kann.'],
  'office-macro-hidden': [
    'Versteckter Makrocode',
    'Makrocode steht dort, wo ein solches Dokument keinen hat, oder unter einem irreführenden Namen.',
  ],
  'office-xlm-macro': ['Excel-4.0-Makro', 'Die Mappe hat ein Makroblatt oder den Namen eines automatischen Makros.'],
  'office-external-template': [
    'Vorlage von anderswo',
    'Wer das Dokument öffnet, lädt von anderswo eine Vorlage, die Makros enthalten kann.',
  ],
  'office-external-content': ['Inhalt von anderswo', 'Wer das Dokument öffnet, lädt Inhalt von anderswo.'],
  'office-unsafe-link': [
    'Unsicherer Link',
    'Ein Link führt zu einem Programm, zu einer Datei auf einem fremden Rechner oder zu etwas anderem als Web, E-Mail und Telefon.',
  ],
  'office-file-link': [
    'Link zu einer Datei',
    'Ein Link oder ein Bild führt zu einer Datei auf diesem Computer oder im Netz des Absenders.',
  ],
  'office-embedded-object': [
    'Eingebettetes Objekt',
    'Das Dokument enthält eine andere Datei oder ein Objekt eines Programms, das sich mit einem Klick öffnet.',
  ],
  'office-embedded-program': ['Eingebettetes Programm', 'Das Dokument enthält ein Programm.'],
  'office-activex': ['ActiveX-Steuerelement', 'Das Dokument lädt beim Öffnen den Baustein eines Programms.'],
  'office-dde': ['DDE-Feld', 'Ein Feld des Dokuments kann Programme starten.'],
  'office-active-field': ['Aktives Feld', 'Ein Feld des Dokuments holt Inhalt von anderswo oder startet ein Makro.'],
  'office-dangerous-formula': ['Gefährliche Formel', 'Eine Formel ruft Programme auf oder holt Daten aus dem Netz.'],
  'office-data-connection': ['Datenverbindung', 'Das Dokument holt Daten aus einer anderen Quelle.'],
  'office-action': [
    'Aktion bei einem Klick',
    'Ein Klick oder eine Bewegung der Maus startet ein Programm, ein Makro oder ein Objekt.',
  ],
  'office-add-in': [
    'Add-in oder eigene Bedienelemente',
    'Das Dokument installiert ein Add-in oder Schaltflächen, die Code ausführen.',
  ],
  'office-alternative-content': [
    'Eingefügtes Dokument',
    'Wer dieses Dokument öffnet, öffnet ein ganzes anderes mit, das darin steckt.',
  ],
  'office-custom-code': [
    'Skript in OpenDocument',
    'Das Dokument enthält Makros, oder Code, der auf Ereignisse wartet.',
  ],
  'xml-doctype': ['Erklärung eines Dokumenttyps', 'Ein XML-Teil erklärt Entitäten, wie es Angriffe auf XML-Leser tun.'],
  'rtf-object': ['Eingebettetes Objekt in RTF', 'Das Dokument enthält ein Objekt, das Word lädt.'],
  'rtf-binary': ['Rohe Bytes in RTF', 'Das Dokument enthält rohe Bytes, die Mailprogramme nie schreiben.'],
  'rtf-active': [
    'Aktiver Inhalt in RTF',
    'Das Dokument verweist auf eine Vorlage oder auf Felder, die etwas holen oder ausführen.',
  ],
  'pdf-javascript': ['JavaScript in einem PDF', 'Das Dokument enthält ein Skript.'],
  'pdf-open-action': [
    'Automatische Aktion in einem PDF',
    'Wer das Dokument oder eine seiner Seiten öffnet, löst eine Aktion aus.',
  ],
  'pdf-launch': ['PDF startet ein Programm', 'Eine Aktion des Dokuments startet ein Programm oder öffnet eine Datei.'],
  'pdf-embedded-file': ['Datei in einem PDF', 'Das Dokument enthält eine andere Datei.'],
  'pdf-rich-media': [
    'Medien oder 3D-Inhalt in einem PDF',
    'Das Dokument enthält Medien, die ein Zusatzprogramm abspielt.',
  ],
  'pdf-xfa': ['XFA-Formular', 'Das Dokument enthält ein XML-Formular mit Skripten.'],
  'pdf-remote': ['PDF sendet oder öffnet', 'Das Dokument sendet Daten oder öffnet andere Dokumente.'],
  'pdf-unsafe-link': [
    'Unsicherer Link in einem PDF',
    'Ein Link führt zu etwas anderem als einer Webseite, einer E-Mail-Adresse oder einer Telefonnummer.',
  ],
  'pdf-external-stream': ['Ausgelagerter Inhalt in einem PDF', 'Ein Teil des Dokuments steht in einer anderen Datei.'],
  'pdf-encrypted': [
    'Verschlüsseltes PDF',
    'Das Dokument öffnet sich ohne Kennwort, aber seine Texte und Datenströme sind verschlüsselt und wurden nicht gelesen.',
  ],
  'html-script': ['Skript in einer Seite', 'Die Seite enthält ein Skript, wie die meisten Seiten im Web.'],
  'html-event-handler': [
    'Skript an einem Element der Seite',
    'Ein Element der Seite führt ein Skript aus, wenn etwas geschieht.',
  ],
  'html-active-element': [
    'Aktives Element in einer Seite',
    'Die Seite bettet eine andere Seite, ein Zusatzprogramm oder ein Formular ein, oder leitet weiter.',
  ],
  'html-unsafe-link': [
    'Unsicherer Link in einer Seite',
    'Ein Link führt ein Skript aus oder enthält ein ganzes Dokument.',
  ],
  'image-trailing-data': ['Daten hinter einem Bild', 'Hinter dem Ende des Bildes stehen weitere Bytes.'],
  polyglot: [
    'Zwei Formate in einer Datei',
    'Die Datei ist auch in einem anderen Format gültig. Ein Prüfer und ein Programm können sie verschieden lesen.',
  ],
  'text-formula': [
    'Formel in einer Texttabelle',
    'Eine Zelle beginnt mit einer Formel, die eine Tabellenkalkulation ausführt.',
  ],
  'calendar-active': [
    'Aktiver Kalendereintrag',
    'Der Eintrag enthält einen Anhang, einen Alarm, der ein Programm startet, oder eine Seite.',
  ],
  'bidi-control': ['Umgekehrter Text', 'Unsichtbare Zeichen ändern die Reihenfolge eines angezeigten Namens.'],
  'disguised-program': [
    'Programm mit irreführendem Namen',
    'Die Datei ist ein Programm, aber ihrem Namen nach ein Dokument oder ein Bild.',
  ],
  'double-extension': ['Doppelte Endung', 'Im Namen steht die Endung eines Dokuments vor der eines Programms.'],
  'archive-executable': [
    'Programm in einem Archiv',
    'Eine Datei im Archiv ist ein Programm, ein Skript oder eine Verknüpfung.',
  ],
  'archive-path': [
    'Unsicherer Pfad in einem Archiv',
    'Eine Datei im Archiv käme außerhalb des Ordners an, in den entpackt wird, oder ist ein Verweis.',
  ],
  'archive-ambiguous': [
    'Mehrdeutiges Archiv',
    'Programme, die das Archiv verschieden lesen, sehen verschiedene Dateien darin.',
  ],
  'disk-image': [
    'Datenträgerabbild',
    'Dateien auf einem eingebundenen Abbild können die Prüfungen umgehen, denen Windows heruntergeladene Dateien unterzieht.',
  ],
  program: ['Programm', 'Die Datei ist ein Programm.'],
  script: ['Skript', 'Die Datei ist ein Skript, das das Betriebssystem ausführt.'],
  shortcut: ['Verknüpfung', 'Ein Klick auf die Datei öffnet einen anderen Ort oder ein Programm.'],
} as const satisfies Readonly<Record<string, GermanText>>;
