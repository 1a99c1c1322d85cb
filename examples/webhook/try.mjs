// node try.mjs: sends an event as the airlock does, to a webhook on this machine that prints it.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { handler } from './notify.mjs';

const server = createServer(async (request, response) => {
  console.log(JSON.parse(await text(request)).text);
  response.end('ok');
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.env.WEBHOOK_URL = `http://127.0.0.1:${server.address().port}/hook`;
await handler({
  source: 'mail-airlock',
  'detail-type': 'MessageQuarantined',
  detail: {
    schema: 'mail-airlock/run-event/1',
    reference: '8P-SSZT',
    state: 'quarantined',
    verdict: 'malicious',
    reasons: ['malicious'],
    intake: { bucket: 'uploads', untrustedKey: 'in/`@channel` invoice.docm' },
  },
});
server.close();
