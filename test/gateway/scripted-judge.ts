/** A judge that a test tells what to say. Unless told otherwise, it delivers each message byte for byte. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Judge, Judged, Judgement } from '../../lib/gateway/judge.ts';
import { messagePath } from '../../lib/gateway/spool-reading.ts';
import { sha256Hex } from '../../lib/pipeline/keys.ts';

export interface JudgeScript {
  /** The rule for a recipient. @default one for all */
  readonly ruleOf?: (recipient: string) => string;
  /** What becomes of a message; `null`: it is delivered as it came. A text is delivered in its place. */
  readonly judge?: (
    text: string,
    message: Judged,
    onFirst: (text: string) => Promise<void>,
  ) => Judgement | string | null | Promise<Judgement | string | null>;
}

export interface ScriptedJudge extends Judge {
  readonly judged: string[];
  readonly clean: Map<string, Uint8Array>;
  /** Runs that were removed. */
  readonly forgotten: string[];
  /** The notices that policy asks for, by run. */
  readonly notices: Map<string, Uint8Array>;
  /** Somebody releases a held run as these bytes, and every gateway is told of it. */
  release(runId: string, bytes: Uint8Array): void;
}

export const runIdOfTest = (id: string): string => sha256Hex(id).slice(0, 32);

export function scriptedJudge(root: string, script: JudgeScript = {}): ScriptedJudge {
  const clean = new Map<string, Uint8Array>();
  const judged: string[] = [];
  const forgotten: string[] = [];
  const notices = new Map<string, Uint8Array>();
  const watchers = new Set<(runId: string) => void>();
  const deliver = (id: string, bytes: Uint8Array) => {
    const runId = runIdOfTest(id);
    clean.set(runId, bytes);
    return { state: 'delivered', runId, sha256: sha256Hex(bytes), size: bytes.length } as const;
  };
  return {
    ...{ judged, clean, forgotten, notices },
    ruleOf: script.ruleOf ?? (() => ''),
    async judge(message, onFirst) {
      judged.push(message.id);
      const bytes = await readFile(join(root, messagePath(message.id)));
      const said =
        (await script.judge?.(bytes.toString('latin1'), message, (text) =>
          onFirst({ runId: runIdOfTest(message.id), bytes: Buffer.from(text, 'latin1') }),
        )) ?? null;
      if (said === null) return deliver(message.id, bytes);
      return typeof said === 'string' ? deliver(message.id, Buffer.from(said, 'latin1')) : said;
    },
    async released(runId) {
      const bytes = clean.get(runId);
      return bytes === undefined ? null : { state: 'delivered', runId, sha256: sha256Hex(bytes), size: bytes.length };
    },
    release(runId, bytes) {
      clean.set(runId, bytes);
      for (const told of watchers) told(runId);
    },
    onReleased(told) {
      watchers.add(told);
      return () => void watchers.delete(told);
    },
    noticeOf: async (runId) => notices.get(runId) ?? null,
    withheldNote: async (runId, from) =>
      Buffer.from(`From: <${from}>\r\nSubject: Note of ${runId}\r\n\r\nWithheld.\r\n`),
    async forget(runId) {
      clean.delete(runId);
      forgotten.push(runId);
    },
    async cleanMessage(runId, sha256) {
      const bytes = clean.get(runId);
      return bytes !== undefined && sha256Hex(bytes) === sha256 ? bytes : null;
    },
  };
}
