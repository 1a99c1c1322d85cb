/** `@mail-airlock/cdk`: the construct, and what its properties are made of. */
export { MailAirlock } from './mail-airlock.ts';
export type { MailAirlockProps } from './mail-airlock-props.ts';
