/** The reason why a picture is not decoded: its form is not read here, it has too many pixels, or it is damaged. */
export class PictureError extends Error {
  constructor(
    readonly code: 'unsupported' | 'oversize' | 'unreadable',
    message: string,
  ) {
    super(message);
  }
}
