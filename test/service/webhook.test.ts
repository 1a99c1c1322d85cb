import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { isPublicAddress } from '../../lib/engines/url/visit/public-address.ts';
import {
  sendWebhook,
  WEBHOOK_DELAYS_MS,
  type WebhookDeps,
  webhookUrl,
} from '../../lib/service/server/webhooks/webhook.ts';

const NEVER = new AbortController().signal;

describe('a public address', () => {
  test.each(['1.1.1.1', '8.8.8.8', '100.63.255.255', '172.32.0.1', '2606:4700::1111', '2a00:1450:4001::64'])(
    '%s is one',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );

  test.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.9.9.9',
    '169.254.169.254',
    '169.254.170.2',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.19.255.255',
    '203.0.113.9',
    '224.0.0.1',
    '239.255.255.250',
    '255.255.255.255',
    '168.63.129.16',
    '::',
    '::1',
    '::ffff:8.8.8.8',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%lo',
    'ff02::1',
    '2001:db8::1',
    '',
    'localhost',
    '1.1.1',
    '01.1.1.1',
  ])('%s is none', (address) => expect(isPublicAddress(address)).toBe(false));
});

describe('a webhook URL', () => {
  test.each(['https://a.test/x?y=1', 'http://a.test:8080/'])('%s can be called', (url) => {
    expect(webhookUrl(url)?.href).toBe(url);
  });
  test.each(['', 'a.test', 'ftp://a.test/', 'file:///etc/passwd', 'javascript:1', 'https://u:p@a.test/', '//a.test'])(
    '%s cannot',
    (url) => expect(webhookUrl(url)).toBeNull(),
  );
});

/** Answers of the receiver, one for each attempt; records what was sent and how long each wait was. */
function scripted(statuses: readonly (number | Error)[], resolved: readonly string[] = ['1.1.1.1']) {
  const calls: { url: string; address: string; body: string }[] = [];
  const waits: number[] = [];
  const deps: WebhookDeps = {
    resolve: async () => resolved,
    delay: async (ms) => void waits.push(ms),
    post: async (url, address, body) => {
      const status = statuses[calls.length] ?? 200;
      calls.push({ url: url.href, address, body });
      if (status instanceof Error) throw status;
      return status;
    },
  };
  return { deps, calls, waits };
}

describe('a delivery', () => {
  test('is one POST of the result id to the address that was checked', async () => {
    const { deps, calls, waits } = scripted([204]);
    expect(await sendWebhook(deps, 'https://a.test/hook', 'id-1', NEVER)).toBe('delivered');
    expect(calls).toEqual([{ url: 'https://a.test/hook', address: '1.1.1.1', body: '{"resultId":"id-1"}' }]);
    expect(waits).toEqual([]);
  });

  test('is repeated after a refusal, a redirect and a broken connection, and stops once it arrived', async () => {
    const { deps, calls, waits } = scripted([500, 302, new Error('reset'), 200]);
    expect(await sendWebhook(deps, 'https://a.test/', 'id', NEVER)).toBe('delivered');
    expect(calls).toHaveLength(4);
    expect(waits).toEqual(WEBHOOK_DELAYS_MS.slice(1, 4));
  });

  test('is given up after the last attempt', async () => {
    const { deps, calls } = scripted(WEBHOOK_DELAYS_MS.map(() => 503));
    expect(await sendWebhook(deps, 'https://a.test/', 'id', NEVER)).toBe('failed');
    expect(calls).toHaveLength(WEBHOOK_DELAYS_MS.length);
  });

  test('never goes to a private address, even beside a public one, unless the operator allows it', async () => {
    for (const resolved of [['127.0.0.1'], ['1.1.1.1', '10.0.0.1'], ['::ffff:169.254.169.254']]) {
      const { deps, calls } = scripted([200], resolved);
      expect(await sendWebhook(deps, 'https://a.test/', 'id', NEVER)).toBe('refused');
      expect(calls).toEqual([]);
      expect(await sendWebhook({ ...deps, allowPrivateAddresses: true }, 'https://a.test/', 'id', NEVER)).toBe(
        'delivered',
      );
    }
  });

  test('is refused when the name moves to a private address between two attempts', async () => {
    const { deps, calls } = scripted([500]);
    let lookups = 0;
    const resolve = async () => {
      lookups += 1;
      return [lookups === 1 ? '1.1.1.1' : '127.0.0.1'];
    };
    expect(await sendWebhook({ ...deps, resolve }, 'https://a.test/', 'id', NEVER)).toBe('refused');
    expect(calls).toHaveLength(1);
  });

  test('ends at once when the service closes', async () => {
    const closing = new AbortController();
    const { deps, calls } = scripted([500, 500]);
    const delay = async () => closing.abort();
    expect(await sendWebhook({ ...deps, delay }, 'https://a.test/', 'id', closing.signal)).toBe('failed');
    expect(calls.length).toBeLessThanOrEqual(2);
  });
});

describe('over a real socket', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  async function receiver(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<number> {
    const server = createServer(handle);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }

  test('connects to the checked address under the name of the URL and follows no redirect', async () => {
    const seen: unknown[] = [];
    const port = await receiver((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method, url, headers } = request;
        seen.push({
          method,
          url,
          host: headers.host,
          type: headers['content-type'],
          body: Buffer.concat(chunks).toString(),
        });
        response.writeHead(seen.length === 1 ? 302 : 200, { location: '/elsewhere' }).end('x'.repeat(1_000));
      });
    });
    const deps = { allowPrivateAddresses: true, resolve: async () => ['127.0.0.1'], delay: async () => undefined };
    expect(await sendWebhook(deps, `http://hook.test:${port}/a?b=c`, 'id-2', NEVER)).toBe('delivered');
    const sent = {
      method: 'POST',
      url: '/a?b=c',
      host: `hook.test:${port}`,
      type: 'application/json',
      body: '{"resultId":"id-2"}',
    };
    expect(seen).toEqual([sent, sent]);
  });

  test.each([
    'http://127.0.0.1',
    'http://0x7f000001',
    'http://2130706433',
    'http://[::1]',
    'http://[::ffff:127.0.0.1]',
  ])('never reaches this machine as %s', async (origin) => {
    let calls = 0;
    const port = await receiver((_, response) => {
      calls += 1;
      response.end();
    });
    expect(await sendWebhook({}, `${origin}:${port}/`, 'id', NEVER)).toBe('refused');
    expect(calls).toBe(0);
  });
});
