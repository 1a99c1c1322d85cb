/** The result of `airlock audit seal` in words, both here and where `review` carries it out. */
export const SEALED = {
  sealed:
    'The end of the audit trail is accepted. Add the blocks again that were in lost records; airlock redrive begins mail again that was held meanwhile.',
  mended: 'The end of the audit trail was accepted before, and its head is written now.',
  unchanged: 'Nothing was changed: the audit trail ends where its head says.',
} as const;
