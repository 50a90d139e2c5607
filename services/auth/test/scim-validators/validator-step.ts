import { PATCH } from '../scim-client.ts';

const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';
const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

/** A request of a validator, and the response that it expects. */
export interface ValidatorStep {
  readonly method: string;
  /** May contain `{name}` of a value that an earlier step kept. */
  readonly path: string;
  readonly body?: object;
  readonly status: number;
  /** Members of the response. */
  readonly shows?: object;
  /** A member that the response does not have. */
  readonly lacks?: string;
  /** The name under which the id of the response is kept for later steps. */
  readonly keep?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The requests of a validator by their names, in their order. */
export interface Validator {
  readonly headers: Readonly<Record<string, string>>;
  readonly steps: Readonly<Record<string, ValidatorStep>>;
}

/** The body of a PATCH. */
export const patch = (...operations: readonly object[]) => ({ schemas: [PATCH], Operations: operations });
/** A list of all resources. */
export const found = (...resources: readonly object[]) => ({
  schemas: [LIST],
  totalResults: resources.length,
  startIndex: 1,
  itemsPerPage: resources.length,
  Resources: resources,
});
/** A response with an error. */
export const failure = (status: number) => ({ schemas: [ERROR], status: String(status) });
