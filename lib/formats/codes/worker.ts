/** The worker thread of the code reader: one picture or document at a time. */
import { answerRequests } from '../threads/worker-thread.ts';
import { readCodesHere } from './read-codes.ts';
import type { CodeRequest, CodesRead } from './request.ts';

/** The answer when the libraries are not installed. */
const NOTHING: CodesRead = { outcome: 'unreadable', untrustedTexts: [] };

answerRequests((request: CodeRequest) => readCodesHere(request).catch(() => NOTHING));
