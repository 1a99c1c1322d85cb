import { expect, test } from 'vitest';
import { FORMATS } from './samples.ts';
import { describeFormats } from './suite.ts';

const OFFICE = /^(?:docx|xlsx|pptx)$/;

test('every format of the list has its tests', () => {
  expect(FORMATS.filter((format) => OFFICE.test(format))).toHaveLength(3);
  expect(FORMATS.length).toBeGreaterThan(20);
});

describeFormats(FORMATS.filter((format) => !OFFICE.test(format)));
