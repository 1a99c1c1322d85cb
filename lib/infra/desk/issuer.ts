/** The identity provider at which people of the desk sign in. */
export interface DeskIssuer {
  /** The issuer as its tokens name it: `https://…`. */
  readonly issuer: string;
  /** The desk's client id there: a public client with the authorization code flow, PKCE, and the address `DESK/signed-in`. */
  readonly clientId: string;
  /** The claim that holds `reader`, `analyst` or `admin`. @default groups */
  readonly roleClaim?: string;
}

/**
 * Returns the settings of a function that checks tokens.
 *
 * @example
 * ```ts
 * issuerSettings({ issuer: 'https://login.example.org', clientId: 'desk' }).AIRLOCK_DESK_ROLE_CLAIM; // => 'groups'
 * ```
 */
export function issuerSettings({
  issuer,
  clientId,
  roleClaim = 'groups',
}: DeskIssuer): Readonly<Record<string, string>> {
  return { AIRLOCK_DESK_ISSUER: issuer, AIRLOCK_DESK_CLIENT_ID: clientId, AIRLOCK_DESK_ROLE_CLAIM: roleClaim };
}
