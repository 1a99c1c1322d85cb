/** Writes test/fixtures/signed anew, with new keys: `npx tsx test/ordinary/write-signed.ts`. Needs openssl and gpg. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeSignedMail } from './signed-mail.ts';
import { createSigningTools } from './signing-tools.ts';

const folder = join(import.meta.dirname, '../fixtures/signed');
const tools = createSigningTools();
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const { group, id, bytes } of makeSignedMail(tools)) writeFileSync(join(folder, `${group}_${id}.eml`), bytes);
writeFileSync(join(folder, 'authority.pem'), tools.authority);
writeFileSync(join(folder, 'key.asc'), tools.publicKey);
tools.close();
