/** `airlock gateway` with options that cannot be used: nothing begins, and the answer says what to write instead. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { airlock } from './console.ts';

const folder = mkdtempSync(join(tmpdir(), 'airlock-options-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const spool = join(folder, 'spool');
const PLACES = ['--listen', '127.0.0.1:0', '--next', '127.0.0.1:2526', '--spool', spool];

test.each<[string, string[], RegExp]>([
  ['nothing', [], /^These are missing: --listen HOST:PORT, .*; --next HOST:PORT, .*; --spool DIR, /],
  ['no next server', ['--listen', '127.0.0.1:0', '--spool', spool], /^These are missing: --next HOST:PORT, [^;]*\.$/],
  ['a port alone', ['--listen', '2525', '--next', 'x:1', '--spool', spool], /^--listen takes HOST:PORT, .*"2525"/],
  ['a port that is none', ['--listen', '127.0.0.1:70000', '--next', 'x:1', '--spool', spool], /^--listen takes/],
  ['an odd protocol', ['--listen', '127.0.0.1:0', '--next', 'https:x:1', '--spool', spool], /^--next takes HOST:PORT/],
  ['itself', ['--listen', '127.0.0.1:9', '--next', '127.0.0.1:9', '--spool', spool], /are the same place/],
  ['a name for a client', [...PLACES, '--client', 'mail.example'], /^--client takes IP addresses.*"mail\.example"/],
  ['a range of everybody', [...PLACES, '--client', '0.0.0.0/0'], /^--client 0\.0\.0\.0\/0 is too wide.*prefix of 8/],
  ['a wide range', [...PLACES, '--client', '2001::/16'], /^--client 2001::\/16 is too wide.*prefix of 32/],
  ['a range that is none', [...PLACES, '--client', '192.0.2.0/33'], /^--client takes a range such as/],
  ['a range of a name', [...PLACES, '--client', 'mail.example/24'], /^--client takes a range such as/],
  ['a range by its mask', [...PLACES, '--client', '192.0.2.0/255.255.255.0'], /^--client takes a range such as/],
  ['a range that is believed', [...PLACES, '--xclient-from', '10.0.0.0/8'], /^--xclient-from takes IP addresses/],
  ['a zone', [...PLACES, '--xforward-from', 'fe80::1%eth0'], /^--xforward-from takes IP addresses/],
  ['an address for a domain', [...PLACES, '--domain', 'a@example.com'], /^--domain takes a domain.*"a@example\.com"/],
  ['a wildcard', [...PLACES, '--domain', '*.example.com'], /Each subdomain is named for itself/],
  [
    'an open door',
    ['--listen', '0.0.0.0:0', '--next', 'x:1', '--spool', spool],
    /^Nobody could send to 0\.0\.0\.0: name/,
  ],
  ['a name with a line end', [...PLACES, '--name', 'a\r\nb'], /^--name takes a host name/],
  ['a key alone', [...PLACES, '--tls-key', 'key.pem'], /^TLS needs two files in PEM/],
  ['required TLS without a key', [...PLACES, '--tls-required'], /^TLS needs two files in PEM/],
  ['missing files', [...PLACES, '--tls-key', '/no/key', '--tls-cert', '/no/cert'], /^--tls-key: \/no\/key .*ENOENT/],
  [
    'files that are no certificate',
    [...PLACES, '--tls-key', file('k', 'x'), '--tls-cert', file('c', 'y')],
    /no key and certificate that fit together/,
  ],
  ['passwords without TLS', [...PLACES, '--auth-file', file('a', '')], /^--auth-file needs --tls-key and --tls-cert/],
  ['authorities without TLS', [...PLACES, '--tls-client-ca', file('ca0', '')], /^--tls-client-ca needs --tls-key/],
  [
    'a list of revoked certificates of nobody',
    [...PLACES, '--tls-client-crl', file('crl0', '')],
    /^--tls-client-crl needs --tls-client-ca/,
  ],
  [
    'required certificates of nobody',
    [...PLACES, '--tls-client-required'],
    /^--tls-client-required needs --tls-client-ca/,
  ],
  ['a key for the next server without its certificate', [...PLACES, '--next-key', 'k.pem'], /needs two files in PEM/],
  [
    'a certificate that would be shown without TLS',
    [...PLACES, '--next-key', 'k.pem', '--next-cert', 'c.pem'],
    /^--next-cert needs --next-tls required/,
  ],
  [
    'a certificate for the next server that is not there',
    [...PLACES, '--next-tls', 'required', '--next-key', 'k.pem', '--next-cert', 'c.pem'],
    /^--next-key: k\.pem cannot be read \(ENOENT\)/,
  ],
  ['a user without a password', [...PLACES, '--next-user', 'me'], /AIRLOCK_NEXT_PASSWORD/],
  ['an unknown kind of TLS', [...PLACES, '--next-tls', 'maybe'], /Allowed choices are off, try, required/],
  ['half of a notice', [...PLACES, '--notice-from', 'a@example.com'], /^--notice-from and --notice-to belong together/],
  ['public metrics', [...PLACES, '--metrics', '0.0.0.0:9100'], /^--metrics takes an address of this machine only/],
  ['limits that are not JSON', [...PLACES, '--limits', file('l1', '{')], /is not JSON/],
  ['an unknown limit', [...PLACES, '--limits', file('l2', '{"speed":1}')], /names speed, which is no limit/],
  ['a limit of nothing', [...PLACES, '--limits', file('l3', '{"passes":0}')], /passes must be a whole number above 0/],
  ['a policy that is not there', [...PLACES, '--policy', '/no/policy'], /^The policy file \/no\/policy does not exist/],
  [
    'a spool in a file',
    [...PLACES.slice(0, 4), '--spool', join(file('f', ''), 'x')],
    /^--spool .* cannot be used: ENOTDIR/,
  ],
  ['a word too many', ['bogus'], /too many arguments/],
  ['status of nothing', ['status'], /^--spool names the folder of the gateway/],
  ['status of another folder', ['status', '--spool', folder], /is no spool of a gateway/],
])('%s', async (_, options, says) => {
  const { code, stdout, stderr } = await airlock(['gateway', ...options]);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr.trimEnd()).toMatch(says);
});

test('a password is sent over TLS only', async () => {
  const options = [...PLACES, '--next-user', 'me', '--next-tls', 'try'];
  const { code, stderr } = await airlock(['gateway', ...options], {
    env: { AIRLOCK_NEXT_PASSWORD: 'a long password' },
  });
  expect([code, stderr]).toEqual([2, '--next-user needs --next-tls required: passwords are sent over TLS only.\n']);
});

test('a port that is taken is said in one line', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as { port: number };
  const options = ['--listen', `127.0.0.1:${port}`, '--next', '127.0.0.1:2526', '--spool', spool];
  const { code, stderr } = await airlock(['gateway', ...options]);
  expect([code, stderr]).toEqual([2, `127.0.0.1:${port} is taken. Name another address.\n`]);
  await new Promise((resolve) => other.close(resolve));
});
