/** What a disarm says it took its file for, as policy groups files. */
import type { FileGroup } from '../formats/file-groups.ts';
import { groupOf, isFileType } from '../formats/file-types.ts';

/** The group that a disarm read its file as. A service may not say, or in words of its own: then it is not known. */
export function groupRead(format: string | null | undefined): FileGroup | null {
  return format && isFileType(format) ? groupOf(format) : null;
}
