/** How a request is recognised when it is sent again. */
export interface IdempotentCall {
  /** Of `Idempotency-Key`. */
  readonly key: string;
  readonly requestHash: string;
}
