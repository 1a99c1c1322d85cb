/** The words of the page of the audit trail, in German. */
import type { AUDIT_EN } from './audit-en.ts';

export const AUDIT_DE: Readonly<Record<keyof typeof AUDIT_EN, string>> = {
  audit: 'Protokoll',
  auditText:
    'Was Leute entschieden und getan haben, das Neueste zuerst. Jeder Eintrag ist unterschrieben und enthält den Hash des vorigen. Was aus einer Entscheidung wurde, steht auf der Seite der Nachricht.',
  auditHolds:
    'Das Protokoll ist in Ordnung (alle {newest} geprüft): Jeder Eintrag ist so, wie er unterschrieben wurde, und folgt auf den vorigen, und am Ende fehlt keiner.',
  auditPartHolds:
    'Was geprüft wurde, ist in Ordnung (Einträge {from} bis {to} von {newest}): Jeder Eintrag ist so, wie er unterschrieben wurde, und folgt auf den vorigen, und am Ende des Protokolls fehlt keiner.',
  auditBroken:
    'Das Protokoll ist nicht in Ordnung. Einträge, die fehlen oder nicht so sind, wie sie unterschrieben wurden: {numbers}. Rufe airlock audit verify auf, spiele sie aus einer Kopie zurück, und finde heraus, wer dort schreiben kann.',
  auditMore: 'airlock audit verify prüft alle Einträge, und ob jede Entscheidung über eine Nachricht dabei ist.',
  auditNone: 'Es gibt noch keinen Eintrag.',
  auditNoFit: 'Kein Eintrag passt.',
  auditNoFitYet: 'Von den Einträgen {from} bis {to} passt keiner. Ältere wurden noch nicht angesehen.',
  auditLost: 'Dieser Eintrag fehlt oder ist nicht so, wie er unterschrieben wurde. Nichts davon wird gezeigt.',
  auditOlder: 'Ältere Einträge',
  auditNewest: 'Neueste Einträge',
  auditNumber: 'Eintrag',
  auditWho: 'Wer',
  auditWhat: 'Was',
  auditWhy: 'Angegebener Grund',
  auditMail: 'Nachricht',
  auditMailName: 'Nachricht: ihre Kennung oder ihr Lauf',
  auditAny: 'alles',
  didAsk: 'Freigabe durch zwei Leute erbeten',
  didRelease: 'Freigegeben',
  didRescan: 'Noch einmal untersuchen lassen',
  didDelete: 'Gelöscht',
  didReportFalseAlarm: 'Als Fehlalarm gemeldet',
  didDrop: 'Hier zur Untersuchung abgelegt',
  didDownload: 'Das Original herausgenommen',
  didBlock: 'Gesperrt',
  didUnblock: 'Die Sperre aufgehoben',
  didSeal: 'Hingenommen, dass am Ende des Protokolls Einträge fehlen',
  formRebuilt: 'bereinigt',
  formOriginal: 'so, wie sie kam',
};
