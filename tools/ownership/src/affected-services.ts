/** What is deployed by itself, each with a team and a pipeline of its own. */
export const SERVICES = ['gateway', 'auth', 'data', 'files', 'reports'] as const;
export type Service = (typeof SERVICES)[number];

/** The services among the packages that turbo calls affected: those that changed, and those that depend on such. */
export const affectedServices = (packages: readonly string[]): readonly Service[] =>
  SERVICES.filter((service) => packages.includes(`@lintel/${service}`));
