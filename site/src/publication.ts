/** Where the site and the repository can be reached; the workflow that publishes the site sets it. */
export interface Publication {
  /** Path of the site, with a slash at both ends. */
  readonly base: string;
  /** Address of the site with a slash at the end; its path alone if that is all that is known. */
  readonly url: string;
  readonly repository: string | undefined;
  /** Address of the files of the repository at this revision. */
  readonly files: string | undefined;
}

/** Reads `LINTEL_SITE_BASE`, `LINTEL_SITE_URL`, `LINTEL_SITE_REPOSITORY` and `LINTEL_SITE_REVISION`. */
export function readPublication(environment: Readonly<Record<string, string | undefined>> = process.env): Publication {
  const setting = (name: string): string | undefined => environment[`LINTEL_SITE_${name}`] || undefined;
  const base = `/${setting('BASE') ?? ''}/`.replace(/\/+/g, '/');
  const repository = setting('REPOSITORY');
  return {
    base,
    url: (setting('URL') ?? base).replace(/\/?$/, '/'),
    repository,
    files: repository === undefined ? undefined : `${repository}/blob/${setting('REVISION') ?? 'main'}`,
  };
}
