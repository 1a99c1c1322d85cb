/** The policy group of the type as which a disarm read its file. */
import type { FileGroup } from '../formats/file-groups.ts';
import { groupOf, isFileType } from '../formats/file-types.ts';

/** The group as which a disarm read its file. Unknown when the service does not say it, or uses its own words. */
export function groupRead(format: string | null | undefined): FileGroup | null {
  return format && isFileType(format) ? groupOf(format) : null;
}
