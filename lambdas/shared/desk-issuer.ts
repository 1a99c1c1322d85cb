/** The identity provider at which people of the desk sign in, as the environment names it. */
import type { IssuerSettings } from '../../lib/desk/issuer.ts';
import { setting } from './runtime.ts';

export const issuerSettings = (): IssuerSettings => ({
  issuer: setting('AIRLOCK_DESK_ISSUER'),
  clientId: setting('AIRLOCK_DESK_CLIENT_ID'),
  roleClaim: setting('AIRLOCK_DESK_ROLE_CLAIM'),
});
