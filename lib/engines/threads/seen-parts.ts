/** The parts that a thread sends while it works, so that they are not lost when the thread is ended. */
import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { RecordingPart } from '../script/recording-parts.ts';
import type { EngineTask } from './task.ts';

export interface SeenParts {
  /** The port for the thread; null for a task that sends nothing before its report. */
  readonly port: MessagePort | null;
  /** Returns all parts that were sent, in order, and accepts no more. */
  close(): readonly RecordingPart[];
}

/** Opens a channel out of the thread for the task. Only scripts are watched while they run. */
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
