/** Films and recordings: the rules search them. The disarm removes everything in them except sound and pictures. */
import type { StaticModule } from '../findings/module.ts';

const MEDIA = new Set([
  'audio/mpeg',
  'audio/wav',
  'audio/mp4',
  'audio/flac',
  'audio/ogg',
  'video/mp4',
  'video/quicktime',
  'audio/amr',
  'audio/aiff',
  'video/x-msvideo',
  'video/webm',
  'video/x-matroska',
]);

export const mediaModule: StaticModule = {
  name: 'media',
  accepts: (type) => MEDIA.has(type),
  run: () => ({ findings: [], views: [], understood: true }),
};
