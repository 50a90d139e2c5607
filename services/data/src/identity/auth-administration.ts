/** Port to what auth administers: clients, API keys and consents. */
export interface AuthAdministration {
  /**
   * Calls an operation of the internal listener of auth, for example `clients/create`.
   *
   * @throws PlatformError REQ_INVALID_PARAMETER, ACCESS_DENIED, REQ_NOT_FOUND, DATA_ALREADY_EXISTS,
   *   REQ_PRECONDITION_FAILED, REQ_BODY_TOO_LARGE with the details of auth; AUTH_UNAVAILABLE
   */
  call(operation: string, request: object): Promise<unknown>;
}
