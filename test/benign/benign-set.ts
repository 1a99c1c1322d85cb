/** More than 2,000 ordinary files of the kinds that mail carries. The same in every run. */
import { join } from 'node:path';
import type { BenignFile } from './file.ts';
import { benignOffice } from './office.ts';
import { benignPackages } from './packages.ts';
import { benignMail, benignPages, benignPdfs, benignTexts } from './pages.ts';

const PACKAGES = join(import.meta.dirname, '..', '..', 'node_modules');

/** The whole set, each kind in one stretch. */
export function benignSet(): BenignFile[] {
  const office = benignOffice(300);
  const pdfs = benignPdfs(250);
  return [
    ...office,
    ...pdfs,
    ...benignPages(300),
    ...benignMail(200, [...office.slice(0, 40), ...pdfs.slice(0, 40)]),
    ...benignTexts(360),
    ...benignPackages(PACKAGES, 800),
  ];
}
