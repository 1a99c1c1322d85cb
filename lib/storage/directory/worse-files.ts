/** The noted files that are worse than when they were delivered, as files of a folder. */
import { join } from 'node:path';
import { hashesIn } from '../../pipeline/recall/worse.ts';
import { namesIn } from './list-names.ts';

/** Returns their hashes, below the folder of the buckets. */
export const directoryWorseFiles = async (root: string): Promise<string[]> =>
  hashesIn(await namesIn(join(root, 'work', 'worse')));
