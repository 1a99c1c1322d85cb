/**
 * Samples of a call for the documentation page: curl, and TypeScript without any library. They are made from the document, so they are
 * never out of date.
 */
import type { Operation, Property } from './operation.ts';

/** Placeholders for values that only the caller knows. */
const SAMPLE_FILE = 'invoice.docm';

/** Returns the call as a command. The key is in `AIRLOCK_API_KEY`. */
export function curlSample(operation: Operation): string {
  const method = operation.method === 'GET' || operation.form !== null ? [] : [`-X ${operation.method}`];
  const head = ['curl', ...method, `-H "${operation.keyHeader}: ${keyPrefix(operation)}$AIRLOCK_API_KEY"`];
  const form = required(operation.form).map(
    (field) => `-F ${field.name}=${field.isFile ? `@${SAMPLE_FILE}` : 'VALUE'}`,
  );
  const json =
    operation.json === null ? [] : ["-H 'content-type: application/json'", `-d '${JSON.stringify(bodyOf(operation))}'`];
  return [head.join(' '), ...form, ...json, `"$AIRLOCK_URL${operation.path.replace(/\{(\w+)\}/g, '$$$1')}"`].join(
    ' \\\n  ',
  );
}

/** Returns the call with the `fetch` of Node. */
export function typeScriptSample(operation: Operation): string {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is written into a template string of the sample.
  const address = `\`\${url}${operation.path.replace(/\{(\w+)\}/g, '${$1}')}\``;
  const key = keyPrefix(operation) === '' ? 'key' : `\`${keyPrefix(operation)}\${key}\``;
  const lines = [
    ...operation.parameters.filter(({ where }) => where === 'path').map(({ name }) => `const ${name} = 'VALUE';`),
    `const headers = { '${operation.keyHeader}': ${key}${operation.json === null ? '' : ", 'content-type': 'application/json'"} };`,
  ];
  if (operation.form !== null) lines.push('const body = new FormData();');
  for (const field of required(operation.form))
    lines.push(
      field.isFile
        ? `body.set('${field.name}', new Blob([await readFile('${SAMPLE_FILE}')]), '${SAMPLE_FILE}');`
        : `body.set('${field.name}', 'VALUE');`,
    );
  if (operation.json !== null) lines.push(`const body = JSON.stringify(${JSON.stringify(bodyOf(operation))});`);
  const hasBody = operation.form !== null || operation.json !== null;
  const options = [...(operation.method === 'GET' ? [] : [`method: '${operation.method}'`]), 'headers'];
  lines.push(`const answer = await fetch(${address}, { ${[...options, ...(hasBody ? ['body'] : [])].join(', ')} });`);
  lines.push(
    operation.isJson
      ? 'console.log(answer.status, await answer.json());'
      : 'console.log(answer.status, (await answer.arrayBuffer()).byteLength);',
  );
  return lines.join('\n');
}

const keyPrefix = (operation: Operation) => (operation.keyHeader === 'authorization' ? 'Bearer ' : '');

const required = (fields: readonly Property[] | null) => (fields ?? []).filter((field) => field.isRequired);

const bodyOf = ({ json }: Operation) => Object.fromEntries(required(json).map(({ name }) => [name, 'VALUE']));
