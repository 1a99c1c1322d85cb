/** The findings in the text of a link, in German, by the code of the finding. */
import type { GermanText } from './german-text.ts';

export const LINKS_DE = {
  'malicious-test-url': [
    'Testadresse',
    'Diese Adresse gilt immer als schädlich, damit sich der Ablauf erproben lässt. Die Top-Level-Domain .test ist dafür reserviert (RFC 6761).',
  ],
  'script-url': [
    'Skript in der Adresse',
    'Die Adresse ist ein Skript (javascript:, vbscript:), das beim Öffnen läuft.',
  ],
  'idle-script-url': [
    'Leeres Skript in der Adresse',
    'Die Adresse ist ein Skript, das nichts tut (javascript:void(0)). Viele Seiten verwenden es statt eines Links.',
  ],
  'scripted-document': [
    'Seite mit Skript oder Formular in der Adresse',
    'Die Adresse enthält eine ganze Seite (data:), die ein Skript ausführt oder nach Eingaben fragt.',
  ],
  'data-document': [
    'Dokument in der Adresse',
    'Die Adresse enthält eine Seite oder eine Datei (data:). Filter auf dem Weg sehen deren Inhalt nicht.',
  ],
  'file-share': [
    'Datei oder Freigabe im Netz',
    'Die Adresse öffnet eine Datei oder eine Freigabe auf einem anderen Rechner (file:, \\\\server). Er kann dabei die Anmeldedaten des Benutzers erhalten.',
  ],
  'program-scheme': ['Startet ein Programm', 'Die Adresse startet ein installiertes Programm.'],
  'attaches-a-file': [
    'Hängt eine Datei des Benutzers an',
    'Der Link nennt eine Datei, und manche Programme hängen sie ungefragt an die neue Nachricht an (mailto:…?attach=).',
  ],
  'user-information': [
    'Benutzername vor dem Host',
    'Was wie der Host aussieht, ist ein Benutzername. Der wirkliche Host steht hinter dem At-Zeichen.',
  ],
  'confused-authority': [
    'Mehrdeutiger Host',
    'Wo der Host endet, steht ein umgekehrter Schrägstrich oder ein kodiertes Trennzeichen. Programme lesen daraus verschiedene Hosts.',
  ],
  'hidden-characters': [
    'Unsichtbare Zeichen',
    'Die Adresse enthält unsichtbare Zeichen: Zeilenumbrüche, Richtungszeichen oder Zeichen ohne Breite.',
  ],
  'brand-in-path': ['Marke im Pfad', 'Im Pfad steht der Name einer Marke, der der Host nicht gehört.'],
  'login-path': ['Anmeldung im Pfad', 'Im Pfad stehen Wörter einer Anmeldung oder eines Kontos.'],
  'unprotected-login': [
    'Anmeldung ohne TLS',
    'Im Pfad stehen Wörter einer Anmeldung, aber die Verbindung ist nicht verschlüsselt.',
  ],
  'site-internals': [
    'Seite in einem Systemordner',
    'Die Seite liegt in einem Ordner eines Redaktionssystems, in dem keine Seiten sein sollten. Eindringlinge legen sie oft dort ab.',
  ],
  'program-download': [
    'Programm zum Herunterladen',
    'Der Pfad endet wie der Name eines Programms, eines Skripts, einer Verknüpfung oder eines Datenträgerabbilds.',
  ],
  'double-extension': ['Zwei Endungen', 'Im Dateinamen steht die Endung eines Dokuments vor der eines Programms.'],
  'very-long': [
    'Sehr lange Adresse',
    'Die Adresse ist zu lang, als dass ein Mensch sie liest, und länger, als manche Programme erlauben.',
  ],
  'needless-encoding': [
    'Unnötige Kodierung',
    'Gewöhnliche Buchstaben und Ziffern stehen als Prozentcodes da. Das dient nur dazu, sie zu verbergen.',
  ],
  'recipient-in-query': [
    'Adresse des Empfängers in einem Parameter',
    'Ein Parameter enthält eine E-Mail-Adresse, lesbar oder kodiert. Phishing-Seiten tragen damit den Benutzernamen ein.',
  ],
  'recipient-in-fragment': [
    'Adresse des Empfängers hinter dem #',
    'Hinter dem # steht eine E-Mail-Adresse, lesbar oder kodiert. Phishing-Seiten tragen damit den Benutzernamen ein.',
  ],
  'rewritten-link': [
    'Umgeschriebener Link',
    'Ein Mailfilter hat die Adresse umgeschrieben. Auch ihr Ziel wurde beurteilt.',
  ],
  'open-redirector': [
    'Weiterleitung',
    'Ein bekannter Dienst leitet zu der Adresse in seinem Parameter weiter. Auch dieses Ziel wurde beurteilt.',
  ],
  'embedded-url': [
    'Adresse in der Adresse',
    'Ein Parameter oder der Pfad enthält eine weitere Adresse, wie bei Weiterleitungen. In Newslettern ist das üblich. Auch sie wurde beurteilt.',
  ],
} as const satisfies Readonly<Record<string, GermanText>>;
