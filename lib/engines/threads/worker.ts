/** Runs one task at a time inside a worker thread. Each engine is loaded when its first task comes. */

import { missingPackage } from '../../formats/missing-package.ts';
import { beginMeter } from '../../formats/threads/meter.ts';
import { EngineError, type EngineLimits, type FailedReport } from '../engine.ts';
import type { RecordingSink } from '../script/recording-parts.ts';
import type { EngineReport, EngineTask, WorkerMessage } from './task.ts';
import { POOL_VERSION } from './task.ts';

/**
 * Runs the task's engine and returns its report. Its bytes are moved to the parent thread, not copied. A fault of the engine ends the
 * thread, and the pool starts another. The text of the fault can quote the file, so it does not leave the thread.
 */
export async function runTask({ task, limits, meter, parts, rulesFolder }: WorkerMessage): Promise<unknown> {
  beginMeter(meter);
  const report = await useRules(task, rulesFolder)
    .then(() => reportOf(task, limits, (part) => parts?.postMessage(part)))
    .catch(failedReport);
  parts?.close();
  if (isFault(task, report)) process.exit(1);
  return 'bytes' in report ? moved(report) : report;
}

/**
 * After a fault nothing in this thread is reliable: a WebAssembly instance that failed once fails for every later file. The sandbox
 * is an exception: it makes a new instance for each run, and its recording may still be on its way.
 */
function isFault({ engine }: EngineTask, report: EngineReport): boolean {
  return engine !== 'sandbox' && report.outcome === 'failed' && report.failure.code === 'engine_failed';
}

/** Runs the task's engine and returns its report. Never rejects: a fault of the engine is a FailedReport. */
export async function reportOf(
  task: EngineTask,
  limits: EngineLimits,
  sink: RecordingSink = () => {},
): Promise<EngineReport> {
  return await runEngine(task, limits, sink).catch(failedReport);
}

/** Tells the engines that run rules which rules to use. */
export async function useRules(task: EngineTask, rulesFolder: string | undefined): Promise<void> {
  if (rulesFolder === undefined || task.engine === 'disarm' || task.engine === 'url') return;
  const { useRulesOf } = await import('../static/yara/yara.ts');
  useRulesOf(rulesFolder);
}

async function runEngine(task: EngineTask, limits: EngineLimits, sink: RecordingSink): Promise<EngineReport> {
  switch (task.engine) {
    case 'static': {
      const { analyseFile } = await import('../static/analyse-file.ts');
      return analyseFile(task.input, limits);
    }
    case 'disarm': {
      const { disarmFile } = await import('../disarm/disarm.ts');
      return disarmFile(task.input, limits);
    }
    case 'sandbox': {
      const { detonateFile, reportSeen } = await import('../script/detonate-file.ts');
      return task.seen ? reportSeen(task.input, limits, task.seen) : detonateFile(task.input, limits, sink);
    }
    case 'url': {
      const { analyseUrl } = await import('../url/analyse-url.ts');
      return analyseUrl(task.url, task.visit ?? null);
    }
    case 'page': {
      const { readPage } = await import('../url/page.ts');
      return readPage(task.input.bytes, task.url, task.contentType);
    }
  }
}

function failedReport(error: unknown): FailedReport {
  const known = error instanceof EngineError ? error : missingPackage(error);
  const failure = {
    code: known?.code ?? ('engine_failed' as const),
    message: known?.message ?? `the engine failed with ${error instanceof Error ? error.name : 'a fault'}`,
  };
  return { outcome: 'failed', failure, engineVersion: POOL_VERSION };
}

/**
 * Copies bytes that do not own their whole buffer, because only whole buffers can be moved. A Buffer is always copied. It can be a view of
 * a pool, or in the memory of a native library (sharp), which cannot be moved from Node 22 on.
 */
async function moved(report: Extract<EngineReport, { readonly bytes: Uint8Array }>): Promise<unknown> {
  const piscina = await import('piscina');
  const ownsBuffer = !Buffer.isBuffer(report.bytes) && report.bytes.byteLength === report.bytes.buffer.byteLength;
  const bytes = ownsBuffer ? report.bytes : new Uint8Array(report.bytes);
  return piscina.move({ [piscina.transferableSymbol]: bytes.buffer, [piscina.valueSymbol]: { ...report, bytes } });
}
