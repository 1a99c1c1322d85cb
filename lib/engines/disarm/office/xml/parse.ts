/**
 * A strict parser for Office parts (well-formedness enforced, no DTD, UTF-8 and UTF-16 only). Comments and processing instructions do not
 * reach the tree. A caller can say which unchanged markup it need not see, and then that does not reach the tree, either.
 */
import { EngineError, type EngineLimits } from '../../../engine.ts';
import { utf8Xml } from './bytes.ts';
import type { XmlElement } from './element.ts';
import { SKIP_EVERYTHING, SKIP_NOTHING, type XmlSkipRules } from './skipping.ts';
import { buildTree } from './tree-builder.ts';

/**
 * Parses one part. Throws EngineError `unreadable` (not well-formed, DOCTYPE, foreign encoding) or `oversize` (too deep, too
 * many elements). Comments and processing instructions are left out.
 */
export function parseXml(bytes: Uint8Array, limits: EngineLimits, skipRules: XmlSkipRules = SKIP_NOTHING): XmlElement {
  const utf8 = utf8Xml(bytes);
  checkDeclaration(utf8);
  return buildTree(utf8, limits, skipRules);
}

/** Checks the part. Throws like `parseXml` and keeps nothing. */
export function checkXml(bytes: Uint8Array, limits: EngineLimits): void {
  parseXml(bytes, limits, SKIP_EVERYTHING);
}

const DECLARATION = new RegExp(
  [
    '^<\\?xml',
    '[ \\t\\r\\n]+version[ \\t\\r\\n]*=[ \\t\\r\\n]*(?:"1\\.[0-9]"|\'1\\.[0-9]\')',
    '(?:[ \\t\\r\\n]+encoding[ \\t\\r\\n]*=[ \\t\\r\\n]*(?:"([\\w.-]{1,40})"|\'([\\w.-]{1,40})\'))?',
    '(?:[ \\t\\r\\n]+standalone[ \\t\\r\\n]*=[ \\t\\r\\n]*(?:"(?:yes|no)"|\'(?:yes|no)\'))?',
    '[ \\t\\r\\n]*\\?>',
  ].join(''),
);

function checkDeclaration(bytes: Buffer): void {
  const head = bytes.toString('latin1', 0, 400);
  if (!/^<\?xml[ \t\r\n]/.test(head)) return;
  const declaration = DECLARATION.exec(head);
  if (declaration === null) throw new EngineError('unreadable', 'a part of the document is not well-formed XML');
  const encoding = declaration[1] ?? declaration[2];
  if (encoding === undefined || /^utf-?(8|16(le|be)?)$/i.test(encoding)) return;
  throw new EngineError('unreadable', 'a part of the document is in an encoding other than UTF-8 and UTF-16');
}
