/** Both halves say what a file is. Where policy lets a file through, the engines must read it as the very same, or refuse it. */
import { expect, test } from 'vitest';
import { typeAsCalled } from '../../lib/engines/disarm/type-by-name.ts';
import { EngineError } from '../../lib/engines/engine.ts';
import { detectType } from '../../lib/formats/detection/detect.ts';
import { identifyFile } from '../../lib/formats/detection/file-type.ts';
import { groupOf } from '../../lib/formats/file-types.ts';
import { CONTENTS, DECLARED, MAGICS, NAMES } from './attack/two-opinions.ts';

const REMOVED = new Set(['script', 'executable', 'other']);

/** What the engines take the file for, under the name that the pipeline sends it by; null when they refuse it. */
async function readAs(bytes: Uint8Array, extension: string): Promise<string | null> {
  const untrustedName = `0123456789abcdef.${extension}`;
  try {
    const detected = await detectType(bytes, untrustedName);
    return typeAsCalled(detected, { bytes, untrustedName, password: null }).type.type;
  } catch (error) {
    if (error instanceof EngineError) return null;
    throw error;
  }
}

async function disagreement(bytes: Uint8Array, name: string, declaredType: string): Promise<string | null> {
  // Nothing is sent of an empty file.
  if (bytes.length === 0) return null;
  const role = declaredType === '' ? 'file' : 'attachment';
  const policy = identifyFile(bytes, { untrustedNames: [name], declaredType, role });
  if (REMOVED.has(policy.typeGroup)) return null;
  const type = await readAs(bytes, policy.extension);
  if (type === null || groupOf(type) === policy.typeGroup) return null;
  return `${policy.typeGroup} (.${policy.extension}) is read as ${type}`;
}

test.each(Object.entries(MAGICS))(
  'policy and engines agree on what begins as %s, or the file is removed or refused',
  async (_, letters) => {
    const found: string[] = [];
    let count = 0;
    for (const [content, text] of Object.entries({ ...CONTENTS, nothing: '', words: ' is how it begins.\r\n' }))
      for (const name of NAMES) {
        const declared = ['', ...DECLARED][count++ % (DECLARED.length + 1)] ?? '';
        const bytes = Buffer.from(letters + text, 'latin1');
        const wrong = await disagreement(bytes, `a.${name}`, declared);
        if (wrong !== null) found.push(`${content}, .${name}, ${declared}: ${wrong}`);
      }
    expect(found).toEqual([]);
  },
);
