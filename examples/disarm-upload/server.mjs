// node server.mjs: starts the server, uploads a hostile page to it, and prints what comes back. PORT=8000 node server.mjs goes on listening.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { handleUpload } from './handle-upload.mjs';

const server = createServer((request, response) => {
  handleUpload(request, response).catch(() => {
    response.statusCode = 500;
    response.end();
  });
});
server.listen(Number(process.env.PORT ?? 0), '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${server.address().port}`;
if (process.env.PORT === undefined) {
  const body = '<p>Hello</p><script>alert(1)</script>';
  const answer = await fetch(`${url}/hello.html`, { method: 'POST', body });
  console.log(answer.status, 'removed:', decodeURIComponent(answer.headers.get('x-removed') ?? ''));
  console.log(await answer.text());
  const refused = await fetch(`${url}/unknown.bin`, { method: 'POST', body: new Uint8Array([1, 2, 3, 0, 255]) });
  console.log(refused.status, (await refused.json()).code);
  server.close();
} else console.log(`listening at ${url}`);
