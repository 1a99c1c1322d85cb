/** The inputs of the current interface (v3): forms, JSON bodies and queries. */

import * as z from 'zod';
import { parseUrl } from '../../formats/urls/parse-url.ts';
import {
  FormBoolean,
  IndicatorLevel,
  IsoDate,
  manyOf,
  orNull,
  PageNumber,
  Platform,
  pageLimit,
  queryInteger,
  THREAT_LEVELS,
  UploadedFile,
} from './common.ts';

/** Most entries of one configuration. More is an attempt to overload the service. */
const MAX_ENTRIES = 100;
const Key = z.string().min(1).max(100);
const Value = z.union([z.string().max(1_000), z.number(), z.boolean()]);
const EntryList = z.array(z.object({ key: Key, value: Value })).max(MAX_ENTRIES);
const EntryObject = z
  .record(Key, Value)
  .refine((entries) => Object.keys(entries).length <= MAX_ENTRIES, 'too many entries')
  .transform((entries) => Object.entries(entries).map(([key, value]) => ({ key, value })));

/** Configuration in a JSON body: a list of {key, value}, or an object. Reads as the list. */
export const MetafieldEntries = z.union([EntryList, EntryObject]).describe('Configuration of the analysis.');

/** The same as JSON text in a form: a list, as documented, or an object, as public clients send it. Reads as the list. */
export const Metafields = z
  .string()
  .max(64 * 1024)
  .transform((text, context) => {
    const parsed = MetafieldEntries.safeParse(jsonOrUndefined(text));
    if (parsed.success) return parsed.data;
    context.addIssue({ code: 'custom', message: 'expected JSON: a list of {key, value} or an object' });
    return z.NEVER;
  })
  .describe('Configuration of the analysis, as JSON text: a list of {key, value} or an object.');

const Configuration = z
  .record(Key, z.unknown())
  .refine((entries) => Object.keys(entries).length <= MAX_ENTRIES, 'too many entries');

/** JSON text of an object. */
const ConfigurationText = z
  .string()
  .max(64 * 1024)
  .transform((text, context) => {
    const parsed = Configuration.safeParse(jsonOrUndefined(text));
    if (parsed.success) return parsed.data;
    context.addIssue({ code: 'custom', message: 'expected the JSON text of an object' });
    return z.NEVER;
  })
  .describe(
    'JSON text of an object: preScript, startArguments, networkConfig. Used when an environment runs the file.',
  );

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isPrivate = FormBoolean.default(false).describe('Hide the submission from other workspaces.');

/** Fields of every form with a file. */
const FILE_FIELDS = {
  file: UploadedFile,
  private: isPrivate,
  entrypoint: orNull(z.string().max(1_000)).describe('The file to analyse within an archive.'),
  password: orNull(z.string().max(1_000)).describe('Password to open the file with.'),
};

/** Form of a static submission. */
export const FileForm = z.object({
  ...FILE_FIELDS,
  dynamic_mimetype_check: FormBoolean.default(true).describe('Show the type of the bytes, not that of the name.'),
});

/** Form of a cdr submission. */
export const CdrForm = z.object({
  ...FileForm.shape,
  keep_metadata: FormBoolean.default(false).describe('Keep title, author, dates and the like in the sanitized file.'),
});

const environment = orNull(z.string().max(100)).describe('Operating system of the sandbox, for example w10_x64.');
const autoSelectEnvironment = FormBoolean.default(false).describe('Let the service pick the environment.');

/** Form of a sandbox submission. */
export const SandboxForm = z.object({
  ...FILE_FIELDS,
  environment,
  metafields: orNull(Metafields),
  configurations: orNull(ConfigurationText),
  autoSelectEnvironment,
});

const submittedUrl = z
  .string()
  .max(8_192)
  .refine((text) => parseUrl(text) !== null, 'expected an absolute URL')
  .describe('The URL to analyse.');

/** Body of a URL submission. */
export const UrlBody = z.object({
  url: submittedUrl,
  private: isPrivate,
  safeBrowsing: orNull(FormBoolean).describe('Ask other services about the URL. This service never does.'),
  metafields: orNull(MetafieldEntries),
  configurations: orNull(Configuration).describe('networkConfig and sessionDurationSeconds of an interactive session.'),
});

/** Body of a submission that opens a URL in the browser of an environment. */
export const OpenInBrowserBody = z.object({
  url: submittedUrl,
  private: isPrivate,
  environment,
  metafields: orNull(MetafieldEntries),
  configurations: orNull(Configuration),
  autoSelectEnvironment,
});

/** Filters of the list; each narrows it. */
export const ListQuery = z.object({
  page: PageNumber,
  limit: pageLimit(100, 20),
  level: manyOf(z.enum(THREAT_LEVELS)).optional().describe('Threat levels. One of them must match.'),
  type: z.enum(['file', 'url']).optional().describe('What was submitted.'),
  sha256: z
    .string()
    .regex(/^[0-9a-fA-F]{1,64}$/, 'expected 1 to 64 hexadecimal digits')
    .optional()
    .describe('SHA-256, or its first digits.'),
  filename: z.string().min(1).max(255).optional().describe('Part of the file name, in any case.'),
  startDate: IsoDate.optional().describe('Created at this time or later. ISO 8601; without an offset UTC.'),
  endDate: IsoDate.optional().describe('Created at this time or earlier. ISO 8601; without an offset UTC.'),
  private: FormBoolean.optional().describe(
    '`true`: only private submissions. `false`: public ones, of other workspaces too. Without it: all of the own workspace.',
  ),
  tags: manyOf(z.string().max(200)).optional().describe('Values of tags. One of them must match.'),
  sort: z.enum(['createdAt']).default('createdAt').describe('Field to sort by.'),
  order: z.enum(['asc', 'desc']).default('desc').describe('Oldest or newest first.'),
});
export type ListQuery = z.infer<typeof ListQuery>;

const page = { page: PageNumber, limit: pageLimit(100, 20) };
const pid = queryInteger(0, 2 ** 32 - 1)
  .optional()
  .describe('Process id.');
const exact = z.string().max(200).optional();

export const IndicatorQuery = z.object({
  level: IndicatorLevel.optional(),
  category: exact.describe('Category, exactly.'),
  pid,
  attackCode: exact.describe('ATT&CK technique, exactly.'),
  ...page,
});
export type IndicatorQuery = z.infer<typeof IndicatorQuery>;

export const IocQuery = z.object({ type: exact.describe('Type of the value, exactly.'), ...page });
export const YaraRuleQuery = z.object({ category: IndicatorLevel.optional(), ...page });

export const BehaviourQuery = z.object({
  os: Platform.optional(),
  pid,
  operation: exact.describe('Operation, exactly.'),
  type: exact.describe('Type of the event, exactly.'),
  processName: exact.describe('Name of the process, exactly.'),
  page: PageNumber,
  limit: pageLimit(500, 100),
});

export const SyscallQuery = z.object({ page: PageNumber, limit: pageLimit(2_000, 500) });

/** The network lists are paged by offset, unlike all others. */
export const OffsetQuery = z.object({
  limit: queryInteger(0, 1_000).default(100).describe('Most items in the answer; at most 1000.'),
  skip: queryInteger(0, 1_000_000).default(0).describe('Items to skip at the beginning.'),
});

export const MediaQuery = z.object({
  source: z.enum(['dynamic', 'url_analysis']).optional().describe('The analysis that made the files.'),
});
