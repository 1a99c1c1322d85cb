// node analyse.mjs [FILE]: analyses a file with our rules and those in ./rules. The command line reads their place from AIRLOCK_YARA_RULES.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { createEngines } from '@mail-airlock/engines';

const [path] = process.argv.slice(2);
const engines = createEngines({ threads: 1, rulesFolder: fileURLToPath(new URL('rules', import.meta.url)) });
const bytes = path ? await readFile(path) : Buffer.from('The plans of Project Heron');
const report = await engines.analyse(bytes, { name: path ?? 'plans.txt' });
if (report.outcome === 'failed') console.log('not analysed:', report.failure.message);
else console.log(report.level, report.findings.map(({ name }) => name).join(', '));
await engines.close();
