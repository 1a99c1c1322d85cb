/** Why mail is held, in German. */
import type { HeldCode } from './reasons-en.ts';

export const REASONS_DE: Readonly<Record<HeldCode, string>> = {
  blocked_link_in_header: 'Gesperrter Link in einem Adressfeld',
  encrypted_mail: 'An den Empfänger verschlüsselt',
  nothing_left: 'Nichts von der Datei bliebe übrig',
  inconsistent: 'Die Aufzeichnung widerspricht sich',
  ledger_lost: 'Die Aufzeichnung lässt sich nicht lesen',
  run_failed: 'Eine Stufe scheiterte',
  release_refused: 'Die Freigabe wurde abgelehnt',
  blocked: 'Von einem Menschen gesperrt',
  suspicious: 'Verdächtiger Inhalt',
  malicious: 'Schädlicher Inhalt',
  unknown: 'Inhalt ohne Urteil',
  timeout: 'Eine Untersuchung dauerte zu lange',
  service_error: 'Eine Untersuchung scheiterte',
  encrypted: 'Verschlüsselte Datei',
  unsupported: 'Datei, die sich nicht untersuchen lässt',
  oversize: 'Datei, die zum Untersuchen zu groß ist',
  unreadable: 'Beschädigte Datei',
  unsafe_output: 'Datei, die sich nicht unschädlich machen ließ',
  not_asked: 'Kein Budget mehr für eine Untersuchung',
};
