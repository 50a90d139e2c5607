import { defineApplication } from '@lintel/application';
import { Customer } from './customers/customer.ts';
import { customerService } from './customers/customer-service.ts';
import { customersOfCity } from './customers/customers-of-city.ts';
import { DEMO_DATA } from './demo-data.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { clerk } from './roles.ts';

/** All there is to the application: `npm start` serves it. */
export default defineApplication({
  id: 'sample',
  name: 'Sample',
  entities: [Customer],
  roles: [clerk],
  queries: [customersOfCity],
  services: [customerService],
  migrations: MIGRATIONS,
  demoData: DEMO_DATA,
  resources: new URL('../resources/', import.meta.url),
  properties: {
    'svc.core.available-locales': 'en,de',
    // For development. In production name the secret by SVC_AUTHSERVER_CLIENT_WEB_CLIENT_SECRET.
    'svc.authserver.client.web.client-id': 'web',
    'svc.authserver.client.web.client-secret': 'secret',
    'svc.authserver.client.web.grant-types': 'password,refresh_token',
    // `lintel login` in a terminal.
    'svc.authserver.client.lintel-cli.client-id': 'lintel-cli',
    'svc.authserver.client.lintel-cli.client-authentication-methods': 'none',
    'svc.authserver.client.lintel-cli.grant-types': 'urn:ietf:params:oauth:grant-type:device_code,refresh_token',
  },
});
