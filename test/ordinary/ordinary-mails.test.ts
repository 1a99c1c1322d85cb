import { expect, test } from 'vitest';
import { openAirlock } from '../hostile/attack/airlock-run.ts';
import { sideBySide } from '../hostile/attack/attack-class.ts';
import { spoiledBy } from './judge.ts';
import { ordinaryMails } from './ordinary-mails.ts';

test('every ordinary mail arrives with its words, its reports and its files', async () => {
  const airlock = await openAirlock();
  const spoiled: string[] = [];
  const ids = new Set<string>();
  const judged = sideBySide(ordinaryMails(), async (mail) => {
    ids.add(mail.id);
    return { mail, what: await spoiledBy(mail, await airlock.scan(mail.bytes, `${mail.id.replace(/\W+/g, '-')}.eml`)) };
  });
  for await (const { mail, what } of judged) if (what !== null) spoiled.push(`${mail.id}: ${what}`);
  await airlock.close();
  expect(spoiled).toEqual([]);
  expect(ids.size).toBe(100);
});
