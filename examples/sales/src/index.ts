import { defineApplication } from '@lintel/application';
import { CONTROLLERS } from './controllers/controllers.ts';
import { DEMO_DATA } from './demo/demo-data.ts';
import { ENTITIES, ENUMS } from './entities/index.ts';
import { complained, complainedWithoutReason, noteComplaints } from './events/complaints.ts';
import { followShipments } from './events/dispatched.ts';
import { MANAGER_NEWS } from './events/manager-news.ts';
import { announceOrderStatus, orderStatusChanged } from './events/order-status.ts';
import { ORDER_AMOUNT_LISTENERS } from './listeners/order-amount.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { paymentReminder, sendReminder } from './payments/payment-reminder.ts';
import { paymentReminders, ReminderService } from './payments/reminder-service.ts';
import { REPORT_GROUPS, REPORTS } from './reports/index.ts';
import { reportDelivery } from './reports/report-delivery.ts';
import { ROLES, ROW_LEVEL_ROLES } from './roles/roles.ts';
import { OrderService } from './services/order-service.ts';
import { ReportingService } from './services/reporting-service.ts';

/** The example application: customers, products and orders of a small trading company. */
export default defineApplication({
  id: 'sales',
  name: 'Sales',
  version: '1.0.0',
  entities: ENTITIES,
  enums: ENUMS,
  roles: ROLES,
  rowLevelRoles: ROW_LEVEL_ROLES,
  listeners: [...ORDER_AMOUNT_LISTENERS, announceOrderStatus],
  events: [orderStatusChanged, complainedWithoutReason, complained],
  eventHandlers: [followShipments, noteComplaints, ...MANAGER_NEWS],
  services: [new OrderService(), ReminderService, ReportingService],
  jobs: [paymentReminders, sendReminder],
  mails: [paymentReminder, reportDelivery],
  controllers: CONTROLLERS,
  reportGroups: REPORT_GROUPS,
  reports: REPORTS,
  migrations: MIGRATIONS,
  demoData: DEMO_DATA,
  resources: new URL('../resources/', import.meta.url),
  properties: {
    'svc.core.available-locales': 'en,de,zh_CN',
    'svc.core.fetch-plans-config': 'fetch-plans.xml',
    'svc.rest.services-config': 'rest-services.xml',
    'svc.rest.queries-config': 'queries.xml',
    'svc.rest.anonymous-url-patterns':
      '/rest/entities/sales_Product,/rest/entities/sales_Product/*,/rest/docs/**,/rest/sales/public/**',
    'svc.authserver.client.demo.client-id': 'client',
    'svc.authserver.client.demo.client-secret': 'secret',
    'svc.authserver.client.demo.grant-types': 'password,refresh_token,authorization_code',
    'svc.authserver.client.demo.redirect-uris':
      'http://127.0.0.1/callback,http://127.0.0.1/rest/docs/explorer/oauth2-redirect.html,http://localhost/rest/docs/explorer/oauth2-redirect.html',
    // Users log in to the explorer as a public client: a page of the browser keeps no secret.
    'svc.rest.explorer-client': 'explorer',
    'svc.auth.passkeys': 'true',
    // `lintel login` in a terminal.
    'svc.authserver.client.lintel-cli.client-id': 'lintel-cli',
    'svc.authserver.client.lintel-cli.client-authentication-methods': 'none',
    'svc.authserver.client.lintel-cli.grant-types': 'urn:ietf:params:oauth:grant-type:device_code,refresh_token',
    // A front end on another origin, such as a development server; at any port of this machine.
    'svc.authserver.client.spa.client-id': 'spa',
    'svc.authserver.client.spa.client-authentication-methods': 'none',
    'svc.authserver.client.spa.grant-types': 'authorization_code,refresh_token',
    'svc.authserver.client.spa.redirect-uris':
      'http://127.0.0.1/callback,http://localhost/callback,http://127.0.0.1/login,http://localhost/login',
    // Its access tokens are JWTs, which a server of the shop could verify by itself.
    'svc.authserver.client.jwt.client-id': 'client-jwt',
    'svc.authserver.client.jwt.client-secret': 'secret',
    'svc.authserver.client.jwt.grant-types': 'password,refresh_token,client_credentials',
    'svc.authserver.client.jwt.access-token-format': 'self-contained',
    'svc.authserver.client.jwt.resource-roles': 'rest-minimal,sales-manager',
    'svc.authserver.client.integration.client-id': 'integration',
    'svc.authserver.client.integration.client-secret': 'secret',
    'svc.authserver.client.integration.grant-types': 'client_credentials',
    'svc.authserver.client.integration.resource-roles': 'rest-minimal,sales-manager',
  },
});
