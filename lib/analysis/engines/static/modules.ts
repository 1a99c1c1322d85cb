/** The modules of the static engine. The first that accepts a type reads the file; a type without one gets no level but unknown. */
import { archiveModule, javaModule } from './archive.ts';
import { compoundModule, encryptedModule } from './compound.ts';
import { diskImageModule } from './disk-image.ts';
import { macroSourceModule, programModule, scriptModule, shortcutModule } from './executable.ts';
import { imageModule } from './image.ts';
import { mailModule } from './mail.ts';
import { markupModule } from './markup.ts';
import type { StaticModule } from './module.ts';
import { notebookModule } from './notebook.ts';
import { openDocumentModule } from './open-document.ts';
import { openXmlModule } from './open-xml.ts';
import { otherArchiveModule } from './other-archives.ts';
import { pdfModule } from './pdf.ts';
import { plainTextModule } from './plain-text.ts';
import { richTextModule } from './rich-text.ts';
import { virtualDiskModule } from './virtual-disk.ts';

export const STATIC_MODULES: readonly StaticModule[] = [
  plainTextModule,
  markupModule,
  imageModule,
  pdfModule,
  openXmlModule,
  openDocumentModule,
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
