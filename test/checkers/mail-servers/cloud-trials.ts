/**
 * The recipe of docs/gateway.md before Exchange, Google Workspace and Microsoft 365. Those servers cannot be started here, so a Postfix
 * stands for each of them: it demands TLS, takes mail of the address of the gateway only, and announces the extensions of that server.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { makeCertificate } from '../../gateway/certificate.ts';
import { rawClient } from '../../gateway/raw-client.ts';
import { statusOf } from './gateway-process.ts';
import { untilArrived } from './mailboxes.ts';
import { COPIES, MAILS, problemsOf, swaks, WANTED } from './mails.ts';
import { inPlace, type Place } from './place.ts';
import { recipeIn, sendAll, type Trial, toDovecot } from './trial-parts.ts';
import { untilSaid } from './until-said.ts';

interface CloudServer {
  readonly name: string;
  /** False when it does not announce SMTPUTF8. */
  readonly isInternational: boolean;
  /** Keywords of EHLO that Postfix knows, and this server does not. */
  readonly unknown: readonly string[];
}

/** What each is known to leave out of its answer to EHLO. */
const SERVERS: readonly CloudServer[] = [
  { name: 'Exchange 2016', isInternational: false, unknown: ['etrn', 'vrfy'] },
  { name: 'Google Workspace', isInternational: true, unknown: ['etrn', 'vrfy', 'dsn'] },
  { name: 'Microsoft 365', isInternational: true, unknown: ['etrn', 'vrfy'] },
];

const HEADING = 'Before Exchange, Google Workspace or Microsoft 365';
/** What the server takes, in bytes, and a message beyond it. The real limits are some hundred times as large. */
const MAX_BYTES = 1_000_000;
const TOO_LARGE = {
  ...{ subject: 'Too large', from: 'ana@sender.example', to: ['bo'] },
  message: `From: ana@sender.example\r\nSubject: Too large\r\n\r\n${'A line of a long letter.\r\n'.repeat(50_000)}`,
};
const LETTER = {
  ...{ subject: 'Letter', from: 'ana@sender.example', to: ['bo'] },
  message: 'From: ana@sender.example\r\nSubject: Letter\r\n\r\nx\r\n',
};
/** Another machine, for a server that looks at addresses. */
const STRANGER = ['--local-interface', '127.0.0.2'];

const settingsOf = (place: Place, { isInternational, unknown }: CloudServer, tls: { cert: string; key: string }) => [
  ...toDovecot(place),
  ...['smtpd_tls_security_level = encrypt', `smtpd_tls_cert_file = ${tls.cert}`, `smtpd_tls_key_file = ${tls.key}`],
  'smtpd_client_restrictions = check_client_access inline:{127.0.0.1=OK}, reject',
  `message_size_limit = ${MAX_BYTES}`,
  `smtpd_discard_ehlo_keywords = ${[...unknown, ...(isInternational ? [] : ['smtputf8'])].join(', ')}`,
  `smtputf8_enable = ${isInternational ? 'yes' : 'no'}`,
  // Dovecot does not know SMTPUTF8, so such a message ends here.
  'transport_maps = inline:{ utf8@example.com=discard: }',
];

/** Sends a message of a sender whose address is not ASCII, and returns the answer. */
async function sendInternational(port: number): Promise<string> {
  const client = await rawClient(port);
  await client.reply();
  await client.ask('EHLO client.example');
  await client.ask('MAIL FROM:<jürgen@sender.example> SMTPUTF8');
  await client.ask('RCPT TO:<utf8@example.com>');
  await client.ask('DATA');
  const answer = await client.ask('From: ana@sender.example\r\nSubject: Grüße\r\n\r\nx\r\n.');
  client.end();
  return answer;
}

const said = (isSo: boolean, problem: string) => (isSo ? [] : [problem]);

const trialOf = (server: CloudServer): Trial => ({
  name: `the gateway before a server like ${server.name}`,
  run: (folder) =>
    inPlace(folder, async (place) => {
      const { ports, spool, mail } = place;
      await mkdir(join(folder, 'tls'));
      const { certFile: cert, keyFile: key } = makeCertificate(join(folder, 'tls'));
      const recipe = recipeIn(place, HEADING, {
        '0.0.0.0:25': `127.0.0.1:${ports.gateway}`,
        'mail.example.com:25': `localhost:${ports.back}`,
        '/etc/airlock/key.pem': key,
        '/etc/airlock/cert.pem': cert,
      });
      await place.dovecot();
      const postfix = await place.postfix(
        'cloud',
        ports.back,
        { main: '', master: '' },
        settingsOf(place, server, { cert, key }),
      );
      // A server on another machine must speak TLS unless told otherwise; the one of this trial is on this machine.
      await place.gateway([...recipe.gateway, '--next-tls', 'required', '--next-ca', cert]);
      const inClear = await swaks(folder, ports.back, LETTER, 'example.com');
      const stranger = await swaks(folder, ports.back, LETTER, 'example.com', ['--tls', ...STRANGER]);
      const elsewhere = await swaks(folder, ports.gateway, LETTER, 'elsewhere.example', ['--tls']);
      const refused = await sendAll(place, ports.gateway, ['--tls']);
      const problems = problemsOf(await untilArrived(mail, COPIES));
      const large = await swaks(folder, ports.gateway, TOO_LARGE, 'example.com', ['--tls']);
      const international = await sendInternational(ports.gateway);
      const undelivered = server.isInternational ? 1 : 2;
      const expected = { judging: 0, sending: 0, held: MAILS.length - WANTED.length, undelivered, damaged: 0 };
      const counts = await untilSaid(
        async () => (await statusOf(spool)).counts,
        (now) => JSON.stringify(now) === JSON.stringify(expected),
      );
      const log = await postfix.log();
      const isSent = /to=<utf8@example\.com>.* status=sent/.test(log);
      return [
        ...said(/<\S* +530 5\.7\.0 /.test(inClear.output), 'the server took mail without TLS, so this says nothing'),
        ...said(/<\S* +554 5\.7\.1 /.test(stranger.output), 'the server took mail of another address'),
        ...said(/<\S* +550 5\.7\.1 /.test(elsewhere.output), 'mail to a domain of others was not refused with 550'),
        ...[...refused, ...problems],
        ...said(large.code === 0 && international.startsWith('250 '), 'the gateway refused mail that it could judge'),
        ...said(isSent === server.isInternational, `SMTPUTF8: the message was ${isSent ? '' : 'not '}sent on`),
        ...said(JSON.stringify(counts) === JSON.stringify(expected), `the spool has ${JSON.stringify(counts)}`),
      ];
    }),
});

export const CLOUD_TRIALS: readonly Trial[] = SERVERS.map(trialOf);
