/**
 * A gateway without engines in a process of its own, for 200 kills in minutes: its judge delivers each message as it came. Arguments: the port,
 * the port of the next hop, and the spool.
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openGateway } from '../../lib/gateway/gateway.ts';
import type { Judge } from '../../lib/gateway/judge.ts';
import { DEFAULT_GATEWAY_LIMITS } from '../../lib/gateway/limits.ts';
import { streamLog } from '../../lib/gateway/log.ts';
import { messagePath } from '../../lib/gateway/spool-reading.ts';
import { sha256Hex } from '../../lib/pipeline/keys.ts';

const [port = '', nextPort = '', root = ''] = process.argv.slice(2);
const cleanPath = (runId: string) => join(root, 'plain', runId);

const judge: Judge = {
  ruleOf: () => '',
  async judge({ id, sha256, size }) {
    const runId = sha256Hex(id).slice(0, 32);
    await writeFile(`${cleanPath(runId)}.${process.pid}`, await readFile(join(root, messagePath(id))));
    await rename(`${cleanPath(runId)}.${process.pid}`, cleanPath(runId));
    return { state: 'delivered', runId, sha256, size };
  },
  released: async () => null,
  onReleased: () => () => undefined,
  withheldNote: async () => null,
  noticeOf: async () => null,
  forget: async () => undefined,
  async cleanMessage(runId, sha256) {
    const bytes = await readFile(cleanPath(runId));
    return sha256Hex(bytes) === sha256 ? bytes : null;
  },
};

async function main(): Promise<void> {
  await mkdir(join(root, 'plain'), { recursive: true });
  const place = { host: '127.0.0.1', protocol: 'smtp', name: 'gateway.example' } as const;
  const lists = { clients: ['127.0.0.1'], domains: [], xforward: [], xclient: [] };
  const gateway = await openGateway({
    root,
    door: { ...place, port: Number(port), ...lists, tls: null, authenticate: null },
    next: { ...place, port: Number(nextPort), tls: 'off' },
    ...{ notices: null, metrics: null, limits: DEFAULT_GATEWAY_LIMITS, loopKey: Buffer.alloc(32, 7), judge },
    abandonJudgements: () => undefined,
    log: streamLog(process.stderr, Date.now),
  });
  process.once('SIGTERM', () => void gateway.close());
}

await main();
