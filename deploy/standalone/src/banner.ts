/** The text that is printed when the system is ready. */
export function banner(options: {
  readonly url: string;
  /** Path prefixes of the REST API and of its documents, e.g. `/rest` and `/rest/docs`. */
  readonly paths: { readonly rest: string; readonly docs: string };
  /** Path of the console; undefined where it is not served. */
  readonly consolePath?: string | undefined;
  readonly managementUrl: string;
  /** Where the database is, without user and password. */
  readonly database: string;
  readonly application: string;
  /** Names of the demo users; none without demo data. */
  readonly users: readonly string[];
  /** Example requests to copy. */
  readonly requests: readonly string[];
}): string {
  const { url, paths, users, requests } = options;
  const lines = ['', `  ${options.application} is at ${url}${paths.rest}`, `  API explorer: ${url}${paths.docs}`];
  if (options.consolePath !== undefined) lines.push(`  Console: ${url}${options.consolePath}`);
  lines.push(`  Database: ${options.database}`);
  lines.push(`  Metrics: ${options.managementUrl}/metrics`);
  if (users.length > 0) lines.push(`  Demo users (the password is the name): ${users.join(', ')}`);
  if (requests.length > 0) lines.push('', '  Requests to paste:', '', ...requests);
  return `${lines.join('\n')}\n`;
}
