/** The findings in the host of a link, in German, by the code of the finding. */
import type { GermanText } from './german-text.ts';

export const HOSTS_DE = {
  'ip-address-host': ['IP-Adresse statt eines Namens', 'Der Host ist eine IP-Adresse.'],
  'disguised-address': [
    'Getarnte IP-Adresse',
    'Der Host ist eine IP-Adresse in versteckter Form: als eine Zahl, hexadezimal, oktal, verkürzt oder in einer IPv6-Adresse.',
  ],
  'mixed-script-host': [
    'Ähnliche Buchstaben',
    'Ein Teil des Hosts mischt Alphabete oder verwendet Buchstaben eines anderen Alphabets, die wie lateinische aussehen.',
  ],
  'brand-homograph': [
    'Marke in ähnlichen Buchstaben',
    'Der Host sieht aus wie der Name einer bekannten Marke in lateinischen Buchstaben, gehört ihr aber nicht.',
  ],
  'punycode-host': [
    'Internationaler Hostname',
    'Der Host hat Buchstaben außerhalb von ASCII. Bei Namen in anderen Sprachen ist das üblich.',
  ],
  'borrowed-brand': [
    'Marke auf einer anderen Domain',
    'Host oder Pfad enthält den Namen einer bekannten Marke, aber der Host gehört ihr nicht.',
  ],
  'misspelled-brand': [
    'Falsch geschriebene Marke',
    'Der Host unterscheidet sich vom Namen einer bekannten Marke um einen Buchstaben oder um ähnliche Buchstaben.',
  ],
  'credential-words': [
    'Wörter einer Anmeldung im Host',
    'Der Host besteht aus Wörtern wie login, verify oder account.',
  ],
  'many-credential-words': [
    'Viele Wörter einer Anmeldung im Host',
    'Der Host besteht aus mehreren Wörtern wie login, verify oder account.',
  ],
  'brand-glued': [
    'Marke in einem Namen',
    'Der registrierte Name beginnt oder endet mit dem Namen einer bekannten Marke, gehört ihr aber nicht.',
  ],
  'written-suffix': [
    'Top-Level-Domain als Wort',
    'Ein Teil des Hosts endet wie eine eigene Adresse: -co-jp, -com, -gov-uk.',
  ],
  'government-words': [
    'Behörde im Namen',
    'Der Host nennt eine Regierung und liegt nicht unter der Domain einer solchen.',
  ],
  'bait-name': [
    'Name, der zu einer Anmeldung auffordert',
    'Der Name, den ein Kunde des Anbieters gewählt hat, nennt Mailkonten, Geldbörsen, Beschwerden oder Erstattungen.',
  ],
  'page-in-bucket': [
    'Seite in einem namenlosen Speicher',
    'Eine Seite in einem öffentlichen Speicher, dessen Name eine Zahl ist, zeigt nicht, wer dahintersteht.',
  ],
  'many-subdomains': [
    'Viele Subdomains',
    'Der Host hat so viele Teile, dass man sein Ende nicht sieht, und dort steht, wem er gehört.',
  ],
  'unusual-port': ['Ungewöhnlicher Port', 'Der Link führt zu einem Port, den öffentliche Webseiten nicht verwenden.'],
  'free-hosting': ['Kostenloser Anbieter', 'Unter diesem Host kann jeder in Minuten etwas veröffentlichen.'],
  'dynamic-dns': [
    'Dynamisches DNS',
    'Der Name kommt von einem Dienst für Rechner zu Hause, den auch Angriffe verwenden.',
  ],
  tunnel: [
    'Tunnel zu einem privaten Rechner',
    'Der Host ist ein vorübergehender Tunnel zum Rechner dessen, der ihn geöffnet hat.',
  ],
  'ipfs-gateway': [
    'Zugang zu IPFS',
    'Die Seite liegt in einem verteilten Dateisystem, aus dem niemand sie entfernen kann.',
  ],
  'short-link': ['Kurzlink', 'Nur der Dienst weiß, wohin der Link führt.'],
  'abused-suffix': [
    'Billige Top-Level-Domain',
    'Namen unter dieser Top-Level-Domain werden oft für Angriffe registriert.',
  ],
  'made-up-name': ['Name ohne Bedeutung', 'Der registrierte Name sieht aus, als hätte ein Programm ihn erzeugt.'],
  'many-hyphens': ['Viele Bindestriche', 'Der Host ist eine Reihe von Wörtern mit Bindestrichen dazwischen.'],
  'suffix-in-the-middle': [
    'Top-Level-Domain mitten im Host',
    'Der Host beginnt wie eine bekannte Adresse, endet aber in einer anderen Domain.',
  ],
  'suffix-like-a-file': [
    'Host, der wie eine Datei aussieht',
    'Der Name des Hosts endet wie der eines Archivs oder eines Films.',
  ],
  'redirector-to-throwaway': [
    'Weiterleitung zu einem Wegwerfnamen',
    'Ein bekannter Dienst leitet zu einem kostenlosen Host weiter, von dem niemand weiß, wem er gehört.',
  ],
} as const satisfies Readonly<Record<string, GermanText>>;
