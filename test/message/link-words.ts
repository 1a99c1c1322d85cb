/** What these tests say of blocked links. */
import type { BlockedWords } from '../../lib/message/urls/html/blocked-looks.ts';

export const LINK_WORDS: BlockedWords = { beside: 'off: {url}', behind: 'off', withheld: 'withheld' };
