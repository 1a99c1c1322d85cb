/** The possible faults of a compound file. */

export type CompoundFault =
  /** The first bytes are not those of a compound file. Nothing can be read. */
  | 'no-header'
  /** Sectors of a size that no version has. Nothing can be read. */
  | 'sector-size'
  /** No entry is at the place of the directory. Nothing can be read. */
  | 'no-directory'
  /** The header names another size of small sectors than the only one there is. */
  | 'mini-sector-size'
  /** A version, a count or a reserved field that the standard does not allow. */
  | 'header-field'
  /** A chain leads out of the file. It ends there. */
  | 'sector-outside'
  /** The file ends within a sector of its tables or its directory. */
  | 'sector-cut'
  /** The directory ends within an entry. */
  | 'entry-cut'
  /** A sector is read a second time: two streams share it, or a chain leads back into itself and ends there. */
  | 'sector-shared'
  | 'mini-sector-shared'
  /** The file ends within a sector of a stream, and bytes of the stream are missing. */
  | 'stream-cut'
  | 'stream-ends-early'
  /** A stream claims more bytes than there are. */
  | 'stream-too-long'
  /** An entry of the directory leads to no entry, or two lead to the same one. */
  | 'not-a-tree'
  /** There are more entries than the limit. The rest is not read. */
  | 'too-many-entries';

/** Called for each fault. It throws to refuse the file, or returns to continue with the rest. */
export type OnCompoundFault = (fault: CompoundFault) => void;
