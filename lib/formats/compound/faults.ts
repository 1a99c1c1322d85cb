/** What can be wrong with a compound file. */

export type CompoundFault =
  /** The first bytes are not those of a compound file. Nothing can be read. */
  | 'no-header'
  /** Sectors of a size that no version has. Nothing can be read. */
  | 'sector-size'
  /** No entry stands where the directory should be. Nothing can be read. */
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
  /** An entry of the directory leads to none, or two lead to the same. */
  | 'not-a-tree'
  /** What is above the limit is not read. */
  | 'too-many-entries';

/** Told of each fault. What throws here refuses the file; what returns goes on with what is readable. */
export type OnCompoundFault = (fault: CompoundFault) => void;
