/** What a newcomer needs to know, printed when everything is ready. */
export function banner(options: {
  readonly url: string;
  readonly application: string;
  readonly isDemo: boolean;
  /** Names of the demo users; their passwords are the same. */
  readonly users: readonly string[];
}): string {
  const { url } = options;
  const lines = ['', `  ${options.application} is at ${url}/rest`, `  API document: ${url}/rest/docs/openapi.json`];
  if (!options.isDemo) return `${lines.join('\n')}\n`;
  return `${[
    ...lines,
    `  Demo users (the password is the name): ${options.users.join(', ')}`,
    '',
    '  Paste, line by line: a token, a search, a report.',
    '',
    `TOKEN=$(curl -s -u client:secret -d grant_type=password -d username=manager -d password=manager ${url}/oauth/token | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    `curl -s -H "Authorization: Bearer $TOKEN" -d '{"filter":{"conditions":[{"property":"customer.address.city","operator":"=","value":"Berlin"}]},"fetchPlan":"order-list","sort":"-date","limit":3}' ${url}/rest/entities/sales_Order/search`,
    `curl -s -H "Authorization: Bearer $TOKEN" -d '{"parameters":[{"name":"from","value":"2026-01-01"},{"name":"to","value":"2026-12-31"}]}' ${url}/rest/reports/run/code/sales-by-customer`,
    '',
  ].join('\n')}\n`;
}
