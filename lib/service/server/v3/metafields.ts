/** The options of an analysis. Those that need a real machine are shown as inactive. */
import type { MetafieldOption, MetafieldsByScanType, ScanType } from '../../contract/v3-config.ts';

/** The fields of an inactive option. Every client knows such options, but scripts are emulated here and there is no real machine. */
const needsEnvironment = {
  active: false,
  accessible: false,
};

const TIMEOUT: MetafieldOption = {
  key: 'timeout',
  label: 'Timeout',
  description: 'Seconds that the file runs. Inactive: the emulation of scripts has a limit of its own.',
  type: 'select',
  default: 60,
  ...needsEnvironment,
  options: [60, 120, 180, 240, 300].map((value) => ({ value, label: `${value} seconds`, accessible: false })),
};

const INTERNET: MetafieldOption = {
  key: 'internet_connection',
  label: 'Internet connection',
  description: 'Let the file reach the network while it runs. Inactive: scripts are emulated and reach nothing.',
  type: 'boolean',
  default: false,
  ...needsEnvironment,
  options: null,
};

const TYPE_CHECK: MetafieldOption = {
  key: 'dynamic_mimetype_check',
  label: 'Type check',
  description: 'Show the type that was read from the bytes instead of the one in the name.',
  type: 'boolean',
  default: true,
  active: true,
  accessible: true,
  options: null,
};

const KEEP_METADATA: MetafieldOption = {
  key: 'keep_metadata',
  label: 'Keep metadata',
  description:
    'Keep title, author, dates and the like in the sanitized file. They are removed by default, because they identify people.',
  type: 'boolean',
  default: false,
  active: true,
  accessible: true,
  options: null,
};

const BY_SCAN_TYPE: MetafieldsByScanType = {
  sandbox: [TIMEOUT, INTERNET],
  static: [TYPE_CHECK],
  cdr: [TYPE_CHECK, KEEP_METADATA],
  url: [],
  open_in_browser: [TIMEOUT],
};

/** Returns all metafields, grouped by the kind of scan. */
export const allMetafields = (): MetafieldsByScanType => BY_SCAN_TYPE;

/** Metafields of one kind of scan. */
export const metafieldsOf = (scanType: ScanType): MetafieldOption[] => BY_SCAN_TYPE[scanType];
