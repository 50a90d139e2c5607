import type {
  AppOffer,
  ConfirmAppRequest,
  ConfirmAppResponse,
  RemoveFactorsRequest,
  SecondFactors,
} from '@lintel/contracts';

/** Port to the second factors of users, which auth stores. Each method rejects with AUTH_UNAVAILABLE during an outage. */
export interface SecondFactorDirectory {
  list(username: string): Promise<SecondFactors>;
  /** A key for an authenticator app, which `confirm` adds. */
  offer(username: string): Promise<AppOffer>;
  confirm(request: ConfirmAppRequest): Promise<ConfirmAppResponse>;
  /** Returns the number of removed factors. */
  remove(request: RemoveFactorsRequest): Promise<number>;
  /** Null if the user has no factor. */
  renewRecoveryCodes(username: string): Promise<readonly string[] | null>;
}
