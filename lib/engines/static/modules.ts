/** The modules of the static engine. The first that accepts a type reads the file. A file of a type without a module is `unknown`. */
import { archiveModule, javaModule } from './archives/archive.ts';
import { diskImageModule } from './archives/disk-image.ts';
import { otherArchiveModule } from './archives/other-archives.ts';
import { virtualDiskModule } from './archives/virtual-disk.ts';
import type { StaticModule } from './findings/module.ts';
import { mailModule } from './mail/mail.ts';
import { mediaModule } from './media/media.ts';
import { compoundModule, encryptedModule } from './office/compound.ts';
import { officeXmlModule } from './office/office-xml.ts';
import { openDocumentModule } from './office/open-document.ts';
import { openXmlModule } from './office/open-xml.ts';
import { richTextModule } from './office/rich-text.ts';
import { pdfModule } from './pdf/pdf.ts';
import { imageModule } from './pictures/image.ts';
import { macroSourceModule, programModule, scriptModule, shortcutModule } from './programs/executable.ts';
import { markupModule } from './scripts/markup.ts';
import { notebookModule } from './scripts/notebook.ts';
import { plainTextModule } from './scripts/plain-text.ts';

export const STATIC_MODULES: readonly StaticModule[] = [
  plainTextModule,
  markupModule,
  imageModule,
  mediaModule,
  pdfModule,
  openXmlModule,
  openDocumentModule,
  officeXmlModule,
  richTextModule,
  encryptedModule,
  compoundModule,
  archiveModule,
  javaModule,
  otherArchiveModule,
  programModule,
  scriptModule,
  shortcutModule,
  diskImageModule,
  virtualDiskModule,
  notebookModule,
  mailModule,
  macroSourceModule,
];
