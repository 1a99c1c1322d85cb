/** The inputs of the v1 routes. Forms carry text, so a boolean, a list and a configuration each arrive in several spellings. */

import * as z from 'zod';
import { parseUrl } from '../../formats/urls/parse-url.ts';
import { FormBoolean, UploadedFile } from './common.ts';

/** One configured value. Numbers and booleans are not turned into text. */
const MetafieldValue = z.union([z.string().max(1_000), z.number(), z.boolean()]);
const AnalyzeItem = z.object({ metafieldId: z.string().min(1).max(100), value: MetafieldValue });
export type AnalyzeItem = z.infer<typeof AnalyzeItem>;
const AnalyzeItems = z.union([z.array(AnalyzeItem).max(100), AnalyzeItem.transform((item) => [item])]);

/**
 * `analyzeConfig`: JSON text of a list of {metafieldId, value}; a single object is read as a list of one, and a repeated field as one list.
 */
export const AnalyzeConfig = z
  .string()
  .max(64 * 1024)
  .transform((text, context): AnalyzeItem[] => {
    if (text.trim() === '') return [];
    // A repeated field arrives as its values with commas between them.
    const parsed = AnalyzeItems.safeParse(jsonOrUndefined(text) ?? flattened(jsonOrUndefined(`[${text}]`)));
    if (parsed.success) return parsed.data;
    context.addIssue({ code: 'custom', message: 'expected JSON: a list of {metafieldId, value}' });
    return z.NEVER;
  })
  .describe('Configuration of the analysis: JSON text of a list of {metafieldId, value}.');

const flattened = (values: unknown) => (Array.isArray(values) ? values.flat() : undefined);

const ModuleNames = z.array(z.string().trim().min(1).max(100)).max(20);

/** `modules`: JSON text of a list, or names separated by commas. */
export const ModuleList = z
  .string()
  .max(4_096)
  .transform((text, context): string[] => {
    const value = /^\s*[[{"]/.test(text) ? jsonOrUndefined(text) : text.split(',').filter((name) => name.trim() !== '');
    const parsed = ModuleNames.safeParse(typeof value === 'string' ? [value] : value);
    if (parsed.success) return parsed.data;
    context.addIssue({ code: 'custom', message: 'expected a JSON list of names, or names separated by commas' });
    return z.NEVER;
  })
  .describe('Modules of the analysis, for example cdr: JSON text of a list, or names separated by commas.');

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const optionalText = (description: string) => z.string().max(1_000).nullish().describe(description);

const fileFields = {
  file: UploadedFile,
  entrypoint: optionalText('The file to execute within an archive.'),
  password: optionalText('Password to open the archive with.'),
};

/** An empty field counts as not set: clients send it for the default. */
const ExtensionCheck = z
  .union([FormBoolean, z.literal('').transform(() => true)])
  .optional()
  .describe('Read the type from the bytes and assign the extension. `true` or `false`, as text. Default true.');

export const V1SandboxForm = z.object({
  ...fileFields,
  analyzeConfig: AnalyzeConfig.optional(),
  extensionCheck: ExtensionCheck,
  modules: ModuleList.optional(),
});

export const V1SandboxQuery = z.object({
  auto: FormBoolean.optional().describe('`true`: metafields and environment are set automatically.'),
});

/** The fields of a static scan and of a disarm; for the latter the extension check cannot be switched off. */
export const V1FileForm = z.object({
  ...fileFields,
  isPublic: FormBoolean.optional().describe('Whether other workspaces may see the results. Default false.'),
  extensionCheck: ExtensionCheck,
});

export const V1UrlBody = z.object({
  url: z
    .string()
    .max(8_192)
    .refine((text) => parseUrl(text) !== null, 'expected an absolute URL')
    .describe('The URL to analyse.'),
  private: FormBoolean.optional().describe('Hide the submission from other workspaces. Default false.'),
  isPublic: FormBoolean.optional().describe('The opposite of `private`, for older clients.'),
});

/** The largest page of a v1 list: one request must not read the whole store. */
export const V1_MAX_JUMP = 100;
const Whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'expected a whole number')
    .transform(Number)
    .refine((number) => number >= min && number <= max, `expected a number from ${min} to ${max}`);

export const V1PageParams = z.object({
  page: Whole(0, 999_999_999).describe('Number of the page; the first is 0.'),
  jump: Whole(1, V1_MAX_JUMP).describe('Submissions per page.'),
});

export const V1HashParams = z.object({
  hash: z
    .string()
    .regex(/^(?:[0-9a-fA-F]{32}|[0-9a-fA-F]{40}|[0-9a-fA-F]{64})$/, 'expected an MD5, SHA-1 or SHA-256 in hexadecimal')
    .describe('MD5, SHA-1 or SHA-256, hexadecimal.'),
  ...V1PageParams.shape,
});

export const V1SubmissionParams = z.object({ uuid: z.uuid().describe('Id of the submission.') });
export const V1ArtifactParams = V1SubmissionParams.extend({
  artifactId: z.string().min(1).max(100).describe('Id of the artifact.'),
});
export const V1MediaParams = V1SubmissionParams.extend({
  fileId: z.string().min(1).max(100).describe('Id of the file.'),
});
