/** A dead letter of the list. */
export interface DeadLetter {
  readonly key: string;
  readonly service: string;
  readonly id: string | null;
  readonly type: string | null;
  readonly subject: string | null;
  readonly queue: string | null;
  readonly reason: string | null;
  readonly time: string | null;
}
