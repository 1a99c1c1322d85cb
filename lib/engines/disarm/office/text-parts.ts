/** The second way for Office documents: only the parts with text and numbers. */

import { describeType } from '../../../formats/file-types.ts';
import { anyOf } from '../../../formats/patterns.ts';
import type { EngineLimits, FileInput } from '../../engine.ts';
import type { Disarmed } from '../disarm-module.ts';
import { openContainer, writeContainer } from './package/container.ts';
import { rebuildPackage } from './rebuild-package.ts';

/**
 * Text, styles, sheets, slides and the parts without which these cannot be opened. No picture, drawing, chart, pivot table or property is
 * among them.
 */
const TEXT_PARTS = anyOf([
  /^\[content_types\]\.xml$/,
  /^_rels\/\.rels$/,
  /^(?:word|xl|ppt)\/(?:[^/]*\/)?_rels\/[^/]+\.rels$/,
  /^(?:word|xl|ppt)\/theme\/[^/]+\.xml$/,
  /^word\/(?:document|styles|settings|numbering|fonttable|footnotes|endnotes|comments|header\d*|footer\d*)\.xml$/,
  /^xl\/(?:workbook|styles|sharedstrings|worksheets\/[^/]+)\.xml$/,
  /^ppt\/(?:presentation|presprops|tablestyles|(?:slides|slidelayouts|slidemasters|notesslides|notesmasters)\/[^/]+)\.xml$/,
]);

/** Rebuilds the document as if it had only these parts. Throws like the module itself. */
export async function disarmTextParts(input: FileInput, limits: EngineLimits): Promise<Disarmed> {
  const container = await openContainer(input.bytes, limits);
  const entries = new Map([...container.entries].filter(([name]) => TEXT_PARTS.test(name)));
  const { parts, main, removals } = await rebuildPackage({ ...container, entries }, limits);
  const optional = { kind: 'optional part', action: 'removed', where: 'document' } as const;
  const bytes = await writeContainer(parts);
  return { outcome: 'disarmed', bytes, type: describeType(main.fileType), details: [...removals, optional] };
}
