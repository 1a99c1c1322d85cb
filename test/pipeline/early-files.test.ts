/** What of a message follows its first one and what does not, and how long a run waits for it. */
import { describe, expect, test } from 'vitest';
import { early } from '../../lib/pipeline/rebuilding/early.ts';
import { zipOf } from '../engines/zip-fixture.ts';
import { FILES, LINK, MAIL, type Opened, opened, polled, readFirst } from './early-rig.ts';
import { type Answer, emailWith, PDF, type SentRequest } from './rig.ts';

describe('what follows, and what does not', () => {
  const laterOf = async (mail: Opened) => {
    mail.rig.advance(60_000);
    return (await polled(mail))?.leaves.map(({ isLater }) => isLater) ?? null;
  };

  test.each([
    [['malicious'], [false, true]],
    [['malicious', 'suspicious'], null],
  ])(
    'a file in which something waits follows, unless policy holds mail for what is known of it: %j',
    async (quarantineVerdicts, later) => {
      const answer = (request: SentRequest): Answer => {
        if (request.kind === 'url_analysis') return {};
        if (request.filename.endsWith('.pdf')) return 'pending';
        return request.filename.endsWith('.zip') ? { verdict: 'suspicious' } : {};
      };
      const files = [{ name: 'a.zip', type: 'application/zip', bytes: zipOf({ 'in.pdf': PDF }) }];
      const policy = { message: { quarantineVerdicts } };
      expect(await laterOf(await opened(emailWith({ files }), policy, { script: { polls: 0, answer } }))).toEqual(
        later,
      );
    },
  );

  test('a file with a link that is still examined follows', async () => {
    const mail = await opened(emailWith({ files: [{ name: 'note.txt', type: 'text/plain', bytes: `See ${LINK}` }] }));
    mail.says.link = 'pending';
    expect(await laterOf(mail)).toEqual([false, true]);
  });

  test('a file whose analysis has failed is removed at once, and does not follow', async () => {
    const answer = (request: SentRequest): Answer => {
      if (request.kind === 'url_analysis' || !request.filename.endsWith('.pdf')) return {};
      return Buffer.from(request.bytes).includes('second')
        ? 'pending'
        : { failure: { class: 'service_error', detail: 'x' } };
    };
    const files = [...FILES, { name: 'b.pdf', type: 'application/pdf', bytes: `${PDF}% second\n` }];
    const policy = { failures: { service_error: 'remove' } };
    expect(await laterOf(await opened(emailWith({ files }), policy, { script: { polls: 0, answer } }))).toEqual([
      ...[false, false, true],
    ]);
  });

  test('of twenty files, those whose number begins as that of the one that waits are there', async () => {
    const others = Array.from({ length: 20 }, (_, at) => ({
      name: `${at}.txt`,
      type: 'text/plain',
      bytes: `text ${at}`,
    }));
    const mail = await opened(emailWith({ files: [...FILES, ...others] }));
    expect(await laterOf(mail)).toEqual([false, true, ...others.map(() => false)]);
    const { attachments } = await readFirst(mail);
    expect(attachments.map(({ content }) => content.toString()).filter((text) => /^text \d+$/.test(text))).toHaveLength(
      20,
    );
  });
});

describe('a run waits', () => {
  test('no longer than to the time of its first message', async () => {
    const mail = await opened();
    mail.rig.advance(10_000);
    for (const [asked, waits] of [
      [300, 20],
      [15, 15],
    ] as const) {
      const between = await early(mail.rig.ctx, { ...mail.run, waitSeconds: asked });
      expect(between).toMatchObject({ run: { waitSeconds: waits }, early: null, isOver: false });
    }
  });

  test('for no first message once nothing is outstanding, or where policy has none', async () => {
    const mail = await opened();
    expect(await early(mail.rig.ctx, { ...mail.run, outstanding: 0 })).toMatchObject({ early: null, isOver: true });
    const without = await opened(MAIL, { firstMessage: { afterSeconds: null } });
    expect(await early(without.rig.ctx, without.run)).toMatchObject({ early: null, isOver: true });
  });
});

test('a message of which an analysis has timed out goes on where policy removes what did', async () => {
  const answer = (request: SentRequest): Answer => {
    if (request.kind === 'url_analysis') return { failure: { class: 'timeout', detail: 'it took too long' } };
    return request.filename.endsWith('.pdf') ? 'pending' : {};
  };
  for (const [timeout, goes] of [
    ['quarantine', false],
    ['remove', true],
  ] as const) {
    const mail = await opened(MAIL, { failures: { timeout } }, { script: { polls: 0, answer } });
    mail.rig.advance(60_000);
    expect([timeout, (await polled(mail)) !== null]).toEqual([timeout, goes]);
  }
});
