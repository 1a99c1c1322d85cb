/** The endpoint for Prometheus. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nextHopStub, type Stub } from './next-hop-stub.ts';
import { greeted, sendWith } from './raw-client.ts';
import { openRig, type Rig } from './rig.ts';

let stub: Stub;
let rig: Rig;
beforeAll(async () => {
  stub = await nextHopStub();
  rig = await openRig({ nextPort: stub.port, hasMetrics: true });
});
afterAll(async () => {
  await rig.close();
  await stub.close();
});

const get = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${rig.gateway.metricsPort}${path}`, { method });

test('says what came, what went, and how long it took, in the text format of Prometheus', async () => {
  const client = await greeted(rig.gateway.port);
  await sendWith(client, { from: '"} evil{x="@sender.example', to: ['b@rcpt.example', 'c@rcpt.example'] });
  await client.ask('WHAT');
  client.end();
  await rig.event('done');
  const response = await get('/metrics');
  const lines = (await response.text()).trimEnd().split('\n');
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  for (const line of lines)
    expect(line).toMatch(/^(?:# (?:HELP|TYPE) [a-z_]+ .+|[a-z_]+(?:\{[a-z]+="[A-Za-z0-9_.+]+"\})? [0-9.]+)$/);
  for (const line of [
    'accepted_total 1',
    'sent_total 1',
    'recipients_total{end="sent"} 2',
    'seconds_count 1',
    'faults_total 0',
  ])
    expect(lines).toContain(`airlock_gateway_${line}`);
  expect(lines).toContain('airlock_gateway_refused_total{status="5.5.2"} 1');
  expect(lines.join('\n')).not.toContain('evil');
});

test.each([
  ['/', 'GET'],
  ['/metrics?x', 'GET'],
  ['/metrics', 'POST'],
])('has nothing at %s for %s', async (path, method) => {
  expect((await get(path, method)).status).toBe(404);
});
