/** What the pages show, what a hostile mail can do on them, and what a person can decide. */
import PostalMime from 'postal-mime';
import { describe, expect, test } from 'vitest';
import { askOf } from '../../lib/desk/ask.ts';
import { deskWords } from '../../lib/desk/desk-words.ts';
import { mailFile } from '../../lib/desk/mail/file.ts';
import { listPage } from '../../lib/desk/pages/list.tsx';
import { parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import { auditTrail } from '../../lib/pipeline/review/audit.ts';
import { emailWith, PDF } from '../pipeline/rig.ts';
import { type Desk, HELD, openDesk } from './desk-rig.ts';
import { ELEMENTS, elementsOf, strangeIn } from './inert-page.ts';
import { PAYLOADS } from './payloads.ts';

describe.each(PAYLOADS)('a mail full of %j', (payload) => {
  test('is text on every page', async () => {
    const { get, scan } = await openDesk();
    const name = payload.replace(/["\\]/g, '');
    const mail = emailWith({
      subject: payload,
      text: `see http://x.example/${payload}`,
      files: [{ name: `${name}.pdf`, bytes: PDF }],
    });
    const runId = await scan(mail.replace('Ana <ana@sender.example>', `"${name}" <ana@sender.example>`));
    for (const path of [
      '/mails',
      `/mails/${runId}`,
      `/mails?state=&words=${encodeURIComponent(payload)}&sender=${encodeURIComponent(payload)}`,
    ]) {
      const answer = await get(path);
      expect(answer.status).toBe(200);
      expect(strangeIn(await answer.text())).toEqual([]);
    }
  });
});

describe('the list', () => {
  test('shows what is held, how much for which reason, and goes on behind a page', async () => {
    const { get, scan } = await openDesk();
    for (let number = 0; number < 52; number += 1) await scan(HELD.replace('Invoice', `Invoice ${number}`));
    await scan(emailWith({ subject: 'A good one' }));
    const page = await (await get('/mails')).text();
    expect(page).toContain('<span title="malicious">Malicious content</span> <b>52</b>');
    expect(page).not.toContain('A good one');
    const next = /href="(\/mails\?[^"]*after[^"]*)"/.exec(page)?.[1] ?? '';
    const rows = (text: string) => text.match(/<a href="\/mails\/[0-9a-f]{32}">/g)?.length ?? 0;
    const second = await (await get(next.replaceAll('&amp;', '&'))).text();
    expect([rows(page), rows(second)]).toEqual([50, 2]);
    expect(rows(await (await get('/mails?state=delivered')).text())).toBe(1);
    expect(rows(await (await get('/mails?words=invoice+7')).text())).toBe(1);
    expect(rows(await (await get('/mails?sender=nobody@x.example')).text())).toBe(0);
  });

  test.each(["after=1' OR 1", 'words='])('takes %s for nothing', async (query) => {
    const { get, scan } = await openDesk();
    await scan(HELD);
    const answer = await get(`/mails?${query}`);
    expect([answer.status, (await answer.text()).includes('Invoice')]).toEqual([200, true]);
  });

  test.each([
    ["state=' OR 1=1", 'State'],
    ['reason=x', 'Reason'],
    ['hash=3c140c23b631c73b', 'SHA-256 of a file'],
    ['since=2026-99-99', 'From day'],
    ['since=last+week&host=a+b', 'Host of a link, From day'],
    ['words=*', 'Words of the subject, or a reference'],
    ['words=%E2%80%8B-+%25', 'Words of the subject, or a reference'],
  ])('lists nothing for %s, and says which value is wrong', async (query, names) => {
    const { get, scan } = await openDesk();
    await scan(HELD);
    const page = await (await get(`/mails?${query}`)).text();
    expect(page).not.toContain('Invoice');
    expect(page).toContain(`from 0 to 9 and a to f. See: ${names}.</p>`);
  });

  test.each([
    ['subject=*', 'subject'],
    ['Sender=nobody@x.example', 'Sender'],
    ['state[]=x', 'state[]'],
    ['sender=nobody@x.example&sender=', 'sender'],
    ['%3Cscript%3E=1', '&lt;script&gt;'],
  ])('lists nothing for %s, which names no filter or one twice, and says so', async (query, name) => {
    const { get, scan } = await openDesk();
    await scan(HELD);
    const page = await (await get(`/mails?${query}`)).text();
    expect(page).not.toContain('Invoice');
    expect(page).toContain(`is no filter, or is there twice: ${name}</p>`);
    expect(strangeIn(page)).toEqual([]);
  });

  test('finds a sender and a host in the form in which pages show them', async () => {
    const { get, scan } = await openDesk();
    await scan(HELD);
    expect(await (await get('/mails?sender=ana[@]sender[.]example')).text()).toContain('Invoice');
    expect(await (await get('/mails?sender=bob[@]sender[.]example')).text()).not.toContain('Invoice');
  });
});

test('a mail begins with one sentence, and names the policy row, the hashes and who else got the file', async () => {
  const { get, scan } = await openDesk();
  const runId = await scan(HELD);
  const other = await scan(HELD.replace('Invoice', 'The same file'));
  const page = await (await get(`/mails/${runId}`)).text();
  expect(page).toMatch(/<h1>Held because of a\.pdf: policy removes pdf that is malicious\.<\/h1>/);
  expect(page).toContain('types.pdf.verdicts.malicious → remove');
  expect(page).toContain(`href="/mails/${other}"`);
});

test('a browser that asks for German gets German', async () => {
  const { get, scan } = await openDesk();
  const runId = await scan(HELD);
  const page = await (await get(`/mails/${runId}`, { 'accept-language': 'fr-FR,de;q=0.8,en;q=0.5' })).text();
  expect(page).toContain('<html lang="de">');
  expect(page).toContain('Die Nachricht enthält etwas, das Ihrem Computer schaden kann.');
});

const decide = (desk: Desk, runId: string, name: string, fields: Record<string, string> = {}) =>
  desk.post(`/mails/${runId}/${name}`, { why: 'the sender called', attempt: '1', ...fields });

describe('a decision', () => {
  test('to release delivers, shows on the page, and is in the audit trail', async () => {
    const desk = await openDesk('analyst');
    const runId = await desk.scan(HELD);
    const answer = await decide(desk, runId, 'release');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/mails/${runId}`]);
    const page = await (await desk.get(`/mails/${runId}`)).text();
    expect(page).toContain('It was held, and pat (the sender called) released what was rebuilt of it');
    expect(page).not.toMatch(/action="\/mails\/[0-9a-f]{32}\/(?!original\.zip")/);
    for await (const { record } of auditTrail(desk.rig.ctx)) expect(record).toMatchObject({ action: 'release', runId });
  });

  test('of which policy wants two is told, and not carried out', async () => {
    const policy = parsePolicy('{"release":{"malicious":"original"}}');
    const desk = await openDesk('admin', policy);
    const runId = await desk.scan(HELD);
    const answer = await decide(desk, runId, 'original');
    expect([answer.status, await answer.text()]).toEqual([409, expect.stringContaining('asks for a second person')]);
    expect((await desk.rig.ledger(runId)).terminal?.state).toBe('quarantined');
  });

  type Refused = readonly [fields: Record<string, string>, why: string];
  test.each<Refused>([
    [{ attempt: '2' }, 'since you opened the page'],
    [{ attempt: 'x' }, 'since you opened the page'],
    [{ why: '' }, 'Say why, in one line'],
    [{ why: 'two\nlines' }, 'Say why, in one line'],
    [{ why: 'x'.repeat(501) }, 'Say why, in one line'],
    [{ why: '\u200b\u2060\ufeff' }, 'Say why, in one line'],
    [{ why: '\u3164\uffa0\u115f' }, 'Say why, in one line'],
    [{ why: '\u2800\u0301\u{e0041}' }, 'Say why, in one line'],
    ...['1.0', '1e0', '0x1', ' 1', '+1', '01', '', 'NaN'].map(
      (attempt): Refused => [{ attempt }, 'since you opened the page'],
    ),
  ])('with %j is refused', async (fields, why) => {
    const desk = await openDesk();
    const runId = await desk.scan(HELD);
    const answer = await decide(desk, runId, 'delete', fields);
    expect([answer.status, await answer.text()]).toEqual([409, expect.stringContaining(why)]);
    expect((await desk.rig.ledger(runId)).attempt.number).toBe(1);
  });

  test.each([
    ['reader', 'release', 403],
    ['reader', 'original', 403],
    ['reader', 'rescan', 403],
    ['reader', 'delete', 403],
    ['analyst', 'original', 403],
    ['analyst', 'rescan', 303],
    ['analyst', 'delete', 303],
    ['admin', 'release', 303],
    ['admin', 'delete', 303],
  ] as const)('of a %s to %s is answered with %i', async (role, name, status) => {
    const desk = await openDesk(role);
    const runId = await desk.scan(HELD);
    expect((await decide(desk, runId, name)).status).toBe(status);
    if (status === 403) expect((await desk.rig.ledger(runId)).attempt.number).toBe(1);
  });
});

test('nothing is shown of a chain that was changed', async () => {
  const { get, scan, rig } = await openDesk();
  const runId = await scan(HELD);
  const key = rig.blobs.list('work').find((name) => name === `runs/${runId}/1/quarantine.json`) ?? '';
  const text = Buffer.from(await rig.blobs.get('work', key, { maxBytes: 1_000_000 })).toString();
  await rig.blobs.put('work', key, Buffer.from(text.replaceAll('Invoice', 'Inv0ice')));
  const answer = await get(`/mails/${runId}`);
  const page = await answer.text();
  expect([answer.status, page.includes('damaged'), page.includes('Inv0ice')]).toEqual([500, true, false]);
});

test('the page as a file has its style inside, no form and no link', async () => {
  const { scan, rig } = await openDesk();
  const runId = await scan(HELD.replace('Invoice', '<script>alert(1)</script>'));
  const page = mailFile(await rig.ledger(runId), 'Subject: <b onclick=alert(1)>\r\nX: http://evil.example', 'en');
  const names = elementsOf(page).map(({ name }) => name);
  expect(names.filter((name) => ['a', 'form', 'link', 'script', 'b-x'].includes(name))).toEqual([]);
  expect(names.filter((name) => !ELEMENTS.has(name) && name !== 'style')).toEqual([]);
  expect(
    elementsOf(page)
      .flatMap(({ attributes }) => attributes)
      .map(({ value }) => value),
  ).toContain("default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'");
  expect(page).not.toContain('http://evil.example');
  expect(page).toContain('Held because of a.pdf: policy removes pdf that is malicious.');
});

test('the page of a mail with 200 parts stays under 100 kB, and says what it does not show', async () => {
  const { get, scan } = await openDesk();
  const files = Array.from({ length: 198 }, (_, number) => ({
    name: `invoice-${number}.pdf`,
    bytes: `${PDF}${number}`,
  }));
  const page = await (await get(`/mails/${await scan(emailWith({ files }))}`)).text();
  expect(page.length).toBeLessThan(100_000);
  expect(page).toContain('invoice-197.pdf');
  expect(page).toMatch(/\d+ more; airlock runs show --json has all of them/);
});

test('the page of a mail, also as a file, says what was not asked of an analysis, and why', async () => {
  const budget = { sandboxPerMail: 0 };
  const types = { text: { analyses: ['static', 'sandbox'] } };
  const desk = await openDesk('reader', parsePolicy(JSON.stringify({ budget, types })));
  const runId = await desk.scan(emailWith({ text: 'Hello' }));
  const why = 'of one mail, the sandbox is asked about 0 files, and others come first';
  const file = mailFile(await desk.rig.ledger(runId), null, 'en');
  for (const page of [await (await desk.get(`/mails/${runId}`)).text(), file])
    expect(page.replace(/<[^>]+>/g, ' ')).toMatch(new RegExp(`Not asked .*sandbox .*${why}`, 's'));
});

test('the reference that a recipient quotes finds the mail at the desk, whatever became of it', async () => {
  const { get, scan, rig } = await openDesk('reader');
  const runId = await scan(emailWith({ subject: 'A good one', files: [{ name: 'x.exe', bytes: 'MZ' }] }));
  const message = await rig.blobs.get('clean', `${runId}/message.eml`, { maxBytes: 1_000_000 });
  const { text } = await PostalMime.parse(Buffer.from(message));
  const quoted = /this reference: ([\w-]+)\./.exec(text ?? '')?.[1] ?? '';
  expect(quoted).toMatch(/^[0-9A-Z]{2}-[0-9A-Z]{4}$/);
  const earlier = runId.slice(0, 12).replace(/(.{4})(?=.)/g, '$1-');
  for (const text of [quoted, ` ${quoted.toLowerCase()}`, earlier]) {
    const page = await (await get(`/mails?state=quarantined&words=${encodeURIComponent(text)}`)).text();
    expect(page).toContain(`/mails/${runId}`);
  }
  expect(await (await get('/mails?state=&words=00-0000')).text()).not.toContain(`/mails/${runId}`);
});

test('the page of a mail leads to other mail with its file, its link or its sender, and says what they have in common', async () => {
  const { get, scan } = await openDesk('reader');
  const from = (name: string, mail: string) => mail.replace('ana@sender', `${name}@${name}`);
  const file = [{ name: 'x.bin', bytes: 'the same bytes' }];
  const runId = await scan(emailWith({ text: 'see https://pay.example/x?1', files: file }));
  const others = {
    'a file': await scan(from('b', emailWith({ text: 'another', files: file }))),
    'a link': await scan(from('c', emailWith({ text: 'look at https://pay.example/x?1' }))),
    'the sender': await scan(emailWith({ text: 'something else' })),
  };
  const none = await scan(from('d', emailWith({ text: 'see https://pay.example/x?2' })));
  const page = await (await get(`/mails/${runId}`)).text();
  for (const [common, other] of Object.entries(others)) {
    const row = page.split('<tr>').find((one) => one.includes(`/mails/${other}`)) ?? '';
    expect(row.replace(/<[^>]+>/g, '|')).toContain(`|${common}|`);
  }
  expect(page).not.toContain(`/mails/${none}`);
});

test('other mail that is not shown is counted, and each link leads to the list that has all of it', async () => {
  const { get, scan } = await openDesk('reader');
  const kept = [{ name: 'x.bin', bytes: 'in every mail' }];
  const more = Array.from({ length: 10 }, (_, at) => ({ name: `${at}.bin`, bytes: `one of ${at}` }));
  const runId = await scan(emailWith({ subject: 'The first', files: [...kept, ...more] }));
  for (let other = 0; other < 9; other += 1) await scan(emailWith({ subject: `Other ${other}`, files: kept }));
  const page = await (await get(`/mails/${runId}`)).text();
  expect(strangeIn(page)).toEqual([]);
  const [, others = ''] = /<h2>Other mail([\s\S]*?)<\/section>/.exec(page) ?? [];
  const said = others.replace(/<[^>]+>/g, '').replace(/\s+/g, ' ');
  expect(others.match(/<tr>/g)).toHaveLength(1 + 6);
  expect(said).toMatch(
    /More mail than is shown here has a file [0-9a-f]{12} \(3\); the sender ana\[@\]sender\[\.\]example \(3\)/,
  );
  expect(said).toMatch(/Not searched for here: a file [0-9a-f]{12}/);
  for (const [, link = ''] of others.matchAll(/<p class="more">[\s\S]*?href="([^"]+)"/g)) {
    const list = await (await get(link.replaceAll('&amp;', '&'))).text();
    expect(list).toContain(`/mails/${runId}"`);
  }
  const all = /<p class="more">[\s\S]*?href="([^"]+)"/.exec(others)?.[1] ?? '';
  const list = await (await get(all.replaceAll('&amp;', '&'))).text();
  expect(list.match(/Other \d/g)).toHaveLength(9);
});

test('the timeline of a mail says how long it waited, how often a service was asked, and what it cost', async () => {
  const { get, scan, rig } = await openDesk('reader');
  const runId = await scan(emailWith({ text: 'Hello' }));
  const ledger = await rig.ledger(runId);
  const page = (await (await get(`/mails/${runId}`)).text()).replace(/<[^>]+>/g, '|').replace(/\|+/g, '|');
  expect(page).toMatch(/\|Waited between the stages\|\d+ ms\|/);
  expect(page).toContain(`|Questions whether an analysis is done|${ledger.polls}|`);
  expect(page).toMatch(/\|Cost on AWS\|\$0\.000\d{3}\|/);
});

test('a mail that was released costs what both attempts did, and a page without the index says that it knows one', async () => {
  const { get, scan, post, rig, runs } = await openDesk('analyst');
  const runId = await scan(HELD);
  const costIn = (page: string) =>
    page
      .replace(/<[^>]+>/g, '|')
      .match(/\|(Cost[^|]*)\|+\$([\d.]+)\|/)
      ?.slice(1) ?? [];
  const [, first] = costIn(await (await get(`/mails/${runId}`)).text());
  rig.advance(60_000);
  await post(`/mails/${runId}/release`, { why: 'the sender called', attempt: '1' });
  const ledger = await rig.ledger(runId);
  expect(ledger.attempt.number).toBe(2);
  const all = (await runs.get(runId))?.spent?.usd ?? 0;
  expect(all).toBeGreaterThan(Number(first));
  const expected = ['Cost on AWS', all.toFixed(6)];
  expect(costIn(await (await get(`/mails/${runId}`)).text())).toEqual(expected);
  expect(costIn(await (await get(`/mails/${runId}/report.html`)).text())).toEqual(expected);
  expect(costIn(mailFile(ledger, null, 'en'))[0]).toBe('Cost of the newest attempt on AWS');
});

test('the timeline of a mail says how long it waited in front of each stage, also between the calls of one', async () => {
  const { scan, rig } = await openDesk('reader');
  const made = await rig.ledger(await scan(emailWith({ text: 'Hello' })));
  const at = (clock: string) => `2026-11-20T${clock}Z`;
  const call = (stage: 'parse' | 'submit' | 'poll' | 'decide', clock: string, durationMs: number) => ({
    stage,
    startedAt: at(clock),
    durationMs,
  });
  const stages = [
    call('parse', '12:00:00.040', 60),
    call('submit', '12:00:00.100', 400),
    call('poll', '12:00:15.500', 500),
    call('poll', '12:00:46.000', 1_000),
    call('decide', '12:20:47.000', 20),
  ];
  const terminal = { state: 'delivered' as const, at: at('12:20:47.020'), keys: [] };
  const ledger = { ...made, bornAt: at('12:00:00.000'), stages, terminal };
  const rowsOf = (one: typeof ledger) => {
    const [, part = ''] = /<h2>Stages<\/h2>([\s\S]*?)<\/section>/.exec(mailFile(one, null, 'en')) ?? [];
    return part.split('<tr>').map((row) => row.replace(/<[^>]+>/g, '|').replace(/\s*\|[\s|]*/g, '|'));
  };
  expect(rowsOf(ledger).slice(2, 6)).toEqual([
    '|Read it|parse|40 ms|2026-11-20 12:00:00 UTC|60 ms|',
    '|Ask the engines|submit|0 ms|2026-11-20 12:00:00 UTC|400 ms|',
    '|Wait for answers|poll × 2|45 s|2026-11-20 12:00:15 UTC|1500 ms|',
    '|Decide by policy|decide|20 min|2026-11-20 12:20:47 UTC|20 ms|',
  ]);
  expect(rowsOf(ledger).join('')).toContain('|Waited between the stages|21 min|');
  // What was held until somebody decided did not wait meanwhile.
  const attempt = { ...made.attempt, number: 2, begunAt: at('12:20:46.000') };
  expect(
    rowsOf({ ...ledger, attempt })
      .slice(5)
      .join(''),
  ).toMatch(/\|Decide by policy\|decide\|1000 ms\|.*\|Waited between the stages\|1000 ms\|/);
});

test('a list that has only been searched in part says so, and leads to older mail', () => {
  const words = deskWords('en');
  const context = { language: 'en', words, desk: null } as const;
  const contents = { ask: askOf([]), counts: [], isIncomplete: false, views: [] };
  const page = (next: string | null) => listPage(context, { ...contents, page: { rows: [], next } }, 'reader');
  expect(page(null)).toContain('No mail fits.');
  expect(page('later')).toContain('None of the newest mail fits. Older mail was not looked at yet.');
  expect(page('later')).not.toContain('No mail fits.');
});
