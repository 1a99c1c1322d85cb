/** `npm run versions`: writes the versions of the engines as they are now. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { VERSIONS_FILE, versionsText } from './engine-versions.ts';
import { ROOT } from './imports.ts';

writeFileSync(join(ROOT, VERSIONS_FILE), versionsText());
