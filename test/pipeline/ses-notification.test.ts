import { expect, test } from 'vitest';
import { envelopeOf, MailEnvelope, noteEnvelope } from '../../lib/pipeline/contents/mail-envelope.ts';
import { receivedBySes } from '../../lib/pipeline/results/ses-notification.ts';
import { createRig } from './rig.ts';

/** As the documents of SES show it, without the fields that nobody reads. */
const NOTIFICATION = {
  notificationType: 'Received',
  mail: {
    timestamp: '2026-11-20T12:00:00.000Z',
    source: 'ana@sender.example',
    messageId: 'o3vrnil0e2ic28tr',
    destination: ['bob@recipient.example'],
  },
  receipt: {
    recipients: ['bob@recipient.example', 'Hidden+1@recipient.example'],
    spamVerdict: { status: 'PASS' },
    virusVerdict: { status: 'FAIL' },
    action: { type: 'S3', topicArn: 'arn', bucketName: 'an-intake', objectKey: 'ses/o3vrnil0e2ic28tr' },
  },
};
const withSource = (source: string) => ({ ...NOTIFICATION, mail: { ...NOTIFICATION.mail, source } });
const withRecipients = (recipients: string[]) => ({
  ...NOTIFICATION,
  receipt: { ...NOTIFICATION.receipt, recipients },
});

test('the envelope has the recipients of SMTP, not those of the header', () => {
  expect(receivedBySes(NOTIFICATION)).toEqual({
    object: { bucket: 'an-intake', untrustedKey: 'ses/o3vrnil0e2ic28tr' },
    envelope: {
      schema: 'mail-airlock/mail-envelope/1',
      via: 'ses',
      receivedAt: '2026-11-20T12:00:00.000Z',
      sender: 'ana@sender.example',
      recipients: ['bob@recipient.example', 'Hidden+1@recipient.example'],
      untrustedVerdicts: { spam: 'PASS', virus: 'FAIL' },
    },
  });
});

test.each(['MAILER-DAEMON@amazonses.com', '<>', ''])('%j is the null sender', (source) => {
  expect(receivedBySes(withSource(source)).envelope.sender).toBe('');
});

test.each(['a@b.example\r\nRCPT TO:<x@y.example>', '<a@b.example>', 'a b@c.example', `${'a'.repeat(600)}@b.example`])(
  'an address that would say more than an address is no envelope: %j',
  (address) => {
    for (const one of [withSource(address), withRecipients([address])])
      expect(MailEnvelope.safeParse(receivedBySes(one).envelope).success).toBe(false);
  },
);

test('an envelope without recipients is none', () => {
  expect(MailEnvelope.safeParse(receivedBySes(withRecipients([])).envelope).success).toBe(false);
});

test.each([{}, { ...NOTIFICATION, notificationType: 'Bounce' }, { Message: JSON.stringify(NOTIFICATION) }])(
  'anything else is refused: %j',
  (body) => {
    expect(() => receivedBySes(body)).toThrow();
  },
);

test('the first envelope of an object counts, and none is null', async () => {
  const { ctx } = createRig();
  const { object, envelope } = receivedBySes(NOTIFICATION);
  expect(await envelopeOf(ctx, object)).toBeNull();
  await noteEnvelope(ctx, object, envelope);
  await noteEnvelope(ctx, object, { ...envelope, recipients: ['eve@elsewhere.example'] });
  expect(await envelopeOf(ctx, object)).toEqual(envelope);
  expect(await envelopeOf(ctx, { ...object, untrustedKey: 'ses/other' })).toBeNull();
});
