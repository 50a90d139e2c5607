import { createMessages } from '@lintel/metadata';
import { BUILT_IN_ROLES, resourceRole, specificPolicy } from '@lintel/security';
import { entityListener } from '../listener.ts';
import { restMethod, service } from '../services/service.ts';
import type { ServiceContext } from '../services/service-context.ts';
import { nearMisses } from './near-misses.ts';

const messages = createMessages([{ locale: '', texts: { 'shop/closed': 'Closed' } }]);
const rolesWith = (...names: readonly string[]) => {
  const own = resourceRole('clerk', { name: 'Clerk', policies: names.map((name) => specificPolicy(name)) });
  return { resourceRoles: new Map([...BUILT_IN_ROLES, own].map((role) => [role.code, role])) };
};

test('a permission of a role that resembles one of the platform is named', () => {
  expect(nearMisses({}, rolesWith('rest.fileUplod.enabled', 'orders.approve', 'rest.enabled', '*'), messages)).toEqual([
    'A role grants the permission rest.fileUplod.enabled, which does not exist; did you mean rest.fileUpload.enabled?',
  ]);
});

test('names in functions and classes of the code are compared with those that exist', () => {
  class Desk {
    close(context: ServiceContext): string {
      return context.isPermitted('orders.aprove') ? context.message(`shop/close`) : context.message('shop/closed');
    }
  }
  const listener = entityListener({
    entity: 'shop_Order',
    beforeSave: async (_change, { hasSpecific }) => {
      if (hasSpecific('orders.approv')) throw new Error('No');
    },
  });
  const prices = service('shop_Prices', {
    of: restMethod({}, (_parameters, { message, isPermitted }) => [
      message('shop/closd'),
      isPermitted('quite.different'),
    ]),
  });
  expect(
    nearMisses({ services: [new Desk(), prices], listeners: [listener] }, rolesWith('orders.approve'), messages),
  ).toEqual([
    'The code asks for orders.aprove, which does not exist; did you mean orders.approve?',
    'The code asks for orders.approv, which does not exist; did you mean orders.approve?',
    'The code uses the message shop/close, which does not exist; did you mean shop/closed?',
    'The code uses the message shop/closd, which does not exist; did you mean shop/closed?',
  ]);
});

test('properties are not evaluated, and objects that contain themselves are read once', () => {
  const odd: Record<string, unknown> = {};
  Object.defineProperty(odd, 'broken', {
    enumerable: true,
    get: () => {
      throw new Error('evaluated');
    },
  });
  odd['self'] = odd;
  expect(nearMisses({ services: [odd] }, rolesWith(), messages)).toEqual([]);
});
