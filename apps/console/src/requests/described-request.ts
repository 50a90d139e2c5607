/** A request of the page, as a person or a program can repeat it. */
export interface DescribedRequest {
  readonly method: string;
  /** Below the address of the server, with its segments encoded. */
  readonly path: string;
  /** Parameters of the URL; those without a value are left out, and objects are sent as JSON. */
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  /** Sent as JSON; a text is sent as it is. */
  readonly body?: unknown;
  /** Further headers, with names in lower case. A body has the type JSON without a `content-type` here. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** The path with the parameters of the URL. */
export function pathWithQuery({ path, query = {} }: Pick<DescribedRequest, 'path' | 'query'>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const search = new URLSearchParams(
    given.map(([name, value]): [string, string] => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ]),
  );
  return search.size === 0 ? path : `${path}?${search}`;
}

/** The text of the body; undefined without one. */
export const bodyText = ({ body }: Pick<DescribedRequest, 'body'>, indent?: number): string | undefined =>
  body === undefined || typeof body === 'string' ? body : JSON.stringify(body, null, indent);
