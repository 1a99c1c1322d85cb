/** PowerPoint 97 to 2003 presentations ([MS-PPT]): three streams, filtered record by record. */

import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import { describeType } from '../../../formats/file-types.ts';
import { EngineError, type EngineLimits, type FileInput } from '../../engine.ts';
import { filterDrawing, type Note } from '../compound/drawing.ts';
import { readCompoundFile } from '../compound/read.ts';
import { finishCompound, keepSummary, noteDroppedStreams, streamOf } from '../compound/streams.ts';
import type { Disarmed } from '../disarm-module.ts';
import { withPassword } from '../encrypted/legacy.ts';
import { removalLog } from '../removals.ts';
import { filterObject } from './filter.ts';
import { objectsOf, readSaves, writeSave } from './saves.ts';

const CLSID = '108d81649b4fcf1186ea00aa00b929e8';
const CURRENT_USER = 0x0ff6;
const ENCRYPTED = 0xf3d1c4df;
const PLAIN = 0xe391c05f;

/** Throws EngineError `encrypted`, `unsupported` (PowerPoint 95 and before), `unreadable`, `oversize`. */
export const disarm = withPassword(disarmOpen);

async function disarmOpen(input: FileInput, _type: DetectedType, limits: EngineLimits): Promise<Disarmed> {
  const streams = readCompoundFile(input.bytes, limits);
  const log = removalLog();
  const note: Note = (kind, action) => log.note(kind, 'PowerPoint Document', action);
  const document = streamOf(streams, 'powerpoint document');
  const user = streamOf(streams, 'current user');
  const saved = readSaves(document, readCurrentUser(user));
  const objects = objectsOf(document, saved);
  for (const { record } of objects) filterObject(record, note);
  const { stream, editAt } = writeSave(saved.edit, objects);
  // Earlier saves, and the bytes between the objects.
  if (stream.length < document.length) note('unused space', 'sanitized');
  const output = new Map<string, Uint8Array>([
    ['PowerPoint Document', stream],
    ['Current User', rewriteUser(user, editAt, input.keepMetadata === true, note)],
  ]);
  const pictures = streams.get('pictures')?.read();
  if (pictures !== undefined) {
    filterDrawing(pictures, (kind, action) => log.note(kind, 'Pictures', action));
    output.set('Pictures', pictures);
  }
  const kept = new Set(['powerpoint document', 'current user', 'pictures']);
  keepSummary(input, streams, output, kept);
  noteDroppedStreams(streams, kept, log);
  return finishCompound(input, describeType('application/vnd.ms-powerpoint'), log, { clsid: CLSID, streams: output });
}

/** Returns the place of the newest save ([MS-PPT] 2.3.2). */
function readCurrentUser(user: Buffer): number {
  const token = user.length >= 20 && user.readUInt16LE(2) === CURRENT_USER ? user.readUInt32LE(12) : 0;
  if (token === ENCRYPTED) throw new EngineError('encrypted', 'the presentation needs a password');
  if (token !== PLAIN) {
    throw new EngineError(
      'unsupported',
      'presentations of PowerPoint 95 and before cannot be disarmed: save it as a newer format',
    );
  }
  return user.readUInt32LE(16);
}

/** Returns the same record with the new place of the newest save, and without the user's name. */
function rewriteUser(user: Buffer, editAt: number, keepMetadata: boolean, note: Note): Buffer {
  const length = user.length >= 28 ? user.readUInt16LE(20) : 0;
  user.writeUInt32LE(editAt, 16);
  if (keepMetadata && length > 0) return user;
  const version = user.length >= 32 + length ? user.readUInt32LE(28 + length) : 8;
  const out = Buffer.alloc(32);
  user.copy(out, 0, 0, 28);
  out.writeUInt32LE(24, 4);
  out.writeUInt16LE(0, 20);
  out.writeUInt16LE(0, 26);
  out.writeUInt32LE(version, 28);
  if (length > 0) note('author', 'sanitized');
  return out;
}
