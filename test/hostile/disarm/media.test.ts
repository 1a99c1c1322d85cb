import { describeFormats } from './suite.ts';

describeFormats(['mp3', 'wav', 'mp4', 'flac', 'ogg', 'amr', 'aiff', 'avi', 'webm']);
