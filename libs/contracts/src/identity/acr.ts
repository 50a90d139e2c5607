import type { Session } from './session.ts';

/** How strongly a user was authenticated: values of the claim `acr`, the weakest first. */
export const ACR_ONE_FACTOR = 'urn:lintel:acr:1fa' as const;
export const ACR_TWO_FACTORS = 'urn:lintel:acr:2fa' as const;

/** All values of `acr`, the weakest first. */
export const ACR_VALUES = [ACR_ONE_FACTOR, ACR_TWO_FACTORS] as const;
export type Acr = (typeof ACR_VALUES)[number];

export const isAcr = (text: string): text is Acr => ACR_VALUES.some((acr) => acr === text);

/** Whether an authentication is at least as strong as required; one without a value is not. */
export const meetsAcr = (acr: string | undefined, required: Acr): boolean =>
  acr !== undefined && isAcr(acr) && ACR_VALUES.indexOf(acr) >= ACR_VALUES.indexOf(required);

/** When and how the user of a login was authenticated. */
export interface Authentication {
  readonly acr: Acr;
  /** Methods of RFC 8176, and `fed` for an identity provider. */
  readonly amr: readonly string[];
  /** Seconds since the epoch. */
  readonly authTime: number;
}

/** The claims of RFC 9068 §2.2.1 about the authentication of the user of a session. */
export const authenticationClaims = ({ acr, amr, authTime }: Pick<Session, 'acr' | 'amr' | 'authTime'>) => ({
  acr,
  amr,
  auth_time: authTime,
});
