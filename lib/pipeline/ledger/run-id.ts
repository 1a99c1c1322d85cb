import * as z from 'zod/mini';

/** The form of the name of a run: 32 hexadecimal digits, made of its object (`runIdOf`). */
export const RUN_ID = /^[0-9a-f]{32}$/;

/** The name of a run in something that was stored or sent. */
export const RunId = z.string().check(z.regex(RUN_ID));
