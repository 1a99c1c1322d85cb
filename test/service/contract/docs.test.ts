/** The documentation pages of both services, and that the documents hold every route of the contract. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Validator } from '@seriousme/openapi-schema-validator';
import { transformSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CDR_ROUTES } from '../../../lib/service/contract/cdr.ts';
import type { RouteDefinition } from '../../../lib/service/contract/common.ts';
import { ERRORS } from '../../../lib/service/contract/errors.ts';
import { V1_ROUTES } from '../../../lib/service/contract/v1.ts';
import { V3_ROUTES } from '../../../lib/service/contract/v3.ts';
import { type ContractService, contractService } from './rig.ts';
import { send } from './wire.ts';

interface Operation {
  readonly operationId: string;
  readonly parameters: { readonly name: string; readonly in: string; readonly schema: object }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: { readonly properties?: object } }>>;
  };
  readonly responses: Readonly<Record<string, { readonly content: object }>>;
}
interface Document {
  readonly openapi: string;
  readonly servers: { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

let service: ContractService;
beforeAll(async () => {
  service = await contractService();
});
afterAll(() => service.close());

const document = async (url: string) => (await send(url)).json<Document>();

const SERVICES: [string, () => string, readonly RouteDefinition[], string][] = [
  ['the analysis service', () => service.url, [...V3_ROUTES, ...V1_ROUTES], '/'],
  ['the CDR service', () => service.cdrUrl, CDR_ROUTES, '/cdr'],
];

describe.each(SERVICES)('the document of %s', (_, base, routes, server) => {
  test('is valid OpenAPI 3.1, without a key, and names the path it is mounted at', async () => {
    const found = await document(`${base()}/docs-json`);
    expect(await new Validator().validate(structuredClone(found) as never)).toMatchObject({ valid: true });
    expect([found.openapi, found.servers]).toEqual(['3.1.0', [{ url: server }]]);
  });

  test('has every path, parameter, field, answer and refusal of the contract', async () => {
    const { paths } = await document(`${base()}/docs-json`);
    for (const route of routes) {
      for (const path of route.paths) {
        const operation = paths[path.replace(/:(\w+)/g, '{$1}')]?.[route.method.toLowerCase()];
        const { params, query, json, multipart } = route.request;
        const named = (where: string) =>
          operation?.parameters.filter((parameter) => parameter.in === where).map(({ name }) => name);
        const body = operation?.requestBody?.content[json ? 'application/json' : 'multipart/form-data'];
        expect([route.name, path, named('path'), named('query'), Object.keys(body?.schema.properties ?? {})]).toEqual([
          route.name,
          path,
          Object.keys(params?.shape ?? {}),
          Object.keys(query?.shape ?? {}),
          Object.keys((json ?? multipart)?.shape ?? {}),
        ]);
        const statuses = [...route.errors.map((code) => String(ERRORS[code].status)), ...Object.keys(route.responses)];
        const documented = Object.keys(operation?.responses ?? {});
        expect([
          route.name,
          [...statuses, '401', '429', '500'].filter((status) => !documented.includes(status)),
        ]).toEqual([route.name, []]);
      }
    }
  });

  test('says of every parameter what may stand in it', async () => {
    const { paths } = await document(`${base()}/docs-json`);
    const vague = Object.values(paths)
      .flatMap((item) => Object.values(item))
      .flatMap(({ operationId, parameters }) =>
        parameters.filter(({ schema }) => Object.keys(schema).length === 0).map(({ name }) => `${operationId} ${name}`),
      );
    expect(vague).toEqual([]);
  });
});

describe.each(SERVICES)('the page of %s', (_, base) => {
  test('comes completely from the service, with a policy that allows no other source', async () => {
    const page = await send(`${base()}/docs`);
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = page.headers['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    const links = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link ?? '');
    const local = links.filter((link) => !link.startsWith('data:'));
    expect(local.length).toBeGreaterThan(2);
    for (const link of local.filter((name) => !name.startsWith('#'))) {
      expect(link).not.toMatch(/^(?:[a-z]+:|\/)/);
      const asset = await send(new URL(link, `${base()}/docs`).href);
      expect([link, asset.status, asset.bytes.byteLength > 100]).toEqual([link, 200, true]);
    }
    expect(page.text).not.toMatch(/<script>|onload=|style=/);
  });

  test('is titled as our product, and shows every call in its group with samples that a compiler reads', async () => {
    const { text } = await send(`${base()}/docs`);
    expect(/<title>(.*)<\/title>/.exec(text)?.[1]).toMatch(/ · Mail Airlock$/);
    const { paths } = await document(`${base()}/docs-json`);
    const ids = Object.values(paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId));
    const articles = text.split('<article ').slice(1);
    expect(articles.map((article) => /id="([^"]+)"/.exec(article)?.[1]).sort()).toEqual(ids.sort());
    expect(ids.filter((id) => !text.includes(`href="#${id}"`))).toEqual([]);
    for (const article of articles) {
      expect(sampleOf(article, 'curl')).toMatch(/^curl /);
      transformSync(sampleOf(article, 'typescript'), { loader: 'ts', format: 'esm' });
    }
  });

  test.each(['package.json', '..%2f..%2fpackage.json', 'docs.css.map'])('does not serve %s', async (name) => {
    expect((await send(`${base()}/docs/${name}`)).status).toBe(401);
  });
});

/** The text of a sample, as a person copies it from the page. */
const sampleOf = (page: string, language: string) =>
  (new RegExp(`class="${language}">([\\s\\S]*?)</code>`).exec(page)?.[1] ?? '')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

test('a sample does what it says: it sends a file', async () => {
  const page = (await send(`${service.url}/docs`)).text;
  const preamble = /<pre><code>([\s\S]*?)<\/code>/.exec(page)?.[1] ?? '';
  const article = page.slice(page.indexOf('id="v3.createStaticSubmission"'));
  const folder = await mkdtemp(join(tmpdir(), 'airlock-sample-'));
  const program = `${sampleOf(`class="x">${preamble}</code>`, 'x')}\n${sampleOf(article, 'typescript')}`;
  await writeFile(join(folder, 'sample.mjs'), program);
  await writeFile(join(folder, 'invoice.docm'), 'benign');
  const env = { PATH: process.env.PATH, AIRLOCK_URL: service.url, AIRLOCK_API_KEY: service.key };
  const { stdout } = await promisify(execFile)(process.execPath, ['sample.mjs'], { cwd: folder, env });
  await rm(folder, { recursive: true });
  expect(stdout).toMatch(/^200 \{\s+uuid: '/);
});

test('the page stands under /public-api too, where public clients look for it', async () => {
  expect((await send(`${service.url}/public-api/docs`)).status).toBe(200);
  expect((await document(`${service.url}/public-api/docs-json`)).servers).toEqual([{ url: '/' }]);
});
