import { expect, test } from 'vitest';
import { painter } from '../../lib/local/paint.ts';
import { treeLines } from '../../lib/local/report/ledger-tree.ts';
import { parse } from '../../lib/pipeline/parse.ts';
import { packed } from '../formats/archives/archives.ts';
import { createRig, emailWith } from '../pipeline/rig.ts';

test('the tree shows what is inside of containers, how they were opened, and which stayed closed', async () => {
  const bytes = await packed('zip', { 'run.exe': 'MZ' }, { password: 'Sonne#42' });
  const closed = await packed('7z', { 'a.txt': 'x' }, { password: 'nobody knows it' });
  const files = [
    { name: 'a.zip', bytes },
    { name: 'b.7z', bytes: closed },
  ];
  const rig = createRig();
  const run = await parse(rig.ctx, await rig.intake(emailWith({ text: 'Passwort: Sonne#42', files })));
  const lines = treeLines(await rig.ledger(run.runId), painter(false)).join('\n');
  expect(lines).toMatch(/^ {4}1\.2 {2}attachment "a\[\.\]zip".* zip, opened with the password "Sonne#42"$/m);
  expect(lines).toMatch(/^ {6}1\.2!1 {2}inside "run\.exe" application\/x-dosexec {2}2 B/m);
  expect(lines).toMatch(/^ {4}1\.3 {2}attachment "b\.7z".* 7z, LOCKED: nothing here opens it$/m);
  expect(lines).toMatch(/^ {2}warning {2}part 1\.3: an archive that needs a password \(container_encrypted\)$/m);
});
