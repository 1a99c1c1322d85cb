/** A message that deviates from the grammar of MIME in one place or in two, and hides a file from whoever reads it strictly. */
import { type Case, doubles, PAIRS, singles } from '../mime/grammar-score.ts';
import { MARK } from '../mime/mail-tokens.ts';
import { ORDINARY_LOOKALIKES } from '../mime/ordinary-lookalikes.ts';
import { leavesThatOthersYield } from '../mime/other-parsers.ts';
import { mailAttack } from './attack-class.ts';

/** Through the whole airlock a mail costs a hundred times what it costs the reader, which gets every deviation: see mime/. */
const SINGLES = 120;
const DOUBLES = 120;

function* everyNth(cases: Iterable<Case>, count: number): Iterable<Case> {
  const all = [...cases];
  const step = Math.max(1, Math.floor(all.length / count));
  for (let at = 0; at < all.length; at += step) yield all[at] as Case;
}

export const mimeGrammar = mailAttack<Case>({
  name: 'mime-grammar',
  title: 'a file behind every deviation from the grammar of MIME, one at a time and in pairs',
  *cases() {
    yield* everyNth(singles(), SINGLES);
    yield* doubles(Math.floor(PAIRS / DOUBLES));
  },
  async judge(_, { message }) {
    const [shown] = await leavesThatOthersYield(message, MARK);
    return shown === undefined ? null : `${shown.parser} shows the file in the delivered message`;
  },
  ordinary: () => ORDINARY_LOOKALIKES,
  judgeOrdinary: ({ email }, { message }) =>
    bodyOf(email) === bodyOf(message) ? null : 'the text is not the one that was sent',
});

/** What stands behind the first blank line. */
function bodyOf(email: Uint8Array): string {
  const text = Buffer.from(email).toString('latin1');
  return text.slice(text.indexOf('\r\n\r\n')).trimEnd();
}
