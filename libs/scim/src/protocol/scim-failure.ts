/** Kinds of errors with the status 400 or 409 (RFC 7644 §3.12). */
export type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'tooMany'
  | 'uniqueness';

/** A request that is refused, in the terms of SCIM. The message is sent to the client. */
export class ScimFailure extends Error {
  readonly status: number;
  readonly scimType: ScimType | undefined;

  constructor(status: number, message: string, scimType?: ScimType) {
    super(message);
    this.status = status;
    this.scimType = scimType;
  }
}

export const badRequest = (scimType: ScimType, message: string): ScimFailure => new ScimFailure(400, message, scimType);

export const notFound = (): ScimFailure => new ScimFailure(404, 'There is no resource with this id');

/** The name or display name belongs to another resource. */
export const taken = (message: string): ScimFailure => new ScimFailure(409, message, 'uniqueness');
