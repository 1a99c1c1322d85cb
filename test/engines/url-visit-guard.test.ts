import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { HOPS } from '../../lib/engines/url/visit/limits.ts';
import { resolveHost } from '../../lib/engines/url/visit/resolve-host.ts';
import type { HandlerServer } from '../service/handler-server.ts';
import { LOOPBACK, type Pages, sendHtml, sendTo, site, visited } from './visit-fixture.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});
const started = async (pages: Pages): Promise<HandlerServer & { readonly port: number }> => {
  const server = await site(pages);
  open.push(server);
  return server;
};

const INTERNAL = [
  'http://127.0.0.1/',
  'http://127.1/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0177.0.0.1/',
  'http://0/',
  'http://10.1.2.3/',
  'http://172.16.0.1/',
  'http://192.168.1.1/',
  'http://100.64.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://168.63.129.16/',
  'http://224.0.0.1/',
  'http://255.255.255.255/',
  'http://198.18.0.1/',
  'http://[::1]/',
  'http://[::]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:10.0.0.1]/',
  'http://[::127.0.0.1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[64:ff9b:1::a00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[2001:0:7f00:1::]/',
  'http://[fe80::1]/',
  'http://[fc00::1]/',
  'http://[fd00:ec2::254]/',
  'http://[ff02::1]/',
];

describe('addresses that are not public', () => {
  test.each(INTERNAL)('never asks %s', async (url) => {
    const report = await visited(url, [], { allowAddresses: [] });
    expect(report.visit).toMatchObject({ outcome: 'ended', end: 'internal-address', page: null, headers: null });
    expect(report.ids).toContain('internal-address');
  });

  test.each(INTERNAL.slice(1))('does not follow a redirect to %s', async (target) => {
    const elsewhere = target
      .replace('127.0.0.1/', '127.0.0.2/')
      .replace(/^http:\/\/(?:127\.1|2130706433|0x7f000001|0177.0.0.1)/, 'http://2130706434');
    const { port, heard } = await started({ '/': sendTo(elsewhere) });
    const report = await visited(`http://site.example:${port}/`, [port]);
    expect(report.visit.end).toBe('redirect-to-internal');
    expect(report.visit.hops).toHaveLength(2);
    expect(report.ids).toContain('redirect-to-internal');
    expect(report.level).not.toBe('benign');
    expect(heard.map(({ url }) => url)).toEqual(['/']);
  });

  test('refuses a name that leads to one private address among public ones', async () => {
    const signal = new AbortController().signal;
    const answers = async () => ['93.184.216.34', '10.0.0.1'];
    expect((await resolveHost('both.example', answers, new Set(), signal)).outcome).toBe('not-public');
    expect((await resolveHost('one.example', async () => ['93.184.216.34'], new Set(), signal)).outcome).toBe('public');
    expect((await resolveHost('zone.example', async () => ['2606:4700::1%eth0'], new Set(), signal)).outcome).toBe(
      'not-public',
    );
    expect((await resolveHost('none.example', async () => [], new Set(), signal)).outcome).toBe('unresolved');
  });

  test('connects to the address it has checked, when the name answers otherwise a moment later', async () => {
    const { port, heard } = await started({ '/': sendHtml('<title>first</title>') });
    const asked: string[] = [];
    const resolve = async (name: string) => {
      asked.push(name);
      return asked.length === 1 ? [LOOPBACK] : ['10.0.0.1'];
    };
    const report = await visited(`http://rebinding.example:${port}/`, [port], { resolve });
    expect(report.visit.page?.title).toBe('first');
    expect(asked).toEqual(['rebinding.example']);
    expect(heard[0]?.headers.host).toBe(`rebinding.example:${port}`);
  });

  test('checks a name again at every hop', async () => {
    const { port, heard } = await started({ '/': sendTo('/again'), '/again': sendHtml('never') });
    let turn = 0;
    const resolve = async () => (turn++ === 0 ? [LOOPBACK] : ['192.168.0.1']);
    const report = await visited(`http://rebinding.example:${port}/`, [port], { resolve });
    expect(report.visit.end).toBe('redirect-to-internal');
    expect(heard).toHaveLength(1);
  });
});

describe('what is sent', () => {
  test('GET alone: no cookies, no referrer, no credentials, whatever the server wants', async () => {
    const { port, heard } = await started({
      '/': (response) => {
        response.writeHead(307, { location: '/next', 'set-cookie': 'id=1' }).end();
      },
      '/next': sendHtml('<title>there</title>'),
    });
    await visited(`http://name:secret@site.example:${port}/`, [port]);
    expect(heard.map(({ method }) => method)).toEqual(['GET', 'GET']);
    for (const { headers } of heard) {
      expect(Object.keys(headers)).not.toContain('cookie');
      expect(Object.keys(headers)).not.toContain('referer');
      expect(Object.keys(headers)).not.toContain('authorization');
    }
  });

  test.each(['ftp://site.example/', 'http://site.example:22/', 'http://site.example:6379/', 'http://site.example:25/'])(
    'asks nothing of %s',
    async (url) => {
      const report = await visited(url, []);
      expect(report.visit.end).toBe('not-visitable');
    },
  );

  test.each(['javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,x', 'ms-word:ofe|u|https://x.example/'])(
    'does not follow a redirect to %s',
    async (target) => {
      const { port } = await started({ '/': sendTo(target) });
      const report = await visited(`http://site.example:${port}/`, [port]);
      expect(report.visit.end).toBe('not-visitable');
      expect(report.ids).toContain('redirect-to-danger');
      expect(report.level).not.toBe('benign');
    },
  );
});

describe('limits', () => {
  test('gives up on redirects without end', async () => {
    const { port, heard } = await started({ '/': sendTo('/') });
    const report = await visited(`http://site.example:${port}/`, [port]);
    expect(report.visit.end).toBe('too-many-redirects');
    expect(heard).toHaveLength(HOPS);
    expect(report.ids).toContain('many-redirects');
  });

  test('does not unpack a bomb', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    const { port } = await started({
      '/': (response) => {
        response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end(bomb);
      },
    });
    const report = await visited(`http://site.example:${port}/`, [port]);
    expect(report.visit.end).toBe('oversize');
    expect(report.level).not.toBe('benign');
  });

  test('stops reading a body without end', async () => {
    const { port } = await started({
      '/': (response) => {
        response.writeHead(200, { 'content-type': 'text/html' });
        const piece = Buffer.alloc(1024 * 1024, 'a');
        const more = () => {
          while (!response.destroyed && response.write(piece));
          if (!response.destroyed) response.once('drain', more);
        };
        response.on('error', () => undefined);
        more();
      },
    });
    expect((await visited(`http://site.example:${port}/`, [port])).visit.end).toBe('oversize');
  });

  test('does not wait for a server that never answers, nor for a resolver', async () => {
    const { port } = await started({ '/': () => undefined });
    const report = await visited(`http://site.example:${port}/`, [port], { timeoutMs: 100 });
    expect(report.visit.end).toBe('timeout');
    expect(report.level).not.toBe('benign');
    const never = () => new Promise<readonly string[]>(() => undefined);
    const unanswered = await visited(`http://site.example:${port}/`, [port], { resolve: never, timeoutMs: 100 });
    expect(unanswered.visit.outcome).toBe('ended');
  });

  test('refuses headers without end and encodings it did not ask for', async () => {
    const { port } = await started({
      '/headers': (response) => {
        response.writeHead(200, { 'x-long': 'a'.repeat(64 * 1024) }).end();
      },
      '/twice': (response) => {
        response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip, gzip' }).end('x');
      },
      '/lie': (response) => {
        response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end('no gzip');
      },
    });
    expect((await visited(`http://site.example:${port}/headers`, [port])).visit.end).toBe('oversize');
    expect((await visited(`http://site.example:${port}/twice`, [port])).visit.end).toBe('unreadable');
    expect((await visited(`http://site.example:${port}/lie`, [port])).visit.end).toBe('unreadable');
  });

  test('says that a name does not resolve, and does not call it benign', async () => {
    const report = await visited('https://nowhere.example/', [], { resolve: async () => [] });
    expect(report.visit.end).toBe('unresolved');
    expect(report.level).toBe('unknown');
  });
});
