import { cases, fc } from '@lintel/testkit/properties';
import type { ResourcePolicy } from '../api/roles.ts';
import {
  attributeLevel,
  hasPolicy,
  isOperationGranted,
  withAttributeLevel,
  withPolicy,
  writtenPolicies,
} from './policy-set.ts';

const policy = (type: string, resource: string, action: string): ResourcePolicy => ({
  ...{ type, resource, action },
  effect: 'allow',
});

test('policies that the role has keep their ids, and new ones have none', () => {
  const stored = [
    { ...policy('entity', 'Order', 'read'), id: '1' },
    { ...policy('entityAttribute', 'Order.number', 'view'), id: '2' },
  ];
  const policies = [
    policy('entity', 'Order', 'read'),
    policy('entityAttribute', 'Order.number', 'modify'),
    policy('specific', 'rest.enabled', 'execute'),
  ];
  expect(writtenPolicies(policies, stored)).toEqual([{ ...policies[0], id: '1' }, policies[1], policies[2]]);
  expect(writtenPolicies(policies)).toEqual(policies);
});

test('a policy is saved without the members that the list of roles adds', () => {
  const listed = { ...policy('entity', 'Order', 'read'), id: '9', roleName: 'Clerk' } as ResourcePolicy;
  expect(writtenPolicies([listed], [])).toEqual([policy('entity', 'Order', 'read')]);
});

const OPERATION = fc.constantFrom('create', 'read', 'update', 'delete');
const ENTITY = fc.constantFrom('Order', 'Customer', '*');
const POLICIES = fc.array(
  fc.oneof(
    fc.tuple(fc.constant('entity'), ENTITY, fc.oneof(OPERATION, fc.constant('all'))),
    fc.tuple(
      fc.constant('entityAttribute'),
      fc.constantFrom('Order.*', 'Order.number'),
      fc.constantFrom('view', 'modify'),
    ),
    fc.tuple(fc.constant('specific'), fc.constantFrom('rest.enabled', 'views.share'), fc.constant('execute')),
  ),
  { maxLength: 8 },
);

test('a click on a right changes this right, and no other one', () => {
  fc.assert(
    fc.property(POLICIES, ENTITY, OPERATION, fc.boolean(), (all, resource, action, isGranted) => {
      const before = all.map(([type, named, of]) => policy(type, named, of));
      const after = withPolicy(before, { type: 'entity', resource, action }, isGranted);
      expect(isOperationGranted(after, resource, action)).toBe(isGranted);
      for (const entity of ['Order', 'Customer', '*'])
        for (const other of ['create', 'read', 'update', 'delete'])
          if (entity !== resource || other !== action)
            expect([entity, other, isOperationGranted(after, entity, other)]).toEqual([
              ...[entity, other, isOperationGranted(before, entity, other)],
            ]);
      for (const each of before.filter(({ type }) => type !== 'entity'))
        expect(hasPolicy(after, each.type, each.resource, each.action)).toBe(true);
    }),
    cases(150),
  );
});

test('an attribute has the level that was chosen for it, and other attributes keep theirs', () => {
  fc.assert(
    fc.property(POLICIES, fc.constantFrom('hidden', 'view', 'modify'), (all, level) => {
      const before = all.map(([type, named, of]) => policy(type, named, of));
      const after = withAttributeLevel(before, 'Order.number', level);
      expect(attributeLevel(after, 'Order.number')).toBe(level);
      for (const each of before.filter(({ resource }) => resource !== 'Order.number'))
        expect(hasPolicy(after, each.type, each.resource, each.action)).toBe(true);
    }),
    cases(100),
  );
});
