/** The documentation pages: /docs and /docs-json. Both need no key. */
import type { Hono } from 'hono';
import { type ApiDescription, openApiDocument } from '../../contract/openapi.ts';
import { docsPage } from '../docs-page/docs-page.tsx';
import { DOCS_STYLE } from '../docs-page/docs-style.ts';
import { pageResponse } from './page-response.ts';

// The page has no scripts and loads its style from here.
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Adds the pages of an interface under every prefix. */
export function addDocs(app: Hono, api: ApiDescription, prefixes: readonly string[]): void {
  // Both are made once. Making them takes time, and anybody can ask for them again and again without a key.
  const written = new Map<string, Written>();
  for (const prefix of prefixes) {
    // The document's paths start where the app is mounted, with any prefix of the request.
    const at = (path: string, end: string) => {
      const base = path.slice(0, -`${prefix}${end}`.length);
      const both = written.get(base) ?? write(api, base === '' ? '/' : base);
      written.set(base, both);
      return both;
    };
    app.get(`${prefix}/docs`, ({ req }) => text(at(req.path, '/docs').page, 'text/html; charset=utf-8'));
    app.get(`${prefix}/docs/docs.css`, () => text(DOCS_STYLE, 'text/css; charset=utf-8'));
    app.get(`${prefix}/docs-json`, ({ req }) => text(at(req.path, '/docs-json').json, 'application/json'));
  }
}

interface Written {
  readonly json: string;
  readonly page: string;
}

function write(api: ApiDescription, server: string): Written {
  const document = openApiDocument(api, server);
  return { json: JSON.stringify(document), page: docsPage(document) };
}

const text = (body: string, contentType: string) => pageResponse(body, contentType, POLICY);
