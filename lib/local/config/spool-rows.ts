/** The settings of the verbs that take mail into a spool. */
import { DESK_LANGUAGES } from '../../desk/desk-words.ts';
import { MAX_PROCESSES } from '../gateway/judge-messages.ts';
import { type ConfigRow, PAGE_LANGUAGE, PAGES, row } from './row.ts';
import type { Value } from './values.ts';
import * as values from './values.ts';

/** A verb that takes mail into a spool, judges it, and sends it on. */
type SpoolVerb = 'gateway' | 'milter';
const spoolKey = (
  verb: SpoolVerb,
  [name, value]: readonly [string, Value],
  says: string,
  byDefault: string,
  example: unknown,
  more: Pick<ConfigRow, 'variable'> = {},
  commands: readonly string[] = [verb],
) => row([`${verb}.${name}`, value], says, byDefault, example, commands, more);
const gateway = (value: readonly [string, Value], says: string, byDefault: string, example: unknown) =>
  spoolKey('gateway', value, says, byDefault, example);
const milter = (value: readonly [string, Value], says: string, byDefault: string, example: unknown) =>
  spoolKey('milter', value, says, byDefault, example);

const addresses = values.listOf(values.range);
/** Returns the settings that the gateway and the milter both have. `spoolVerbs` are the verbs that read the spool. */
const inAndOut = (verb: SpoolVerb, spoolVerbs: readonly string[]): readonly ConfigRow[] => [
  spoolKey(verb, ['next', values.mailPlace], 'the next mail server', 'none: it is needed', '127.0.0.1:10026'),
  spoolKey(verb, ['spool', values.folder], 'everything that is kept', 'none: it is needed', 'spool', {}, spoolVerbs),
  spoolKey(verb, ['name', values.hostName], 'our name in greetings', 'that of this machine', 'mx.example.org'),
  spoolKey(
    verb,
    ['nextTls', values.oneOf(['off', 'try', 'required'])],
    'TLS to the next server',
    '`off` on this machine, else `required`',
    'required',
  ),
  spoolKey(verb, ['nextCa', values.file], 'certificates to trust in it (PEM)', 'those of Node', 'next-ca.pem'),
  spoolKey(verb, ['nextKey', values.file], 'the key of `nextCert` (PEM)', 'none', 'next-key.pem'),
  spoolKey(verb, ['nextCert', values.file], 'the certificate that is shown to it (PEM)', 'none', 'next-cert.pem'),
  spoolKey(verb, ['nextUser', values.text], 'who we are there', 'nobody', 'airlock'),
  spoolKey(
    verb,
    ['nextPassword', values.secret],
    'the password of `nextUser`',
    'none',
    { file: 'next-password.txt' },
    { variable: 'AIRLOCK_NEXT_PASSWORD' },
  ),
  spoolKey(verb, ['noticeFrom', values.mailAddress], 'sender of notices', 'nobody is told', 'airlock@example.org'),
  spoolKey(verb, ['noticeTo', values.mailAddress], 'the administrator', 'nobody is told', 'postmaster@example.org'),
  spoolKey(verb, ['metrics', values.place], 'counts for Prometheus, on this machine', 'none', '127.0.0.1:9465'),
  spoolKey(verb, ['html', values.folder], PAGES, 'none', 'pages'),
  spoolKey(verb, ['language', values.oneOf(DESK_LANGUAGES)], PAGE_LANGUAGE, '`en`', 'de'),
  spoolKey(
    verb,
    ['processes', values.whole(1, MAX_PROCESSES)],
    'processes that judge mail',
    'one for each processor',
    4,
  ),
  spoolKey(verb, ['limits', values.file], '[limits](gateway.md#limits) of yours', 'those shipped', 'limits.json'),
];

const GATEWAY: readonly ConfigRow[] = [
  gateway(['listen', values.mailPlace], 'where mail comes in', 'none: it is needed', '127.0.0.1:10025'),
  gateway(['client', addresses], 'who may send to any recipient', 'this machine', ['192.0.2.0/24']),
  gateway(['domain', values.listOf(values.domain)], 'domains that everybody may send to', 'none', ['example.org']),
  gateway(['xforwardFrom', addresses], 'who is believed with XFORWARD', 'this machine', ['127.0.0.1']),
  gateway(['xclientFrom', addresses], 'who is believed with XCLIENT', 'nobody', ['192.0.2.7']),
  gateway(['tlsKey', values.file], 'the private key of STARTTLS (PEM)', 'none', 'tls/key.pem'),
  gateway(['tlsCert', values.file], 'its certificate with the chain (PEM)', 'none', 'tls/cert.pem'),
  gateway(['tlsRequired', values.flag], 'take no message without TLS', '`false`', true),
  gateway(['tlsClientCa', values.file], 'authorities (PEM) whose clients may relay', 'none', 'tls/ca.pem'),
  gateway(['tlsClientCrl', values.file], 'what they have revoked (PEM)', 'none', 'tls/revoked.pem'),
  gateway(['tlsClientRequired', values.flag], 'take no message of other clients', '`false`', true),
  gateway(['authFile', values.file], 'names and passwords of AUTH', 'none', 'passwords.txt'),
  ...inAndOut('gateway', ['gateway', 'gateway status', 'gateway retry', 'gateway drop']),
];

const MILTER: readonly ConfigRow[] = [
  milter(['listen', values.milterPlace], 'where mail servers connect', 'none: it is needed', '127.0.0.1:10027'),
  milter(['client', addresses], 'mail servers that may connect', 'this machine', ['192.0.2.9']),
  milter(
    ['held', values.oneOf(['hold', 'reject', 'quarantine'])],
    'what becomes of [mail that policy holds](gateway.md#as-a-milter)',
    '`hold`',
    'reject',
  ),
  milter(['wait', values.whole(1, 540)], 'seconds that a sender waits', '120', 60),
  ...inAndOut('milter', ['milter']),
];

export const SPOOL_ROWS: readonly ConfigRow[] = [...GATEWAY, ...MILTER];
