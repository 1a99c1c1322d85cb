/** Why a picture is not decoded: its form is not read here, it has more pixels than allowed, or it is damaged. */
export class PictureError extends Error {
  constructor(
    readonly code: 'unsupported' | 'oversize' | 'unreadable',
    message: string,
  ) {
    super(message);
  }
}
