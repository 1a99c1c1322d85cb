/** Every setting of the command line that `airlock.config.json` can have. Page, schema, reader and tests follow from this table. */
import { DESK_LANGUAGES } from '../../desk/desk-words.ts';
import { type ConfigRow, PAGE_LANGUAGE, PAGES, row } from './row.ts';
import { SPOOL_ROWS } from './spool-rows.ts';
import * as values from './values.ts';

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

const quiet = 'report only what was not delivered, on stderr';
const LAPTOP: readonly ConfigRow[] = [
  row(['scan.html', values.folder], PAGES, 'none', 'pages', ['scan'], found),
  row(['scan.language', values.oneOf(DESK_LANGUAGES)], PAGE_LANGUAGE, '`en`', 'de', ['scan'], found),
  row(['scan.quiet', values.flag], quiet, '`false`', true, ['scan'], found),
  row(['watch.out', values.folder], 'the folder of its results', 'beside what is watched', 'watched', ['watch'], found),
  row(['watch.html', values.folder], PAGES, 'none', 'pages', ['watch'], found),
  row(['watch.language', values.oneOf(DESK_LANGUAGES)], PAGE_LANGUAGE, '`en`', 'de', ['watch'], found),
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

/** In the order of the page. */
export const CONFIG_ROWS: readonly ConfigRow[] = [...COMMON, ...LAPTOP, ...SERVE, ...SPOOL_ROWS];
