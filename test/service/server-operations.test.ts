/** The service as an operator runs it: TLS, proxies, readiness, counts, and its first page. */
import { once } from 'node:events';
import { connect } from 'node:tls';
import { afterEach, describe, expect, test } from 'vitest';
import { AnalysisClient } from '../../lib/service/client/analysis-client.ts';
import type { CertificateSource } from '../../lib/service/server/http/open-server.ts';
import { peerOf, trustedProxies } from '../../lib/service/server/http/peer.ts';
import { type RunningService, type ServiceOptions, startService } from '../../lib/service/server/listen.ts';
import type { AccessLogEntry } from '../../lib/service/server/routing.ts';
import { API_KEY, CDR_TOKEN, scriptedRunner } from './scripted-service.ts';
import { selfSigned } from './self-signed.ts';

const running: RunningService[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((service) => service.close()));
});

async function started(options: Partial<ServiceOptions> = {}): Promise<RunningService> {
  const service = await startService({
    port: 0,
    apiKey: API_KEY,
    cdrToken: CDR_TOKEN,
    pool: scriptedRunner,
    ...options,
  });
  running.push(service);
  return service;
}

/** A source whose pair can be replaced. */
function renewable() {
  let pair: { readonly key: string; readonly cert: string } = selfSigned();
  let isNew = false;
  const source: CertificateSource = {
    read: () => {
      isNew = false;
      return { ...pair, minVersion: 'TLSv1.2' };
    },
    hasChanged: () => isNew,
  };
  const replace = (next: { readonly key: string; readonly cert: string }) => {
    pair = next;
    isNew = true;
  };
  return { source, replace };
}

/** The certificate that a new connection gets. */
async function certificateAt(url: string): Promise<string> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { fingerprint256 } = socket.getPeerCertificate();
  socket.destroy();
  return fingerprint256;
}

describe('over TLS', () => {
  test('a renewed certificate is used, and one that does not fit its key is not', async () => {
    const faults: unknown[] = [];
    const { source, replace } = renewable();
    const service = await started({
      tls: source,
      limits: { certificateMs: 5 },
      onFault: (error) => void faults.push(error),
    });
    expect(service.url).toMatch(/^https:/);
    const before = await certificateAt(service.url);
    replace({ key: selfSigned().key, cert: selfSigned().cert });
    await expect.poll(() => faults.length).toBe(1);
    expect(await certificateAt(service.url)).toBe(before);
    replace(selfSigned());
    await expect.poll(() => certificateAt(service.url)).not.toBe(before);
  });
});

describe('the address of the caller', () => {
  const proxies = trustedProxies(['10.0.0.0/8', 'fd00::/8', '127.0.0.1']);

  test.each<[string, string | undefined, string | null, string | null]>([
    ['of a connection', '9.9.9.9', null, '9.9.9.9'],
    ['of a connection whose caller makes up a proxy', '9.9.9.9', '1.2.3.4', '9.9.9.9'],
    ['behind a proxy', '10.0.0.1', '9.9.9.9', '9.9.9.9'],
    ['behind two proxies', '10.0.0.1', '9.9.9.9, 10.0.0.2', '9.9.9.9'],
    ['that writes more in front', '10.0.0.1', '127.0.0.1, 1.2.3.4, 9.9.9.9', '9.9.9.9'],
    ['behind a proxy that says nothing', '10.0.0.1', null, '10.0.0.1'],
    ['behind a proxy that says no address', '10.0.0.1', 'unknown', '10.0.0.1'],
    ['as IPv6', 'fd00::1', '2001:db8::1', '2001:db8::1'],
    ['of IPv4 on a socket for both', '::ffff:10.0.0.1', '9.9.9.9', '9.9.9.9'],
    ['without a connection', undefined, '9.9.9.9', null],
  ])('%s', (_, connected, forwarded, expected) => {
    expect(peerOf(connected, forwarded, proxies)).toBe(expected);
  });

  test('is never what is forwarded when no proxy is named', () => {
    expect(peerOf('10.0.0.1', '9.9.9.9', null)).toBe('10.0.0.1');
  });

  test.each(['x', '10.0.0.0/33', '10.0.0.0/-1', '1.2.3', 'fd00::/129', ''])('%s is no range', (range) => {
    expect(() => trustedProxies([range])).toThrow(/is no address or range/);
  });

  test('is logged', async () => {
    const log: AccessLogEntry[] = [];
    const { url } = await started({ log: (entry) => void log.push(entry), proxies });
    await fetch(`${url}/me`, { headers: { authorization: `Bearer ${API_KEY}`, 'x-forwarded-for': '9.9.9.9' } });
    await fetch(`${url}/cdr/listen/x`, { headers: { 'api-token': CDR_TOKEN } });
    expect(log.map(({ peer }) => peer)).toEqual(['9.9.9.9', '127.0.0.1']);
  });
});

describe('readiness', () => {
  test('begins when the engines have started, and the health does not depend on it', async () => {
    let isReady = false;
    const { url, cdrUrl } = await started({ isReady: () => isReady });
    const refused = await fetch(`${url}/readyz`);
    expect([refused.status, await refused.json()]).toMatchObject([503, { code: 'NOT_READY' }]);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    isReady = true;
    for (const base of [url, cdrUrl]) expect(await (await fetch(`${base}/readyz`)).json()).toEqual({ status: 'ready' });
  });

  test('ends before the service does, while requests are still answered', async () => {
    const service = await started();
    let drain = () => undefined as unknown;
    const closing = service.close(
      new Promise((resolve) => {
        drain = () => resolve(undefined);
      }),
    );
    running.splice(0);
    expect((await fetch(`${service.url}/readyz`)).status).toBe(503);
    const client = new AnalysisClient({ baseUrl: service.url, apiKey: API_KEY, retries: 0 });
    expect((await client.me()).plan.planName).toBe('Local');
    drain();
    await closing;
    await expect(client.me()).rejects.toMatchObject({ causeCode: 'ECONNREFUSED' });
  });
});

test('counts are told to Prometheus, and no text of a caller is in them', async () => {
  const service = await started();
  const client = new AnalysisClient({ baseUrl: service.url, apiKey: API_KEY });
  const { uuid } = await client.createStaticSubmission({ bytes: Buffer.from('benign'), filename: 'evil"}\nname.doc' });
  await client.waitForCompletion(uuid, { schedule: { firstMs: 1 } });
  await fetch(`${service.url}/evil%22%7D?x=%0A`, { headers: { authorization: `Bearer ${API_KEY}` } });
  const text = service.metrics();
  expect(text).toContain('airlock_service_requests_total{route="createStaticSubmission",status="200"} 1\n');
  expect(text).toContain('airlock_service_requests_total{route="none",status="404"} 1\n');
  expect(text).toContain('airlock_service_reports_total{type="static",status="completed"} 1\n');
  expect(text).toContain('airlock_service_pending 0\n');
  expect(text).toContain('airlock_service_ready 1\n');
  expect(text).not.toContain('evil');
  for (const line of text.trimEnd().split('\n'))
    expect(line).toMatch(
      /^(# (HELP|TYPE) airlock_service_\w+ .+|airlock_service_\w+(\{(\w+="[\w-]+",?)+\})? [\d.e+-]+)$/,
    );
});

describe('the first page', () => {
  test('needs no key, loads nothing and leads to the documentation', async () => {
    const { url } = await started({ deskUrl: 'https://desk.example/"><script>' });
    const answer = await fetch(url);
    const page = await answer.text();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(page).not.toContain('<script');
    const links = [...page.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href = '']) => href);
    expect(links).toContain('https://desk.example/%22%3E%3Cscript%3E');
    for (const path of links.filter((href) => !href.startsWith('https:')))
      expect([path, (await fetch(`${url}/${path}`)).status]).toEqual([path, 200]);
  });
});
