/** The page of delivered mail that is to be recalled. */
import { expect, test } from 'vitest';
import { emailWith } from '../pipeline/rig.ts';
import { openCloudDesk } from './cloud-desk-rig.ts';
import { openDesk } from './desk-rig.ts';
import { strangeIn } from './inert-page.ts';
import { PAYLOADS } from './payloads.ts';

test('shows delivered mail once its sender is blocked, and not what is held', async () => {
  const desk = await openDesk('analyst');
  const runId = await desk.scan(emailWith({ subject: 'A good one' }));
  expect(await (await desk.get('/recall')).text()).toContain('No delivered mail is to be recalled.');
  await desk.post('/blocks/block', { kind: 'sender', value: 'sender.example', why: 'taken over' });
  const page = await (await desk.get('/recall')).text();
  for (const words of [`href="/mails/${runId}"`, 'A good one', 'the sender is blocked now'])
    expect(page).toContain(words);
});

test('is a page of the desk on AWS, too, with a link to it', async () => {
  const desk = await openCloudDesk();
  const runId = await desk.scan(emailWith({ subject: 'A good one' }));
  expect((await desk.get('/mails')).text).toContain('<a href="/recall">');
  expect((await desk.get('/recall')).text).not.toContain('A good one');
  await desk.post('/blocks/block', { kind: 'sender', value: 'sender.example', why: 'taken over' });
  expect((await desk.get('/recall')).text).toContain(`href="/mails/${runId}"`);
});

test('mail of more than 30 days ago is not on it', async () => {
  const desk = await openDesk('analyst');
  await desk.scan(emailWith({ subject: 'A good one' }));
  await desk.post('/blocks/block', { kind: 'sender', value: 'sender.example', why: 'taken over' });
  desk.rig.advance(31 * 86_400_000);
  expect(await (await desk.get('/recall')).text()).not.toContain('A good one');
});

test.each(PAYLOADS)('%j is text on it', async (payload) => {
  const desk = await openDesk();
  const name = payload.replace(/["\\]/g, '');
  await desk.scan(emailWith({ subject: payload, files: [{ name: `${name}.txt`, bytes: 'x' }] }));
  await desk.post('/blocks/block', { kind: 'sender', value: 'sender.example', why: 'x' });
  await desk.post('/blocks/block', {
    kind: 'file',
    value: '2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881',
    why: 'x',
  });
  const page = await (await desk.get('/recall')).text();
  expect(page).toContain('is blocked now');
  expect(strangeIn(page)).toEqual([]);
});
