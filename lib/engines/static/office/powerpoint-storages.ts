/**
 * The compound files in a PowerPoint 97 to 2003 presentation: its objects, its controls, and its project of macros ([MS-PPT] 2.10.35,
 * 2.10.40). PowerPoint compresses most of them, so that no search of the file finds their content.
 */
import { constants, inflateRawSync } from 'node:zlib';
import { isCompoundFile } from '../../../formats/compound/compound-file.ts';
import { EngineError, type EngineLimits, type Finding } from '../../engine.ts';
import { type Compound, readCompound } from '../compound-streams.ts';
import type { Piece, View } from '../findings/module.ts';
import { isFormClassInFile } from './object-classes.ts';
import { readObjects } from './ole-package.ts';
import { isOrdinaryObject } from './ordinary-objects.ts';
import { readVba } from './vba.ts';

export interface PresentationParts {
  readonly findings: readonly Finding[];
  readonly views: readonly View[];
  readonly pieces: readonly Piece[];
  /** The number of projects of macros, and whether all of them were read and none could act. */
  readonly macros: number;
  readonly arePlain: boolean;
  /** Whether all others are ordinary objects, and how many of them are controls that hold a state. */
  readonly areOrdinary: boolean;
  readonly forms: number;
  /** False when one could not be read. */
  readonly isWhole: boolean;
}

/** The size of the unpacked data, and the head of zlib. */
const SIZE_BYTES = 4;
const ZLIB_HEAD_BYTES = 2;
const MACROS = /(?:^|\/)vba\//i;
const PLACE = 'PowerPoint Document';

/** Unpacks and reads the storages of a presentation. Throws EngineError `oversize` when they are larger than the limits allow. */
export function readStorages(storages: readonly Uint8Array[], limits: EngineLimits): PresentationParts {
  let left = limits.inflatedBytes;
  const read = storages.map((data, index) => {
    const bytes = unpacked(data, left);
    left -= bytes?.length ?? 0;
    const where = `${PLACE}/${index + 1}`;
    const compound = bytes === null ? null : opened(bytes, limits);
    return compound === null
      ? null
      : { where, compound, isMacro: compound.streams.some(({ path }) => MACROS.test(path)) };
  });
  const whole = read.filter((one) => one !== null);
  const projects = whole
    .filter(({ isMacro }) => isMacro)
    .map(({ compound }) => readVba(compound, limits.inflatedBytes));
  const objects = whole.filter(({ isMacro }) => !isMacro);
  const contents = objects.map(({ compound }) => readObjects(compound));
  const isWhole = whole.length === storages.length;
  return {
    findings: [...projects, ...contents].flatMap(({ findings }) => findings),
    views: [
      ...objects.flatMap(({ where, compound }) =>
        compound.streams.map(({ path, bytes }) => ({ where: `${where}/${path}`, bytes })),
      ),
      ...projects.flatMap(({ views }) => views),
    ],
    pieces: [...projects, ...contents].flatMap(({ pieces }) => pieces),
    macros: projects.length,
    arePlain: isWhole && projects.length > 0 && projects.every(({ isPlain }) => isPlain),
    areOrdinary: isWhole && objects.every(({ compound }) => isOrdinaryObject(compound, '')),
    forms: objects.filter(({ compound }) => isFormClassInFile(compound.storages[0]?.classId ?? '')).length,
    isWhole,
  };
}

/**
 * Returns the bytes of a storage, or null when they cannot be unpacked. Data that are cut off or have another checksum are read as far as
 * possible, because other programs may read them, too.
 */
function unpacked(data: Uint8Array, most: number): Uint8Array | null {
  if (isCompoundFile(data)) return data;
  try {
    return inflateRawSync(data.subarray(SIZE_BYTES + ZLIB_HEAD_BYTES), {
      maxOutputLength: Math.max(1, most),
      finishFlush: constants.Z_SYNC_FLUSH,
    });
  } catch (error) {
    if (error instanceof RangeError)
      throw new EngineError('oversize', 'the objects of the presentation expand too far');
    return null;
  }
}

function opened(bytes: Uint8Array, limits: EngineLimits): Compound | null {
  try {
    return readCompound(bytes, limits);
  } catch (error) {
    if (error instanceof EngineError && error.code === 'unreadable') return null;
    throw error;
  }
}
