/** Counts the pictures of a document, so that none is lost without a report. */
import type { PdfFile } from './pdf/objects.ts';
import { openZip } from './zip-scan.ts';

/** Where packages of Office and OpenDocument keep them. */
const MEDIA = /(?:^|\/)(?:media|Pictures)\/[^/]+\.(?:png|jpe?g|jpe|gif|bmp|tiff?|emf|wmf|svg|webp|svm)$/i;

/** Returns the number of pictures of an Office or OpenDocument package, and 0 for other bytes. */
export function picturesInPackage(bytes: Uint8Array): number {
  return picturesAmong(openZip(bytes)?.members ?? []);
}

/** Returns the number of pictures among the members of a package. */
export function picturesAmong(members: readonly { readonly name: string; readonly size: number }[]): number {
  return members.filter(({ name, size }) => size > 0 && MEDIA.test(name)).length;
}

/** Returns the number of pictures in the page or in its message. Pictures that would be loaded from elsewhere do not count. */
export function picturesInPage(html: string): number {
  return (
    html.match(/<img\b[^<>]{0,4000}?\ssrc\s*=\s*["']?\s*(?:cid:|data:image\/(?:png|jpe?g|gif|webp|bmp)[;,])/gi)
      ?.length ?? 0
  );
}

/** Returns 1 for a PDF with pictures and 0 for a PDF without. Revisions and repeats make every other number a guess. */
export function picturesInPdf({ objects }: PdfFile): number {
  return Number(objects.some(({ head, stream }) => stream !== null && /\/Subtype\s*\/Image\b/.test(head)));
}
