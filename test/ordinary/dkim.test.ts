/** A mail of which nothing is changed keeps the signature of its server. */
import { expect, test } from 'vitest';
import { readMessage } from '../../lib/message/reading/read.ts';
import { rebuildMessage } from '../../lib/message/rebuilding/rebuild.ts';
import { DEFAULT_LIMITS } from '../../lib/pipeline/limits.ts';
import { LINK_WORDS } from '../message/link-words.ts';
import { bulkMail } from './bulk.ts';
import { createDkim } from './dkim.ts';
import { letters } from './letters.ts';
import { mailingLists } from './mailing-lists.ts';
import { returnedLetters } from './returned-letters.ts';

const PLAN = {
  replacements: new Map(),
  names: new Map(),
  links: { isBlocked: () => false, limits: DEFAULT_LIMITS, words: LINK_WORDS },
  headers: [{ name: 'X-Airlock-Run', value: 'abc' }],
};

test.each(['relaxed/relaxed', 'simple/simple'])('DKIM passes after the rebuilding as before it: %s', async (form) => {
  const dkim = createDkim();
  const broken: string[] = [];
  for (const mails of [letters(), bulkMail(), mailingLists(), returnedLetters()])
    for (const { id, bytes } of mails) {
      const signed = await dkim.sign(bytes, form);
      const { bytes: after } = rebuildMessage(signed, await readMessage(signed, DEFAULT_LIMITS), PLAN);
      const result = await dkim.verify(after);
      if (result !== 'pass') broken.push(`${id}: ${await dkim.verify(signed)}, then ${result}`);
    }
  expect(broken).toEqual([]);
});
