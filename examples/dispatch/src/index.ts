import { type DemoData, defineApplication } from '@lintel/application';
import { entityPolicy, modifyAttributes, resourceRole } from '@lintel/security';
import { announceShipment, shipmentChanged } from './events/shipment-changed.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { Shipment, ShipmentState, Tour } from './shipments/entities.ts';
import { planShipments } from './shipments/plan-shipments.ts';

const planner = resourceRole('dispatch-planner', {
  name: 'Planner',
  policies: ['dispatch_Tour', 'dispatch_Shipment'].flatMap((entity) => [
    entityPolicy(entity, 'create', 'read', 'update'),
    modifyAttributes(entity, '*'),
  ]),
});

/** For development; the password of the user is the user name. */
const DEMO_DATA: DemoData = {
  instances: [
    { entity: 'sec_User', values: { username: 'admin', active: true, password: 'admin' } },
    {
      entity: 'sec_RoleAssignment',
      values: { username: 'admin', roleCode: 'system-full-access', roleType: 'resource' },
    },
    { entity: 'dispatch_Tour', values: { name: 'North', free: 1 } },
  ],
};

/**
 * Ships the orders of `examples/sales`, as an application of another team: with a process and a database for itself,
 * connected by events alone (docs/guide/teams.md).
 */
export default defineApplication({
  id: 'dispatch',
  name: 'Dispatch',
  entities: [Tour, Shipment],
  enums: [ShipmentState],
  roles: [planner],
  events: [shipmentChanged],
  listeners: [announceShipment],
  eventHandlers: [planShipments],
  migrations: MIGRATIONS,
  demoData: DEMO_DATA,
  properties: {
    // For development. In production set the secret by SVC_AUTHSERVER_CLIENT_WEB_CLIENT_SECRET.
    'svc.authserver.client.web.client-id': 'web',
    'svc.authserver.client.web.client-secret': 'secret',
    'svc.authserver.client.web.grant-types': 'password,refresh_token',
  },
});
