// AIRLOCK_API_URL=… AIRLOCK_API_KEY=… node submit.mjs [FILE]
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { AnalysisClient } from '@mail-airlock/client';

const [path] = process.argv.slice(2);
const client = new AnalysisClient({
  baseUrl: process.env.AIRLOCK_API_URL ?? 'http://127.0.0.1:8080',
  apiKey: process.env.AIRLOCK_API_KEY ?? '',
});
const file = path
  ? { bytes: await readFile(path), filename: basename(path) }
  : { bytes: Buffer.from('Hello'), filename: 'hello.txt' };
const { uuid } = await client.createStaticSubmission(file, { private: true });
const { level, reports } = await client.waitForCompletion(uuid);
console.log(level, reports.map(({ type, status }) => `${type} ${status}`).join(', '));
