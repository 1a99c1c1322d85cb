/** Every setting of the command line that `airlock.config.json` can have. Page, schema, reader and tests follow from this table. */
import { DESK_LANGUAGES } from '../../desk/desk-words.ts';
import { MAX_PROCESSES } from '../gateway/judge-messages.ts';
import type { Value } from './values.ts';
import * as values from './values.ts';

/** One key of the file. */
export interface ConfigRow {
  /** Its path in the file: `serve.port`. The last part is the name of the option. */
  readonly key: string;
  readonly value: Value;
  readonly says: string;
  readonly default: string;
  readonly example: unknown;
  /** The commands for which it counts. */
  readonly commands: readonly string[];
  /** The environment variable that it replaces, if there is no option. */
  readonly variable?: string;
  /** Options that replace it. A caller who gives one of them did not want this. */
  readonly unless?: readonly string[];
  /** Whether it also counts in a file that was only found. The place of results is harmless, but the checks are not. */
  readonly isFound?: true;
}

const ENGINES = ['scan', 'watch', 'gateway', 'milter'] as const;
const REVIEWS = ['quarantine release', 'quarantine rescan'] as const;
const SESSIONS = [...ENGINES, 'desk', 'redrive', ...REVIEWS] as const;
const JUDGES = [...SESSIONS, 'quarantine delete', 'recheck'] as const;
const RUNS = ['runs list', 'runs search', 'runs show', 'quarantine list', 'quarantine show', 'index rebuild'] as const;
const LISTS = ['audit list', 'audit verify', 'audit seal', 'block add', 'block remove', 'block list'] as const;
const KEYS = ['keys create', 'keys list', 'keys revoke'] as const;
const READERS = [
  'verify',
  'recall',
  'replay',
  'runs overview',
  'digest',
  'recipients',
  'policy try',
  ...RUNS,
  ...LISTS,
] as const;
const OUT = ['scan', 'desk', 'redrive', ...REVIEWS, 'quarantine delete', 'recheck', ...READERS] as const;

const found = { isFound: true } as const;
const row = (
  [key, value]: readonly [string, Value],
  says: string,
  byDefault: string,
  example: unknown,
  commands: readonly string[],
  more: Pick<ConfigRow, 'variable' | 'unless' | 'isFound'> = {},
): ConfigRow => ({ key, value, says, default: byDefault, example, commands, ...more });

const COMMON: readonly ConfigRow[] = [
  row(['policy', values.file], 'the [policy](policy.md)', 'the policy as shipped', 'policy.json', [
    ...JUDGES,
    'recipients',
    'replay',
  ]),
  row(['out', values.folder], 'the folder of `scan`', '`airlock-out`', 'airlock-out', OUT, found),
  row(
    ['service', values.webUrl],
    'an outside analysis service, with `apiKey`',
    'the engines here',
    'https://analysis.example/public-api',
    [...SESSIONS, 'recheck', 'replay'],
  ),
  row(['apiKey', values.secret], 'its key', 'none', { env: 'AIRLOCK_API_KEY' }, [...SESSIONS, 'recheck', 'replay'], {
    variable: 'AIRLOCK_API_KEY',
  }),
  row(
    ['cdrService', values.webUrl],
    'an outside CDR service, with `cdrToken`',
    'the engines here',
    'https://cdr.example/',
    [...SESSIONS, 'replay'],
  ),
  row(['cdrToken', values.secret], 'its token', 'none', { file: 'cdr-token.txt' }, [...SESSIONS, 'replay'], {
    variable: 'AIRLOCK_CDR_TOKEN',
  }),
  row(
    ['sealKey', values.file],
    'the private key (PEM) of [seals](delivered-mail.md#sealing-with-arc)',
    'none',
    'seal.pem',
    SESSIONS,
  ),
  row(['online', values.flag], 'visit URLs (public addresses only)', '`false`', true, ENGINES),
  row(['proxy', values.proxyUrl], 'visit through this proxy', 'none', 'http://proxy.example:3128', ENGINES),
  row(
    ['yaraRules', values.folder],
    'a folder with YARA rules of yours',
    'none',
    'rules',
    [...ENGINES, 'recheck', 'replay', 'serve'],
    {
      variable: 'AIRLOCK_YARA_RULES',
    },
  ),
  row(
    ['lists', values.folder],
    'a folder with [lists](one-machine.md#lists-of-your-own) of files, hosts and links',
    'none',
    'lists',
    [...SESSIONS, 'replay'],
    { variable: 'AIRLOCK_LISTS' },
  ),
  row(
    ['events', values.file],
    'a file to which [events](one-machine.md#events-on-one-machine) are appended',
    'none',
    'events.jsonl',
    [...SESSIONS, 'recheck', 'recall'],
    { variable: 'AIRLOCK_EVENTS' },
  ),
  row(
    ['chromium', values.program],
    'the Chromium that draws pages',
    'one that is installed',
    '/usr/bin/chromium',
    [...ENGINES, 'serve'],
    { variable: 'AIRLOCK_CHROMIUM' },
  ),
  row(
    ['chromiumSandbox', values.oneOf(['on', 'off'])],
    'whether it has its own sandbox; as root it starts only without',
    '`on`',
    'on',
    [...ENGINES, 'serve'],
    { variable: 'AIRLOCK_CHROMIUM_SANDBOX' },
  ),
];

const html = 'a folder for a page about each mail';
const language = 'the language of those pages';
const quiet = 'report only what was not delivered, on stderr';
const LAPTOP: readonly ConfigRow[] = [
  row(['scan.html', values.folder], html, 'none', 'pages', ['scan'], found),
  row(['scan.language', values.oneOf(DESK_LANGUAGES)], language, '`en`', 'de', ['scan'], found),
  row(['scan.quiet', values.flag], quiet, '`false`', true, ['scan'], found),
  row(['watch.out', values.folder], 'the folder of its results', 'beside what is watched', 'watched', ['watch'], found),
  row(['watch.html', values.folder], html, 'none', 'pages', ['watch'], found),
  row(['watch.language', values.oneOf(DESK_LANGUAGES)], language, '`en`', 'de', ['watch'], found),
  row(['watch.quiet', values.flag], quiet, '`false`', true, ['watch'], found),
  row(['disarm.out', values.folder], 'the folder of what is disarmed', 'beside the input', 'disarmed', ['disarm'], {
    ...found,
    unless: ['output'],
  }),
  row(['disarm.keepMetadata', values.flag], 'keep title, author and dates', '`false`', true, ['disarm']),
  row(['desk.port', values.whole(0, 65_535)], 'its port of 127.0.0.1; 0 takes any', '`0`', 8091, ['desk'], found),
];

const SHARED = { unless: ['data', 'inMemory'] } as const;
const SERVE: readonly ConfigRow[] = [
  row(['serve.port', values.whole(0, 65_535)], 'its port; 0 takes any', '`8080`', 8080, ['serve'], found),
  row(['serve.host', values.host], 'the address it listens on', '`127.0.0.1`', '0.0.0.0', ['serve']),
  row(['serve.tlsCert', values.file], 'the certificate with its chain (PEM)', 'none', 'tls/cert.pem', ['serve']),
  row(['serve.tlsKey', values.file], 'its private key (PEM)', 'none', 'tls/key.pem', ['serve']),
  row(
    ['serve.trustProxy', values.listOf(values.range)],
    'proxies that speak TLS for it',
    'none',
    ['10.0.0.0/8'],
    ['serve'],
  ),
  row(['serve.metrics', values.place], 'counts for Prometheus, on this machine', 'none', '127.0.0.1:9464', ['serve']),
  row(['serve.drain', values.whole(0, 600)], 'seconds in which it still answers at its end', '`0`', 20, ['serve']),
  row(['serve.deskUrl', values.webUrl], 'the desk, for its first page', 'none', 'https://desk.example/', ['serve']),
  row(
    ['serve.data', values.folder],
    'submissions, files and keys',
    '`airlock-data`',
    'airlock-data',
    ['serve', ...KEYS],
    {
      ...found,
      unless: ['inMemory', 'database'],
    },
  ),
  row(['serve.inMemory', values.flag], 'keep nothing when it stops', '`false`', true, ['serve'], {
    unless: ['data', 'database'],
  }),
  row(
    ['serve.database', values.database],
    'PostgreSQL that several processes share',
    'none',
    'postgres://airlock@db.example/airlock',
    ['serve', ...KEYS],
    SHARED,
  ),
  row(['serve.files', values.filesPlace], 'files that they share', 'none', 's3://bucket/files', ['serve'], SHARED),
  row(
    ['serve.role', values.oneOf(['all', 'api', 'worker'])],
    'what this process does of it',
    '`all`',
    'all',
    ['serve'],
    SHARED,
  ),
  row(['serve.online', values.flag], 'visit submitted URLs', '`false`', true, ['serve']),
  row(['serve.proxy', values.proxyUrl], 'visit through this proxy', 'none', 'http://proxy.example:3128', ['serve']),
  row(['serve.allowPrivateWebhooks', values.flag], 'let webhooks reach private addresses', '`false`', true, ['serve']),
  row(['serve.apiKey', values.secret], 'the key of its callers', 'one is made', { file: 'api-key.txt' }, ['serve'], {
    variable: 'AIRLOCK_API_KEY',
  }),
  row(['serve.cdrToken', values.secret], 'the CDR token of its callers', 'the key', { env: 'CDR_TOKEN' }, ['serve'], {
    variable: 'AIRLOCK_CDR_TOKEN',
  }),
];

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
  spoolKey(verb, ['html', values.folder], html, 'none', 'pages'),
  spoolKey(verb, ['language', values.oneOf(DESK_LANGUAGES)], language, '`en`', 'de'),
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

/** In the order of the page. */
export const CONFIG_ROWS: readonly ConfigRow[] = [...COMMON, ...LAPTOP, ...SERVE, ...GATEWAY, ...MILTER];

/** Returns the option of a key: `tlsKey` of `serve.tlsKey`. */
export const optionOf = ({ key }: ConfigRow): string => key.slice(key.lastIndexOf('.') + 1);
