/** `@mail-airlock/cdk`: the constructs, and the types of their properties. */
export { GatewayService } from './doors/gateway-service.ts';
export type { GatewayServiceProps } from './doors/gateway-service-props.ts';
export { MailAirlock } from './mail-airlock.ts';
export type { MailAirlockProps } from './mail-airlock-props.ts';
