/** The groups that policy has rules for. Files of one group are opened by the same kind of program and do harm in the same ways. */

export const FILE_GROUPS = [
  'text',
  'html',
  'image',
  /** Films and recordings. */
  'media',
  'pdf',
  'office',
  /** Tables, appointments, address cards, XML. */
  'data',
  'archive',
  'email',
  'script',
  'executable',
  'other',
] as const;
export type FileGroup = (typeof FILE_GROUPS)[number];
