/** The short name of a run, which people quote. */
export { earlierReferenceOf, referenceIn, referenceOf } from '../words/reference.ts';
