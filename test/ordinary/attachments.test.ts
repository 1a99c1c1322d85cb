import { expect, test } from 'vitest';
import { openAirlock } from '../hostile/attack/airlock-run.ts';
import { ATTACHMENTS, arrivalOf } from './attachments.ts';
import { TEXT_ATTACHMENTS } from './text-attachments.ts';

test('every ordinary attachment arrives under its name, or under one that starts no program', async () => {
  const airlock = await openAirlock();
  const wrong: string[] = [];
  for (const attachment of ATTACHMENTS) {
    const [name, , , arrivesAs] = attachment;
    const arrived = await arrivalOf(airlock, attachment);
    if (arrived?.name !== arrivesAs) wrong.push(`${name} arrived as ${arrived?.name}`);
  }
  await airlock.close();
  expect(wrong).toEqual([]);
  expect(ATTACHMENTS.length).toBe(86);
});

test('source text arrives with the same words', async () => {
  const airlock = await openAirlock();
  const wrong: string[] = [];
  for (const attachment of TEXT_ATTACHMENTS) {
    const [name, , content] = attachment;
    const arrived = await arrivalOf(airlock, attachment);
    if (arrived === null || Buffer.from(arrived.bytes).toString() !== content) wrong.push(name);
  }
  await airlock.close();
  expect(wrong).toEqual([]);
});
