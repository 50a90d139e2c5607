import {
  buildModel,
  compositionOfMany,
  compositionOfOne,
  decidingEntities,
  entityOf,
  standardEntity,
  toOne,
} from '../../index.ts';

const node = (visibility?: 'owner' | 'own') => {
  const children = compositionOfMany('t_Node', 'parent');
  return standardEntity('t_Node', {
    attributes: {
      parent: toOne('t_Node'),
      children: visibility === undefined ? children : children.visibility(visibility),
    },
  });
};
const owner = (visibility?: 'owner') => {
  const part = compositionOfOne('t_Part');
  return [
    standardEntity('t_Owner', { attributes: { part: visibility === undefined ? part : part.visibility(visibility) } }),
    standardEntity('t_Part', { attributes: {} }),
  ];
};

test('a composition that leads back to its entity cannot have the visibility of its owner', () => {
  const message =
    "t_Node.children cannot give its children the visibility of their owner: t_Node would be among its own owners; use .visibility('own')";
  expect(() => buildModel({ entities: [node('owner')] })).toThrow(message);
  expect(() => buildModel({ entities: [node()], compositionVisibility: 'owner' })).toThrow(message);
  expect(() => buildModel({ entities: [node('own')], compositionVisibility: 'owner' })).not.toThrow();
});

test('only compositions have a visibility', () => {
  const entities = [standardEntity('t_A', { attributes: { b: toOne('t_A').visibility('owner') } })];
  expect(() => buildModel({ entities })).toThrow('t_A.b cannot have a visibility: it is no composition');
});

test('the visibility of all compositions is that of each, and models without one keep their version', () => {
  const each = buildModel({ entities: owner('owner') });
  const all = buildModel({ entities: owner(), compositionVisibility: 'owner' });
  expect(all.version).toBe(each.version);
  expect(buildModel({ entities: owner() }).version).not.toBe(all.version);
  expect([...decidingEntities(all, entityOf(all, 't_Part'))]).toEqual([
    ['t_Part', []],
    ['t_Owner', ['t_Owner.part']],
  ]);
});
