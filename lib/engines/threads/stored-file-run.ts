/** Runs the engine on one large file, in the process that was started for it. */
import { readFile, writeFile } from 'node:fs/promises';
import type { StoredFileMessage, StoredFileReport } from './stored-file.ts';
import type { EngineReport } from './task.ts';
import { reportOf, useRules } from './worker.ts';

/** Only the owner of the service may read submitted files. */
const FILE_MODE = 0o600;

/** Returns the report of the task; disarmed bytes are written to its `outputPath` first. */
export async function runMessage({ task, limits, rulesFolder }: StoredFileMessage): Promise<StoredFileReport> {
  const { engine, path, untrustedName, password, keepMetadata = false, outputPath } = task;
  const input = { bytes: await readFile(path), untrustedName, password, keepMetadata };
  await useRules({ engine, input }, rulesFolder);
  return await withoutBytes(await reportOf({ engine, input }, limits), outputPath);
}

async function withoutBytes(report: EngineReport, outputPath: string): Promise<StoredFileReport> {
  if (!('bytes' in report)) return report as StoredFileReport;
  const { bytes, ...rest } = report;
  await writeFile(outputPath, bytes, { mode: FILE_MODE, flag: 'wx' });
  return rest;
}
