/** The types a disarmed or kept file may have when it is delivered: MIME type by extension. A closed list. */
const TYPES: Readonly<Record<string, string>> = {
  txt: 'text/plain',
  html: 'text/html',
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  dotx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.template',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xltx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.template',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  ppsx: 'application/vnd.openxmlformats-officedocument.presentationml.slideshow',
  potx: 'application/vnd.openxmlformats-officedocument.presentationml.template',
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  tif: 'image/tiff',
  bmp: 'image/bmp',
};

/** The MIME type of an extension of the closed list, `application/octet-stream` for any other. */
export function typeOfExtension(extension: string): string {
  return TYPES[extension] ?? 'application/octet-stream';
}
