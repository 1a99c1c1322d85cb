/** @jsxRuntime automatic @jsxImportSource #markup */
/** The first page of the service, for people who open its address in a browser. It needs no key and shows nothing of any submission. */

import { createHash } from 'node:crypto';
import type { Hono } from 'hono';
import { documentText, type Markup, ownStyle } from '../markup/jsx-runtime.ts';
import { type AddressValue, outsideAddress, ownText, toPage } from '../markup/values.ts';
import { HTML_REPORT_STYLE } from '../report-page/style.ts';
import { pageResponse } from './page-response.ts';

const STYLE_HASH = createHash('sha256').update(HTML_REPORT_STYLE).digest('base64');
const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Adds the page at `/`. `deskUrl` is where the desk runs; without it the page says how to start one. */
export function addHome(app: Hono, deskUrl: string | undefined): void {
  const page = homePage(deskUrl);
  app.get('/', () => pageResponse(page, 'text/html; charset=utf-8', POLICY));
}

function homePage(deskUrl: string | undefined): string {
  return documentText(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content={ownText('width=device-width, initial-scale=1')} />
        <title>Mail Airlock: analysis service</title>
        <link rel="icon" href={toPage`data:,`} />
        {ownStyle(HTML_REPORT_STYLE)}
      </head>
      <body>
        <main>
          <header class="verdict">
            <p class="brand">Mail Airlock</p>
            <h1>Analysis service</h1>
            <p>
              This service looks into files and links, and makes safe copies of files. Programs use it with an API key.
            </p>
          </header>
          <section>
            <h2>For programs</h2>
            <table>
              <tbody>
                {link(toPage`docs`, 'Documentation of the analysis service', 'every route of v3 and v1')}
                {link(toPage`cdr/docs`, 'Documentation of the CDR service', 'safe copies of files, with webhooks')}
                {link(
                  toPage`docs-json`,
                  'OpenAPI document',
                  'to make a client of; the CDR service has its own at cdr/docs-json',
                )}
                {link(toPage`healthz`, 'Health', 'whether the storage answers')}
                {link(toPage`readyz`, 'Readiness', 'whether requests are taken')}
              </tbody>
            </table>
          </section>
          <section>
            <h2>For people</h2>
            {desk(deskUrl)}
            <p>
              The operator of this service makes keys with <code>airlock keys create --name NAME</code>.
            </p>
          </section>
        </main>
      </body>
    </html>,
  );
}

const link = (path: AddressValue, name: string, what: string): Markup => (
  <tr>
    <th scope="row">
      <a href={path}>{name}</a>
    </th>
    <td>{what}</td>
  </tr>
);

function desk(url: string | undefined): Markup {
  if (url === undefined)
    return (
      <p>
        Held mail is seen and released at the desk: <code>airlock desk --as NAME</code>.
      </p>
    );
  return (
    <p>
      <a rel="noreferrer" href={outsideAddress(url)}>
        The desk
      </a>{' '}
      shows held mail, and why it is held.
    </p>
  );
}
