/** What policy has rules for: files that are opened by programs of one kind, and come to harm in the same ways. */

export const FILE_GROUPS = [
  'text',
  'html',
  'image',
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
