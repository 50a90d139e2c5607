import type { Application, ReportDefinition } from '@lintel/application';

/** A client that may use the password grant. */
export interface PasswordClient {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Path prefix of the entities API; that of the reports API is fixed. */
export interface DemoPaths {
  readonly entities: string;
}

type Values = Readonly<Record<string, unknown>>;

/** Users of the demo data who can log in; their passwords equal their names. */
export const demoUsers = (application: Application): readonly string[] =>
  valuesOf(application, 'sec_User')
    .filter((user) => user['password'] === user['username'])
    .map((user) => String(user['username']));

/**
 * Example requests for the model and demo data of the application: a token, a search over a reference, a report.
 * Without those for which the application has no data.
 */
export function demoRequests(
  application: Application,
  client: PasswordClient,
  url: string,
  paths: DemoPaths,
): readonly string[] {
  const user = bestUser(application);
  if (user === undefined) return [];
  const login = `-d grant_type=password -d username=${user} -d password=${user}`;
  const post = (path: string, body: unknown): string =>
    `curl -s -H "Authorization: Bearer $TOKEN" -d ${quote(JSON.stringify(body))} ${url}${path}`;
  const requests = [
    `TOKEN=$(curl -s -u ${quote(`${client.clientId}:${client.clientSecret}`)} ${login} ${url}/oauth/token | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
  ];
  const search = searchOf(application);
  if (search !== undefined) requests.push(post(`${paths.entities}/${search.entity}/search`, search.body));
  else
    requests.push(
      `curl -s -H "Authorization: Bearer $TOKEN" '${url}${paths.entities}/${firstEntity(application)}?limit=3'`,
    );
  const report = application.reports
    ?.filter(({ roles }) => roles === undefined || roles.some((role) => rolesOf(application, user).includes(role)))
    .map(reportOf)
    .find((candidate) => candidate !== undefined);
  if (report !== undefined) requests.push(post(`/rest/reports/run/${report.path}`, report.body));
  return requests;
}

const rolesOf = (application: Application, user: string): readonly unknown[] =>
  valuesOf(application, 'sec_RoleAssignment')
    .filter(({ username }) => username === user)
    .map(({ roleCode }) => roleCode);

/** A user with full access, or else the first one. */
function bestUser(application: Application): string | undefined {
  const administrators = valuesOf(application, 'sec_RoleAssignment')
    .filter((assignment) => assignment['roleCode'] === 'system-full-access')
    .map((assignment) => assignment['username']);
  const users = demoUsers(application);
  return users.find((user) => administrators.includes(user)) ?? users[0];
}

/** The application has data that no demo data describes. */
const firstEntity = ({ entities }: Application): string | undefined =>
  entities.find(({ kind, abstract }) => kind === 'entity' && !abstract)?.name;

/** A search over the most numerous demo entity that refers to another one by name. */
function searchOf(application: Application): { readonly entity: string; readonly body: unknown } | undefined {
  const counts = new Map<string, number>();
  for (const { entity } of application.demoData?.instances ?? []) counts.set(entity, (counts.get(entity) ?? 0) + 1);
  const byNumber = [...counts].sort(([, left], [, right]) => right - left).map(([entity]) => entity);
  for (const entity of byNumber) {
    const plan = ownFetchPlan(application, entity);
    const condition = plan === undefined ? undefined : conditionOf(application, entity);
    if (condition !== undefined)
      return { entity, body: { filter: { conditions: [condition] }, fetchPlan: plan, limit: 3 } };
  }
  return undefined;
}

/** The first fetch plan that the application itself declares. */
const ownFetchPlan = (application: Application, entity: string): string | undefined =>
  [...(application.model.fetchPlans.get(entity)?.keys() ?? [])].find((name) => !name.startsWith('_'));

/** `customer.name = "…"`: the text of an instance that the first demo instance refers to. */
function conditionOf(application: Application, entity: string): object | undefined {
  const first = valuesOf(application, entity)[0] ?? {};
  for (const attribute of application.model.entities.get(entity)?.attributes.values() ?? []) {
    const reference = first[attribute.name];
    if (attribute.kind !== 'reference' || typeof reference !== 'object' || reference === null) continue;
    const id = (reference as Values)['id'];
    const target = valuesOf(application, attribute.target).find((values) => values['id'] === id);
    const name = target?.['name'];
    if (typeof name === 'string') return { property: `${attribute.name}.name`, operator: '=', value: name };
  }
  return undefined;
}

/** A run of the report as a table, where all that it requires are dates: from the first to the last of this year. */
function reportOf(report: ReportDefinition): { readonly path: string; readonly body: unknown } | undefined {
  const required = report.parameters?.filter((parameter) => parameter.required && !parameter.hidden) ?? [];
  const template = report.templates.find(({ outputType }) => outputType === 'CSV')?.code;
  if (!report.restAccess || template === undefined || required.some(({ type }) => type !== 'DATE')) return undefined;
  const year = new Date().getFullYear();
  const parameters = required.map(({ alias }, index) => ({
    name: alias,
    value: index === 0 ? `${year}-01-01` : `${year}-12-31`,
  }));
  const path = report.code === undefined ? report.id : `code/${report.code}`;
  return { path, body: { template, parameters } };
}

const valuesOf = (application: Application, entity: string): readonly Values[] =>
  (application.demoData?.instances ?? []).filter((instance) => instance.entity === entity).map(({ values }) => values);

/** Quotes a text for a shell. */
const quote = (text: string): string => (/^[\w:./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
