/** The documentation pages: /docs (Swagger UI, only from its package) and /docs-json. Both need no key. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Hono } from 'hono';
import { type ApiDescription, openApiDocument } from '../../contract/openapi.ts';
import { errorResponse, ServiceError } from '../service-error.ts';

/** The files of the package that the page needs. No other file of it is served. */
const ASSETS = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
} as const;
type Asset = keyof typeof ASSETS;

// Swagger UI sets style attributes through the DOM, which needs no unsafe-inline; its icons are data: images in the CSS.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const START = `window.addEventListener('load', () => {
  SwaggerUIBundle({
    url: new URL('docs-json', location.href).href,
    dom_id: '#swagger-ui',
    deepLinking: true,
    docExpansion: 'list',
    validatorUrl: null,
    persistAuthorization: false,
  });
});
`;

const page = (title: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<div id="swagger-ui"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

/** Adds the pages of an interface under every prefix. `readAsset` reads one file of swagger-ui-dist. */
export function addDocs(
  app: Hono,
  api: ApiDescription,
  prefixes: readonly string[],
  readAsset: (name: Asset) => Promise<Uint8Array> = readPackageFile,
): void {
  // The document is made once. Making it takes time, and anybody can ask for it again and again without a key.
  const written = new Map<string, string>();
  for (const prefix of prefixes) {
    app.get(`${prefix}/docs`, () => text(page(api.title), 'text/html; charset=utf-8'));
    app.get(`${prefix}/docs/start.js`, () => text(START, 'text/javascript; charset=utf-8'));
    app.get(`${prefix}/docs-json`, ({ req }) => {
      // The document's paths start where the app is mounted, whatever prefix the request had.
      const base = req.path.slice(0, -`${prefix}/docs-json`.length);
      const document = written.get(base) ?? JSON.stringify(openApiDocument(api, base === '' ? '/' : base));
      written.set(base, document);
      return text(document, 'application/json');
    });
    for (const [name, contentType] of Object.entries(ASSETS) as [Asset, string][]) {
      app.get(`${prefix}/docs/${name}`, async () => {
        const bytes = await readAsset(name).catch(() => null);
        // A bundle without the package still has the document.
        if (!bytes)
          return errorResponse(new ServiceError('FILE_NOT_FOUND', { message: 'swagger-ui is not installed' }));
        return text(bytes, contentType);
      });
    }
  }
}

function text(body: string | Uint8Array, contentType: string): Response {
  return new Response(body as string | Uint8Array<ArrayBuffer>, {
    headers: {
      'content-type': contentType,
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-cache',
    },
  });
}

async function readPackageFile(name: Asset): Promise<Uint8Array> {
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  return await readFile(join(folder, name));
}
