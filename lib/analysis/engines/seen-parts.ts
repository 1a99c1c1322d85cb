/** What a thread sends while it works, so that it is not lost when the thread is ended. */
import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { RecordingPart } from './sandbox/recording-parts.ts';
import type { EngineTask } from './task.ts';

export interface SeenParts {
  /** For the thread; null for a task that tells nothing before its report. */
  readonly port: MessagePort | null;
  /** All that was sent, in order. Nothing more is taken after that. */
  close(): readonly RecordingPart[];
}

/** A way out of the thread for the task. Scripts alone are watched while they run. */
export function openSeenParts(task: EngineTask): SeenParts {
  if (task.engine !== 'sandbox' || task.seen !== undefined) return { port: null, close: () => [] };
  const { port1: ours, port2: port } = new MessageChannel();
  return {
    port,
    close: () => {
      const parts: RecordingPart[] = [];
      for (let next = receiveMessageOnPort(ours); next; next = receiveMessageOnPort(ours)) parts.push(next.message);
      ours.close();
      return parts;
    },
  };
}
