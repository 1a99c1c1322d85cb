/** Where people sign in who use the desk. */
export interface DeskIssuer {
  /** As it stands in its tokens: `https://…`. */
  readonly issuer: string;
  /** The desk as a public client there, with the authorization code flow, PKCE, and the address `DESK/signed-in`. */
  readonly clientId: string;
  /** The claim with `reader`, `analyst` or `admin`. @default groups */
  readonly roleClaim?: string;
}

/**
 * The settings of a function that checks tokens.
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
