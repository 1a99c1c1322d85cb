/** docProps/app.xml, written anew. */
import type { EngineLimits } from '../../../engine.ts';
import { escapeValue } from '../../xml-escape.ts';
import { withoutDocumentType } from '../xml/document-type.ts';
import { isElement, textOf } from '../xml/element.ts';
import { parseXml } from '../xml/parse.ts';

/** Programs whose name is worth keeping. Spreadsheets of an unknown writer are recalculated on opening, which changes the shown values. */
const APPLICATION = /^(Microsoft (Office |Macintosh )?(Word|Excel|PowerPoint)|LibreOffice\/[\w.$\-/ ]{1,80})$/;
const VERSION = /^\d{1,2}\.\d{4}$/;

/** Keeps the program's name and version if they look like one, and nothing else: no author, company, template or link base. */
export function rewriteProperties(bytes: Uint8Array, limits: EngineLimits): Uint8Array {
  const root = parseXml(withoutDocumentType(bytes) ?? bytes, limits);
  const textAt = (key: string) =>
    textOf(root.children.filter(isElement).find((child) => child.key === key) ?? { ...root, children: [] });
  const application = textAt('ep:Application');
  const version = textAt('ep:AppVersion');
  return Buffer.from(
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
      '<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties">' +
      (APPLICATION.test(application) ? `<Application>${escapeValue(application)}</Application>` : '') +
      (VERSION.test(version) ? `<AppVersion>${version}</AppVersion>` : '') +
      '</Properties>',
    'utf8',
  );
}
