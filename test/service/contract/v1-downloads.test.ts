/** The downloads of v1, and the answers of the routes that v3 removed. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ContractService, contractService } from './rig.ts';
import { ENVELOPE } from './sdk-models.ts';
import { complaints } from './shape.ts';
import { type Field, fileLast, send } from './wire.ts';

let service: ContractService;
beforeAll(async () => {
  service = await contractService();
});
afterAll(() => service.close());

const bearer = (key = service.key) => ({ authorization: `Bearer ${key}`, accept: '*/*' });
const get = (path: string, key?: string) => send(service.url + path, { headers: bearer(key) });

async function scanned(path: string, bytes: string, fields: readonly Field[] = []): Promise<string> {
  const { contentType, body } = fileLast(fields, { filename: 'invoice.doc', bytes });
  const headers = { ...bearer(), 'content-type': contentType };
  const answer = await send(`${service.url}/public-api/scan/${path}`, { method: 'POST', headers, body });
  return answer.json<{ uuid: string }>().uuid;
}

describe('downloads', () => {
  const cookie = (name: string) => ({ cookie: `theme=dark; accesstoken=${name}` });

  test('take the bearer header and the cookie', async () => {
    const uuid = await scanned('cdr', 'benign v1 download');
    await service.idle();
    const paths = ['sample', 'htmlreport', 'cdr', 'public-api/download/cdr', 'public-api/download/html-report'];
    for (const path of paths) {
      for (const headers of [bearer(), cookie(service.key)]) {
        const answer = await send(`${service.url}/${path}/${uuid}`, { headers });
        expect([path, answer.status]).toEqual([path, 200]);
        expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="[A-Za-z0-9._-]+"$/);
      }
      for (const headers of [{}, cookie('wrong'), { cookie: service.key }, { cookie: 'accesstoken=' }]) {
        const answer = await send(`${service.url}/${path}/${uuid}`, { headers });
        expect([path, answer.status, answer.json().error]).toEqual([path, 401, 'UnauthorizedError']);
      }
    }
  });

  test('the cookie opens downloads and nothing else', async () => {
    for (const path of ['/me', '/public-api/me', '/submissions', '/public-api/get/my-submissions/0/10']) {
      expect([path, (await send(service.url + path, { headers: cookie(service.key) })).status]).toEqual([path, 401]);
    }
  });

  test('the sanitized file comes as the ZIP that the pack saves it as', async () => {
    const uuid = await scanned('cdr', 'benign zip');
    await service.idle();
    const answer = await get(`/public-api/download/cdr/${uuid}`);
    expect([answer.headers['content-type'], answer.bytes.toString('latin1', 0, 4)]).toEqual([
      'application/zip',
      'PK\u0003\u0004',
    ]);
    expect(answer.bytes.includes('disarmed benign zip')).toBe(true);
  });

  test('a file without traffic and a URL without a picture say so', async () => {
    const uuid = await scanned('static-scan', 'benign nothing');
    await service.idle();
    const code = async (path: string) => {
      const answer = await get(path);
      return [answer.status, answer.json().code];
    };
    expect(await code(`/pcap/${uuid}`)).toEqual([409, 'DYNAMIC_REPORT_UNAVAILABLE']);
    expect(await code(`/screenshot/${uuid}`)).toEqual([409, 'URL_ANALYSIS_REPORT_UNAVAILABLE']);
    expect(await code(`/artifact/${uuid}/${'0'.repeat(24)}`)).toEqual([404, 'ARTIFACT_NOT_FOUND']);
    expect(await code(`/media/${uuid}/x`)).toEqual([404, 'MEDIA_NOT_FOUND']);
  });

  test.each([
    ['/private/anything/at/all', 403, 'ROUTE_INTERNAL'],
    ['/additionalFiles/a/b', 410, 'ROUTE_REMOVED'],
    ['/parts/a?files=x', 410, 'ROUTE_REMOVED'],
    ['/exportable-parts/a', 410, 'ROUTE_REMOVED'],
  ])('%s is gone and says so', async (path, status, code) => {
    const answer = await get(path);
    expect([answer.status, answer.json().code, complaints(answer.json(), ENVELOPE)]).toEqual([status, code, []]);
    expect((await get(path, 'wrong')).status).toBe(401);
  });
});
