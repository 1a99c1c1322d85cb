/** One trial for each recipe of docs/gateway.md with Postfix: Debian's servers in front and behind, swaks and smtp-source as senders. */
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeCertificate } from '../../gateway/certificate.ts';
import { isInstalled, missingOf, runTool } from '../tools.ts';
import { untilArrived } from './mailboxes.ts';
import { COPIES, contentProblems, problemsOf, swaks } from './mails.ts';
import { inPlace } from './place.ts';
import { PASSWORD } from './servers.ts';
import {
  HELD,
  LOOPING,
  loadIn,
  recipeIn,
  SEND_MS,
  sendAll,
  sendLoad,
  spoolProblems,
  type Trial,
  toDovecot,
  untilWaiting,
  withoutLoad,
} from './trial-parts.ts';

const DEPLOY = fileURLToPath(new URL('../../../deploy', import.meta.url));
const UNITS = readdirSync(DEPLOY)
  .filter((name) => /\.(?:service|timer)$/.test(name))
  .map((name) => join(DEPLOY, name));
const LOAD = 60;

/** Postfix filters after its queue; the way back is away for a while, and the gateway is killed with mail in its spool. */
const afterQueue: Trial = {
  name: 'Postfix with content_filter, in front and behind',
  run: (folder) =>
    inPlace(folder, async (place) => {
      const { ports, spool, mail } = place;
      const recipe = recipeIn(place, 'After the queue');
      await place.dovecot();
      const postfix = await place.postfix('postfix', ports.front, recipe, toDovecot(place));
      const gateway = await place.gateway(recipe.gateway);
      const refused = await sendAll(place);
      const first = await untilArrived(mail, COPIES);
      const notSent = await sendLoad(ports.front, LOAD);
      await untilWaiting(spool);
      await gateway.kill();
      await place.gateway(recipe.gateway);
      const second = await untilArrived(mail, COPIES + LOAD);
      const lost = LOAD - loadIn(second).length;
      const isTold = /client=\S+\[127\.0\.0\.1\], orig_queue_id=/.test(await postfix.log());
      return [
        ...refused,
        ...notSent,
        ...problemsOf(withoutLoad(second)),
        ...(first.length < COPIES ? [`only ${first.length} of ${COPIES} arrived before the gateway was killed`] : []),
        ...(lost > 0 ? [`${lost} of ${LOAD} messages of smtp-source are missing`] : []),
        ...(isTold ? [] : ['Postfix was not told of the real client with XFORWARD']),
        ...(await spoolProblems(spool)),
      ];
    }),
};

/** Postfix asks the milter while its senders wait. Without the milter it puts them off. */
const asMilter: Trial = {
  name: 'Postfix with a milter',
  run: (folder) =>
    inPlace(folder, async (place) => {
      const { ports, spool, mail } = place;
      const recipe = recipeIn(place, 'As a milter');
      await place.dovecot();
      await place.postfix('postfix', ports.front, recipe, toDovecot(place));
      const away = await swaks(folder, ports.front, LOOPING, 'example.com');
      const milter = await place.gateway(recipe.gateway, {}, recipe.verb);
      const refused = await sendAll(place);
      const first = await untilArrived(mail, COPIES);
      const notSent = await sendLoad(ports.front, LOAD);
      await milter.stop();
      await place.gateway([...recipe.gateway, '--held', 'reject'], {}, recipe.verb);
      const held = await swaks(folder, ports.front, HELD, 'example.com');
      const second = await untilArrived(mail, COPIES + LOAD);
      const lost = LOAD - loadIn(second).length;
      return [
        ...refused,
        ...notSent,
        ...contentProblems(first),
        ...(/<\S* +451 4\.7\.1 /.test(away.output) ? [] : ['without the milter, a sender was not told to come back']),
        ...(/<\S* +550 5\.7\.1 .*\(reference /.test(held.output) ? [] : ['held mail was not refused with a reference']),
        ...(lost === 0 ? [] : [`${lost} of ${LOAD} messages of smtp-source are missing`]),
        ...(await spoolProblems(spool)),
      ];
    }),
};

/** Postfix filters before its queue: what the gateway refuses is refused to the sender. */
const beforeQueue: Trial = {
  name: 'Postfix with smtpd_proxy_filter',
  run: (folder) =>
    inPlace(folder, async (place) => {
      const { ports, spool, mail } = place;
      const recipe = recipeIn(place, 'Before the queue');
      await place.dovecot();
      await place.postfix('postfix', ports.front, recipe, toDovecot(place));
      await place.gateway(recipeIn(place, 'After the queue').gateway);
      const refused = await sendAll(place);
      const loop = await swaks(folder, ports.front, LOOPING, 'example.com');
      return [
        ...refused,
        ...problemsOf(await untilArrived(mail, COPIES)),
        ...(/<\S* +554 5\.4\.6 /.test(loop.output) ? [] : ['a mail loop was not refused to its sender with 554 5.4.6']),
        ...(await spoolProblems(spool)),
      ];
    }),
};

/** Postfix gives what it sends to the gateway, and that sends it on by TLS with a password. */
const outgoing: Trial = {
  name: 'Postfix with a smart host, and TLS and AUTH to the next Postfix',
  run: (folder) =>
    inPlace(folder, async (place) => {
      const { ports, spool, mail } = place;
      const recipe = recipeIn(place, 'Mail that goes out');
      const { certFile, keyFile } = makeCertificate(folder);
      await place.dovecot();
      await place.postfix('postfix', ports.front, recipe, []);
      await place.postfix('relay', ports.back, { main: '', master: '' }, [
        ...toDovecot(place),
        ...[
          'smtpd_tls_security_level = encrypt',
          `smtpd_tls_cert_file = ${certFile}`,
          `smtpd_tls_key_file = ${keyFile}`,
        ],
        ...[
          'smtpd_sasl_auth_enable = yes',
          'smtpd_sasl_type = dovecot',
          `smtpd_sasl_path = inet:127.0.0.1:${ports.auth}`,
        ],
        'smtpd_client_restrictions = permit_sasl_authenticated, reject',
      ]);
      // A server on another machine must speak TLS unless told otherwise; the one of this trial is on this machine.
      const tls = ['--next-tls', 'required', '--next-ca', certFile];
      await place.gateway([...recipe.gateway, ...tls], { AIRLOCK_NEXT_PASSWORD: PASSWORD });
      const refused = await sendAll(place);
      return [...refused, ...problemsOf(await untilArrived(mail, COPIES)), ...(await spoolProblems(spool))];
    }),
};

/** The gateway at the front, with TLS and passwords, and Dovecot behind it. */
const beforeDovecot: Trial = {
  name: 'swaks with TLS and AUTH to the gateway, and Dovecot behind it by LMTP',
  run: (folder) =>
    inPlace(folder, async (place) => {
      const { ports, spool, mail } = place;
      const { certFile, keyFile } = makeCertificate(folder);
      const password = randomBytes(12).toString('hex');
      const authFile = join(folder, 'passwords');
      const line = await runTool(
        'sh',
        ['-c', `echo ${password} | node --import tsx bin/airlock.ts gateway password scanner`],
        SEND_MS,
      );
      await writeFile(authFile, line.output);
      await place.dovecot();
      const own = ['--tls-key', keyFile, '--tls-cert', certFile, '--tls-required', '--auth-file', authFile];
      await place.gateway([...recipeIn(place, 'Before Dovecot').gateway, ...own]);
      const plain = await swaks(folder, ports.gateway, LOOPING, 'example.com');
      const login = ['--tls', '--auth', 'PLAIN', '--auth-user', 'scanner', '--auth-password'];
      const wrong = await swaks(folder, ports.gateway, LOOPING, 'example.com', [...login, 'wrong']);
      const refused = await sendAll(place, ports.gateway, [...login, password]);
      return [
        ...refused,
        ...problemsOf(await untilArrived(mail, COPIES)),
        ...(/<\S* +530 5\.7\.0 /.test(plain.output) ? [] : ['mail without TLS was not refused with 530']),
        ...(/<\S* +535 /.test(wrong.output) ? [] : ['a wrong password was not refused with 535']),
        ...(await spoolProblems(spool)),
      ];
    }),
};

/** The units in deploy/, read by systemd itself. It starts nothing. */
const units: Trial = {
  name: 'the units of deploy/ are such that systemd understands them',
  async run() {
    const { code, output } = await runTool('systemd-analyze', ['verify', ...UNITS], SEND_MS);
    return code === 0 && output.trim() === '' ? [] : [`systemd-analyze ended with ${code}: ${output}`];
  },
};

export const TRIALS: readonly Trial[] = [
  afterQueue,
  beforeQueue,
  asMilter,
  outgoing,
  beforeDovecot,
  ...(isInstalled('systemd-analyze') ? [units] : []),
];

/** What is missing on this machine for the trials; null when all is there. */
export function missingHere(): string | null {
  if (process.getuid?.() !== 0) return 'Postfix can be started by root only';
  return missingOf(['postfix', 'smtp-source', 'dovecot', 'swaks', 'openssl', 'python3']);
}
