/** Small documents of one page, with more in them. Everything in them is inert: hosts end in `.example`. */

/** A document with more in its catalog and more objects, from number 4 on. */
export function pdfWith(objects: string, catalog = ''): Buffer {
  const pages =
    '2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj\n3 0 obj <</Type /Page /Parent 2 0 R>> endobj\n';
  const text = `%PDF-1.7\n1 0 obj <</Type /Catalog /Pages 2 0 R ${catalog}>> endobj\n${pages}${objects}\ntrailer <</Root 1 0 R>>\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}

/** A text as a string of a PDF. */
export const inParentheses = (text: string): string => `(${text.replace(/[\\()]/g, '\\$&').replaceAll('\n', '\\n')})`;

/** An action of the number 4 that runs a script. */
export const scriptAction = (script: string): string =>
  `4 0 obj <</S /JavaScript /JS ${inParentheses(script)}>> endobj`;

/** A file of the number 5 in a document, and its file specification. */
export const attachedFile = (name: string, content: string, dictionary = '/Type /EmbeddedFile'): string =>
  `4 0 obj <</Type /Filespec /F (${name}) /UF (${name}) /EF <</F 5 0 R>>>> endobj\n5 0 obj <<${dictionary} /Length ${content.length}>>\nstream\n${content}\nendstream endobj`;
