import { expect, test } from 'vitest';
import { FORMATS } from './samples.ts';
import { describeFormats } from './suite.ts';

const ELSEWHERE = /^(?:docx|xlsx|pptx|mp3|wav|mp4|flac|ogg|amr|aiff|avi|webm)$/;

test('every format of the list has its tests', () => {
  expect(FORMATS.filter((format) => ELSEWHERE.test(format))).toHaveLength(12);
  expect(FORMATS.length).toBeGreaterThan(20);
});

describeFormats(FORMATS.filter((format) => !ELSEWHERE.test(format)));
