/** Three questions, three types: a word that could answer two of them would be taken for the wrong answer. */
import { expect, test } from 'vitest';
import {
  DISPOSITIONS,
  FAILURE_CLASSES,
  MESSAGE_DISPOSITIONS,
  SUBMISSION_STATUSES,
  VERDICTS,
} from '../../lib/pipeline/model.ts';

test('no word of a status, a verdict, a disposition or a failure is a word of another, and unknown is not benign', () => {
  const words: string[] = [SUBMISSION_STATUSES, VERDICTS, DISPOSITIONS, MESSAGE_DISPOSITIONS, FAILURE_CLASSES].flat();
  expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([]);
  expect(VERDICTS).toEqual(['benign', 'suspicious', 'malicious', 'unknown']);
});
