/** The sentences about a run, in German. */
import type { RunWords } from '../../pipeline/runs/sentence.ts';

export const RUN_WORDS_DE: RunWords = {
  running: 'Die Nachricht ist noch in Arbeit, oder ihr Prozess wurde beendet.',
  deleted: 'Sie wurde zurückgehalten, und {by} hat sie um {at} gelöscht.',
  delivered: 'Sie wurde zugestellt.',
  released: 'Sie wurde zurückgehalten, und {by} hat um {at} {what} freigegeben.',
  rebuilt: 'das neu Geschriebene',
  original: 'ihr Original, Byte für Byte,',
  otherMail: 'Eine Datei darin wurde mit einem Kennwort aus einer anderen Nachricht geöffnet ({reference}).',
  early: 'Ihr Text ging um {at} ohne ihre Dateien hinaus.',
  and: 'und',
  body: 'der Text der Nachricht',
  unnamed: 'Teil {path} ohne Namen',
};
