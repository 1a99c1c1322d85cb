/** @jsxRuntime automatic @jsxImportSource #markup */
/** The documentation of an interface as one page without scripts: its calls by group, with parameters, answers and samples. */

import type { OpenApiDocument } from '../../contract/openapi.ts';
import { documentText, type Markup, NOTHING, plain } from '../markup/jsx-runtime.ts';
import { ownText, toPage } from '../markup/values.ts';
import { type Operation, operationsOf, type Property } from './operation.ts';
import { curlSample, typeScriptSample } from './samples.ts';

/** Returns the page of a document that is served at the same place as `docs-json`. */
export function docsPage(document: OpenApiDocument): string {
  const { title, version, description } = document.info as Readonly<Record<string, string>>;
  const operations = operationsOf(document);
  const groups = document.tags as readonly { readonly name: string; readonly description: string }[];
  const name = `${title} · Mail Airlock`;
  const of = (tag: string) => operations.filter((operation) => operation.tag === tag);
  return documentText(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content={ownText('width=device-width, initial-scale=1')} />
        <title>{ownText(name)}</title>
        <link rel="icon" href={toPage`data:,`} />
        <link rel="stylesheet" href={toPage`docs/docs.css`} />
      </head>
      <body>
        <header>
          <h1>{plain(name)}</h1>
          <p>{plain(description ?? '')}</p>
          <p>
            Version {plain(version ?? '')}. <a href={toPage`docs-json`}>OpenAPI 3.1 document</a>. A client for Node is
            the package <code>@mail-airlock/client</code>.
          </p>
        </header>
        <nav>{groups.map((group) => contents(group.name, of(group.name)))}</nav>
        <main>
          <section>
            <h2>Samples</h2>
            <p>
              A sample for a shell takes the address of the service from <code>AIRLOCK_URL</code> and the key from{' '}
              <code>AIRLOCK_API_KEY</code>. A sample in TypeScript begins with:
            </p>
            <pre>
              <code>{plain(PREAMBLE)}</code>
            </pre>
          </section>
          {groups.map((group) => section(group, of(group.name)))}
        </main>
      </body>
    </html>,
  );
}

/** The first lines of every sample in TypeScript. */
export const PREAMBLE = `import { readFile } from 'node:fs/promises';
import { env } from 'node:process';

const url = env.AIRLOCK_URL ?? 'http://127.0.0.1:8080';
const key = env.AIRLOCK_API_KEY ?? '';`;

const contents = (tag: string, operations: readonly Operation[]): Markup => (
  <>
    <h2>{plain(tag)}</h2>
    <ul>
      {operations.map(({ id, summary }) => (
        <li>
          <a href={toPage`#${id}`}>{plain(summary)}</a>
        </li>
      ))}
    </ul>
  </>
);

const section = (
  { name, description }: { readonly name: string; readonly description: string },
  operations: readonly Operation[],
): Markup => (
  <section>
    <h2>{plain(name)}</h2>
    <p>{plain(description)}</p>
    {operations.map(article)}
  </section>
);

function article(operation: Operation): Markup {
  const { id, method, path, summary, note, parameters, form, json, answers } = operation;
  const parameterRows = parameters.map((parameter) => propertyRow(parameter, parameter.where));
  const bodyRows = [...(form ?? []), ...(json ?? [])].map((field) =>
    propertyRow(field, json === null ? 'form' : 'JSON'),
  );
  const answerRows = answers.map(({ status, description }) => (
    <tr>
      <td>{plain(status)}</td>
      <td>{codes(description)}</td>
    </tr>
  ));
  return (
    <article id={ownText(id)}>
      <h3>
        <b>{plain(method)}</b> <code>{plain(path)}</code>
      </h3>
      <p>
        {plain(summary)}
        {note === null ? NOTHING : <>. {codes(note)}</>}
      </p>
      {table(['name', 'where', 'type', 'meaning'], [...parameterRows, ...bodyRows])}
      {table(['status', 'meaning'], answerRows)}
      <h4>curl</h4>
      <pre>
        <code class="curl">{plain(curlSample(operation))}</code>
      </pre>
      <h4>TypeScript</h4>
      <pre>
        <code class="typescript">{plain(typeScriptSample(operation))}</code>
      </pre>
    </article>
  );
}

const propertyRow = ({ name, type, isRequired, description }: Property, where: string): Markup => (
  <tr>
    <td>
      <code>{plain(name)}</code>
      {isRequired ? (
        <>
          {' '}
          <em>required</em>
        </>
      ) : (
        NOTHING
      )}
    </td>
    <td>{plain(where)}</td>
    <td>{plain(type)}</td>
    <td>{codes(description)}</td>
  </tr>
);

function table(heads: readonly string[], rows: readonly Markup[]): Markup {
  if (rows.length === 0) return NOTHING;
  return (
    <table>
      <thead>
        <tr>
          {heads.map((head) => (
            <th>{plain(head)}</th>
          ))}
        </tr>
      </thead>
      <tbody>{rows}</tbody>
    </table>
  );
}

/** Returns a text with code between backticks as elements. */
function codes(text: string): Markup {
  const pieces = text.split('`');
  return <>{pieces.map((piece, at) => (at % 2 === 1 ? <code>{plain(piece)}</code> : plain(piece)))}</>;
}
