/** The comments of a sheet (ECMA-376 part 1, 18.7), and the old drawing that Excel needs to show them. Nobody is named as their author. */
import { type Comment, columnName } from './book.ts';
import { escapeString, SHEET_SPACE, XML_HEAD } from './write-sheet.ts';

/** Returns the part with the texts. */
export function commentsMarkup(comments: readonly Comment[]): string {
  const rows = comments.map(
    ({ row, column, text }) =>
      `<comment ref="${columnName(column)}${row + 1}" authorId="0"><text><t xml:space="preserve">${escapeString(text)}</t></text></comment>`,
  );
  return `${XML_HEAD}<comments xmlns="${SHEET_SPACE}"><authors><author/></authors><commentList>${rows.join('')}</commentList></comments>`;
}

/** Returns the part with a hidden box for each. */
export function notesDrawing(comments: readonly Comment[]): string {
  const boxes = comments.map(
    ({ row, column }, index) =>
      `<v:shape id="note${index + 1}" type="#box" style="position:absolute;visibility:hidden" fillcolor="#ffffe1">` +
      '<v:textbox/><x:ClientData ObjectType="Note"><x:AutoFill>False</x:AutoFill>' +
      `<x:Anchor>${column + 1}, 15, ${row}, 2, ${column + 3}, 15, ${row + 4}, 4</x:Anchor><x:Row>${row}</x:Row><x:Column>${column}</x:Column></x:ClientData></v:shape>`,
  );
  return (
    '<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel">' +
    '<v:shapetype id="box" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe"/>' +
    `${boxes.join('')}</xml>`
  );
}
