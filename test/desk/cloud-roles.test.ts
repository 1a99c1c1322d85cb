/** What each role may do on AWS, over every address that its desk has: an address that is added is in here by itself. */
import { describe, expect, test } from 'vitest';
import { ROLES, type Role } from '../../lib/pipeline/model.ts';
import { type CloudDesk, openCloudDesk } from './cloud-desk-rig.ts';
import { HELD } from './desk-rig.ts';
import { addressesOf } from './routes.ts';

/** Forms that decide nothing about mail. */
const OF_ALL = ['/policy'];
/** The sign-in, which is open to everybody, and addresses for programs, which take no cookie. */
const isForNobody = (path: string) => /^\/(?:api\/|sign-in$|signed-in$)/.test(path);
const FILE = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\na\r\n--x--\r\n';

const addresses = ({ routes }: CloudDesk, method: string, runId: string) =>
  routes
    .filter((route) => route.method === method && !isForNobody(route.path))
    .flatMap(({ path }) => addressesOf(path, runId));

const send = async (desk: CloudDesk, form: string, runId: string, groups: readonly string[]) => {
  const fields = {
    why: 'x',
    attempt: '1',
    decision: 'release',
    run: `${runId}-1`,
    name: 'a',
    record: '1',
    kind: 'file',
  };
  return (await desk.post(form, { ...fields, value: 'ab'.repeat(32) }, {}, { groups })).status;
};

test('every address of the desk is looked at', async () => {
  const desk = await openCloudDesk();
  const [pages, forms] = ['GET', 'POST'].map((method) => addresses(desk, method, 'RUN'));
  expect([...(pages ?? []), ...(forms ?? [])].filter((address) => /[:{}]/.test(address))).toEqual([]);
  for (const some of ['/mails', '/mails/RUN', '/mails/RUN/parts/1.1', '/mails/RUN/report.html', '/drops/RUN'])
    expect(pages).toContain(some);
  for (const some of ['/mails/RUN/release', '/mails/RUN/original.zip', '/selected', '/drop', '/views/save'])
    expect(forms).toContain(some);
});

describe.each<Role>(ROLES)('%s', (role) => {
  test('gets each page', async () => {
    const desk = await openCloudDesk();
    const runId = await desk.scan(HELD);
    const headers = desk.cookie(await desk.issuer.token({ groups: [role] }));
    for (const address of addresses(desk, 'GET', runId)) {
      const { status } = await desk.send(address, { headers });
      expect([address, [401, 403].includes(status)]).toEqual([address, false]);
    }
  });

  test('decides what is for this role, and nothing else reaches whoever carries it out', async () => {
    const { routes } = await openCloudDesk();
    for (const form of addresses({ routes } as CloudDesk, 'POST', 'RUN')) {
      const desk = await openCloudDesk();
      const runId = await desk.scan(HELD);
      const status = await send(desk, form.replace('RUN', runId), runId, [role]);
      const isRefused = role === 'reader' ? !OF_ALL.includes(form) : role === 'analyst' && form.endsWith('/original');
      // A file comes in a form of its own kind.
      expect([form, status === 403]).toEqual([form, isRefused || form === '/drop']);
      if (isRefused) expect([form, desk.asked, desk.started]).toEqual([form, [], []]);
    }
  });
});

test('nobody without a role gets a page or decides anything', async () => {
  const desk = await openCloudDesk();
  const runId = await desk.scan(HELD);
  const open = new Set(['/style.css', '/favicon.ico']);
  for (const groups of [[], ['ADMIN'], ['readers']]) {
    const headers = desk.cookie(await desk.issuer.token({ groups }));
    for (const address of addresses(desk, 'GET', runId).filter((each) => !open.has(each)))
      expect([address, (await desk.send(address, { headers })).status]).toEqual([address, 403]);
    for (const form of addresses(desk, 'POST', runId))
      expect([form, await send(desk, form, runId, groups)]).toEqual([form, 403]);
  }
  expect([desk.asked, desk.started, desk.looked]).toEqual([[], [], []]);
});

test('a reader drops no file, in the form of the page', async () => {
  const desk = await openCloudDesk();
  const headers = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': String(FILE.length) };
  const token = await desk.issuer.token({ groups: ['reader'] });
  const browser = { ...desk.cookie(token), origin: 'https://desk.example.org', 'sec-fetch-site': 'same-origin' };
  const answer = await desk.send('/drop', { method: 'POST', body: FILE, headers: { ...browser, ...headers } });
  expect([answer.status, desk.asked]).toEqual([403, []]);
});

test('no page of a mail, of its parts or of its report is there for another id', async () => {
  const desk = await openCloudDesk();
  const runId = await desk.scan(HELD);
  const other = runId.replace(/^./, (first) => (first === '0' ? '1' : '0'));
  for (const address of addresses(desk, 'GET', other).filter((each) => each.includes(other)))
    expect([address, (await desk.get(address)).status]).toEqual([address, 404]);
  for (const form of addresses(desk, 'POST', other).filter((each) => each.includes(other)))
    expect([form, [403, 404, 409].includes(await send(desk, form, other, ['admin']))]).toEqual([form, true]);
  expect(desk.started).toEqual([]);
});
